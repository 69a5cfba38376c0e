/**
 * Asks a database queries whose answers are known, and tells how well they are found (D57).
 *
 * @module
 */

import { KbdbError, toKbdbError } from "../rpc/errors.ts";
import { type Kinds, refuseWrongKinds } from "../rpc/kinds.ts";
import type { SearchItem, SearchParams } from "../rpc/searching.ts";
import type { Calls, OnProgress } from "./calls.ts";
import { mean, type RankScores, rankScores } from "./evaluation_scores.ts";

/** A line of an evaluation file: a query, and what it should find. */
export interface EvaluationLine {
  query: string;
  /** Kbids and docids; of a document, any section counts. */
  expected: string[];
  /** Filters, as those of a search. */
  tag?: string[];
  type?: string[];
  docid?: string[];
  match?: string;
}

/** A query that found nothing of what was expected. */
export interface MissedQuery {
  /** Its line, from 1. */
  line: number;
  query: string;
  expected: string[];
  /** The best of what was found instead. */
  found: { kbid: string; heading: string | null; docids: string[] }[];
}

/** An expected id that no query can find. */
export interface UnfindableId {
  line: number;
  id: string;
  /** Why, as the end of a sentence that begins with the id. */
  reason: string;
}

/** How well the queries were answered; all shares and scores are from 0 to 1. */
export interface EvaluationResult {
  /** Queries that were asked. */
  queries: number;
  /** Most results of each. */
  limit: number;
  /** Share of the queries that found something expected at this rank or above. */
  found_at: { rank: number; share: number }[];
  /** Mean of one by the rank of the first expected result. */
  mrr: number;
  /** Mean normalised discounted gain at `limit`. */
  ndcg: number;
  /** Mean share of the expected ids that were found. */
  recall: number;
  /** Share of the queries that found nothing at all. */
  no_result: number;
  missed: MissedQuery[];
  /** These count as not found. */
  unfindable: UnfindableId[];
  /** Lines that could not be asked; they do not count. */
  failed: { line: number; code: string; message: string }[];
  /** Remarks, each beginning with the line's number. */
  warnings: string[];
  elapsed_ms: number;
}

/** What an evaluation needs of a client. */
export type AskedClient = Pick<Calls, "search" | "history" | "document">;

/** What is to be evaluated. */
export interface EvaluationRequest {
  /** Lines of JSON; blank ones are passed over. */
  readonly lines: readonly string[];
  /** Results of each query, 1 to 100. @default {10} */
  readonly limit?: number;
  readonly onProgress?: OnProgress;
}

const KINDS: Kinds<EvaluationLine> = {
  query: "text",
  expected: "texts",
  tag: "texts?",
  type: "texts?",
  docid: "texts?",
  match: "text?",
};
/** Ranks that people look at. */
const RANKS = [1, 3, 10];
const SHOWN_INSTEAD = 3;

/**
 * Asks every query, one after another. A line that cannot be asked costs only itself.
 *
 * @throws {KbdbError} where the database cannot be reached or read
 */
export async function evaluate(
  client: AskedClient,
  request: EvaluationRequest,
): Promise<EvaluationResult> {
  const start = performance.now();
  const run = new Run(client, request.limit ?? 10);
  const { lines, onProgress } = request;
  for (const [i, line] of lines.entries()) {
    if (line.trim() !== "") await run.line(line, i + 1);
    onProgress?.({ done: i + 1, total: lines.length, message: `Line ${i + 1}` });
  }
  await run.explain();
  return { ...run.result(), elapsed_ms: Math.round(performance.now() - start) };
}

class Run {
  readonly #scores: RankScores[] = [];
  #withoutResult = 0;
  readonly #missed: MissedQuery[] = [];
  readonly #notFound: { line: number; id: string }[] = [];
  readonly #unfindable: UnfindableId[] = [];
  readonly #failed: EvaluationResult["failed"] = [];
  readonly #warnings: string[] = [];

  constructor(private readonly client: AskedClient, private readonly limit: number) {}

  async line(text: string, line: number): Promise<void> {
    try {
      const asked = this.#parsed(text, line);
      this.#score(asked, { line, items: await this.#search(asked) });
    } catch (thrown) {
      const { code, message } = toKbdbError(thrown);
      if (code !== "bad_request" && code !== "too_large") throw thrown;
      const doing = `Cannot evaluate line ${line}`;
      const told = message.startsWith(doing) ? message : `${doing}: ${message}`;
      this.#failed.push({ line, code, message: told });
    }
  }

  /** Finds out which of the ids that were not found cannot be. */
  async explain(): Promise<void> {
    const known = new Map<string, string | null>();
    for (const { line, id } of this.#notFound) {
      if (!known.has(id)) known.set(id, await this.#whyUnfindable(id));
      const reason = known.get(id);
      if (reason) this.#unfindable.push({ line, id, reason });
    }
  }

  result(): Omit<EvaluationResult, "elapsed_ms"> {
    const scores = this.#scores;
    const ranks = [...new Set([...RANKS.filter((rank) => rank < this.limit), this.limit])];
    const isWithin = (rank: number) => ({ first }: RankScores) =>
      Number(first !== null && first <= rank);
    return {
      queries: scores.length,
      limit: this.limit,
      found_at: ranks.map((rank) => ({ rank, share: mean(scores.map(isWithin(rank))) })),
      mrr: mean(scores.map(({ reciprocalRank }) => reciprocalRank)),
      ndcg: mean(scores.map(({ ndcg }) => ndcg)),
      recall: mean(scores.map(({ recall }) => recall)),
      no_result: scores.length === 0 ? 0 : mean([this.#withoutResult / scores.length]),
      missed: this.#missed,
      unfindable: this.#unfindable,
      failed: this.#failed,
      warnings: this.#warnings,
    };
  }

  #parsed(text: string, line: number): EvaluationLine {
    const doing = `evaluate line ${line}`;
    const given = parsedJson(text);
    refuseWrongKinds(doing, { given, kinds: KINDS });
    for (const name of Object.keys(given as object)) {
      if (Object.hasOwn(KINDS, name)) continue;
      this.#warnings.push(`line ${line}: ${JSON.stringify(name)} is not known and is left out`);
    }
    const asked = given as EvaluationLine;
    if (asked.expected.length === 0) {
      throw new KbdbError("bad_request", `Cannot ${doing}: expected must name at least one id`);
    }
    return asked;
  }

  async #search({ query, tag, type, docid, match }: EvaluationLine): Promise<SearchItem[]> {
    // A match that is none is refused by the search.
    const filters = { tag, type, docid, match: match as SearchParams["match"] };
    const given = Object.entries(filters).filter(([, value]) => value !== undefined);
    const params = { ...Object.fromEntries(given), query, limit: this.limit };
    return (await this.client.search(params as { query: string; limit: number })).items;
  }

  #score(asked: EvaluationLine, answer: { line: number; items: readonly SearchItem[] }): void {
    const { line, items } = answer;
    const { query } = asked;
    const expected = [...new Set(asked.expected)];
    const ranks = expected.map((id) => rankOf(id, items));
    const scores = rankScores(ranks, this.limit);
    this.#scores.push(scores);
    if (items.length === 0) this.#withoutResult += 1;
    expected.forEach((id, i) => ranks[i] === null && this.#notFound.push({ line, id }));
    if (scores.first !== null) return;
    const found = items.slice(0, SHOWN_INSTEAD)
      .map(({ kbid, heading, docids }) => ({ kbid, heading, docids }));
    this.#missed.push({ line, query, expected, found });
  }

  /** `null` for an id that is stored as it should be. */
  async #whyUnfindable(id: string): Promise<string | null> {
    const history = await unlessMissing(this.client.history(id));
    if (history) return history.current === id ? null : outdated(history.current);
    return await unlessMissing(this.client.document(id)) ? null : "is not stored";
  }
}

function outdated(current: string | null): string {
  return current === null ? "was removed" : `was superseded by ${current}`;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new KbdbError("bad_request", `no JSON (${reason})`, { cause });
  }
}

/** The rank of the first result that is meant by a kbid or docid. */
function rankOf(id: string, items: readonly SearchItem[]): number | null {
  const at = items.findIndex(({ kbid, docids }) => kbid === id || docids.includes(id));
  return at < 0 ? null : at + 1;
}

/** What is asked for, or `null` where there is no such thing. */
async function unlessMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    const { code } = toKbdbError(error);
    if (code === "not_found" || code === "bad_request") return null;
    throw error;
  }
}
