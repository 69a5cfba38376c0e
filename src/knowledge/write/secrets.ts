/**
 * Finding what looks like a key, a token or a password in a text (D34). Only shapes that hardly
 * anything else has: a warning that is mostly wrong is not read.
 *
 * @module
 */

/** Something that looks like a secret; its text is never shown. */
export interface FoundSecret {
  /** Such as `AWS access key`. */
  readonly kind: string;
  /** Place in the text, in UTF-16 code units. */
  readonly start: number;
  /** Behind the last code unit. */
  readonly end: number;
}

interface Shape {
  readonly kind: string;
  readonly pattern: RegExp;
}

/**
 * What each shape below begins with, so that most texts are passed over by one search. A beginning is
 * found by its last character, which is rare, and looking back from there: that takes a sixth of the
 * time of looking for each beginning everywhere.
 */
const HINT =
  /[-_I9zJ](?<=-----|AKI|ASI|gh[opsur]_|github_pat_|glpat-|xox[abeoprs]-|xapp-|[rs]k_live_|whsec_|AIz|ya29|\bsk-|npm_|eyJ)/;
/** The same for assignments, whose names have no set case. */
const NAME_HINT =
  /[:=](?<=(?:passw|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key)\w{0,8}["']?\s{0,3}[:=])/i;

/** Letters or digits right beside it mean that it is a part of something else. */
const shape = (kind: string, source: string): Shape => ({
  kind,
  pattern: new RegExp(`(?<![A-Za-z0-9_])(?:${source})(?![A-Za-z0-9])`, "g"),
});

const SHAPES: readonly Shape[] = [
  shape("AWS access key", "(?:AKIA|ASIA)[A-Z2-7]{16}"),
  shape("GitHub token", "gh[opsur]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
  shape("GitLab token", "glpat-[A-Za-z0-9_-]{20,}"),
  shape("Slack token", "xox[abeoprs]-[A-Za-z0-9-]{20,}|xapp-[0-9]-[A-Za-z0-9-]{20,}"),
  shape("Stripe key", "[rs]k_live_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9]{24,}"),
  shape("Google API key", "AIza[A-Za-z0-9_-]{35}"),
  shape("Google access token", "ya29\\.[A-Za-z0-9_-]{20,}"),
  shape("Anthropic API key", "sk-ant-[A-Za-z0-9_-]{20,}"),
  shape("OpenAI API key", "sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{32,}|sk-[A-Za-z0-9]{32,}"),
  shape("npm token", "npm_[A-Za-z0-9]{36}"),
  shape("JSON web token", "eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{20,}"),
];

/** The head of a private key, and a line of base64 soon behind it. */
const KEY_HEAD =
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?=[^]{0,300}?[A-Za-z0-9+/=]{40})/g;
/** All up to the end of a key. */
const KEY_END = /^[^]*?-----END[A-Z0-9 ]*-----/;
/** No private key is longer. */
const MAX_KEY_LENGTH = 16_384;
/** What follows the head of a key that is cut short; in JSON a line ends in `\\n`. */
const KEY_LINES = /(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{30,})*/y;

/** A name that says it, a sign of assignment, and a value. */
const ASSIGNMENT =
  /(?<![A-Za-z0-9])(?:[A-Za-z0-9]{1,30}[_.-]){0,4}(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|secret[_-]?key)["']?\s{0,3}(?::=|=>?|:)\s{0,3}(?:"([^"\n]{8,200})"|'([^'\n]{8,200})'|([^\s"'`,;<>()]{8,200}))/gi;

/** Values that stand for one to be filled in, or say where it is. */
const PLACEHOLDER =
  /^(?:[$%{<[*./~]|[a-z]:\\|[a-z]+:\/\/|process\.|os\.|env[.(]|import\.)|x{4,}|\*{3,}|\.{3}|example|changeme|placeholder|your[_-]|dummy|redacted/i;
/** Random letters and digits have more bits a character than words. */
const MIN_ENTROPY = 2.75;

/**
 * What looks like a secret, in the order of the text.
 *
 * @example A key of AWS
 * ```ts
 * import { findSecrets } from "./secrets.ts";
 * import assert from "node:assert/strict";
 *
 * const [found] = findSecrets("id: " + "AKIA" + "Q3EGRIZ5KJ7XW2PM");
 * assert.equal(found.kind, "AWS access key");
 * assert.equal(found.start, 4);
 * ```
 */
export function findSecrets(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  if (HINT.test(text)) found.push(...privateKeys(text), ...shapesIn(text));
  if (NAME_HINT.test(text)) found.push(...assignments(text));
  return apart(found);
}

/** The kinds, each once, in the order of the text. */
export function kindsOfSecrets(text: string): string[] {
  return [...new Set(findSecrets(text).map(({ kind }) => kind))];
}

function* shapesIn(text: string): Generator<FoundSecret> {
  for (const { kind, pattern } of SHAPES) {
    for (const { index: start, 0: { length } } of text.matchAll(pattern)) {
      yield { kind, start, end: start + length };
    }
  }
}

function* assignments(text: string): Generator<FoundSecret> {
  for (const match of text.matchAll(ASSIGNMENT)) {
    const value = match[1] ?? match[2] ?? match[3];
    if (!looksRandom(value)) continue;
    const end = match.index + match[0].length - (match[3] === undefined ? 1 : 0);
    yield { kind: "password", start: end - value.length, end };
  }
}

function* privateKeys(text: string): Generator<FoundSecret> {
  for (const { index: start, 0: { length } } of text.matchAll(KEY_HEAD)) {
    const body = start + length;
    KEY_LINES.lastIndex = body;
    const whole = KEY_END.exec(text.slice(body, body + MAX_KEY_LENGTH)) ?? KEY_LINES.exec(text)!;
    yield { kind: "private key", start, end: body + whole[0].length };
  }
}

/** In the order of the text; of two that overlap the one that was found first, the more exact. */
function apart(found: readonly FoundSecret[]): FoundSecret[] {
  const ranked = found.map((secret, rank) => ({ ...secret, rank }));
  ranked.sort((a, b) => a.start - b.start || a.rank - b.rank);
  const kept: typeof ranked = [];
  for (const secret of ranked) {
    const last = kept.at(-1);
    if (last === undefined || last.end <= secret.start) kept.push(secret);
    else if (secret.rank < last.rank) kept[kept.length - 1] = secret;
  }
  return kept.map(({ rank: _, ...secret }) => secret);
}

function looksRandom(value: string): boolean {
  if (PLACEHOLDER.test(value) || /\s/.test(value)) return false;
  const has = (pattern: RegExp) => pattern.test(value);
  if (!has(/[0-9]/) || !has(/[A-Za-z]/) || entropyOf(value) < MIN_ENTROPY) return false;
  const isMixed = has(/[a-z]/) && has(/[A-Z]/);
  return isMixed || has(/[^A-Za-z0-9_.:/-]/) || /^[a-z0-9]{20,}$/i.test(value);
}

/** Shannon entropy in bits a character. */
function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / value.length);
  return bits / value.length;
}
