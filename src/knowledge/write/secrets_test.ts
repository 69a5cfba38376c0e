import assert from "node:assert/strict";
import { test } from "node:test";
import { findSecrets, kindsOfSecrets } from "./secrets.ts";

const letters = (length: number) => "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY".repeat(9).slice(0, length);
// Put together here, so that no scanner takes this file for a leak.
const of = (...parts: string[]) => parts.join("");

const SECRETS: [kind: string, text: string][] = [
  ["AWS access key", of("AK", "IAQ3EGRIZ5KJ7XW2PM")],
  ["AWS access key", of("AS", "IAQ3EGRIZ5KJ7XW2PM")],
  ["GitHub token", of("gh", "p_", letters(36))],
  ["GitHub token", of("github_", "pat_", letters(22), "_", letters(59))],
  ["GitLab token", of("glp", "at-", letters(20))],
  ["Slack token", of("xo", "xb-", "123456789012-", letters(24))],
  ["Stripe key", of("sk_", "live_", letters(24))],
  ["Google API key", of("AI", "za", letters(35))],
  ["Anthropic API key", of("sk-", "ant-api03-", letters(80))],
  ["OpenAI API key", of("sk-", "proj-", letters(48))],
  ["OpenAI API key", of("sk-", letters(48))],
  ["npm token", of("np", "m_", letters(36))],
  ["JSON web token", of("ey", "JhbGciOiJIUzI1NiJ9.ey", "JzdWIiOiIxMjM0NTY3ODkwIn0.", letters(43))],
  [
    "private key",
    of("-----BEGIN RSA PRIV", "ATE KEY-----\n", letters(64), "\n-----END RSA PRIVATE KEY-----"),
  ],
  ["private key", of("-----BEGIN OPENSSH PRIV", "ATE KEY-----\\n", letters(64))],
  ["password", "db_password = 'Tr0ub4dor&3'"],
  ["password", '"api_key": "9f86d081884c7d659a2feaa0c55ad015"'],
  ["password", "PASSWORD=hunter2!hunter2"],
  ["password", of("aws_secret_access_key: wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYzK9kLm2")],
];

for (const [kind, secret] of SECRETS) {
  test(`findSecrets() finds a ${kind} in ${secret.slice(0, 12)}…`, () => {
    const text = `before ${secret}\n\nbehind`;
    assert.deepEqual(kindsOfSecrets(text), [kind]);
    const [{ start, end }] = findSecrets(text);
    assert.ok(start >= "before ".length && end <= text.indexOf("\n\nbehind"), `${start} ${end}`);
    assert.ok(end - start >= 8);
  });
}

const HARMLESS = [
  "The password must have 12 characters and one digit.",
  "password: ********",
  "password = <your password 1>",
  "token: ${GITHUB_TOKEN_1}",
  "api_key = os.environ['OPENAI_KEY_1']",
  "secret: see-chapter-12",
  "password: changeme123",
  "pwd: /home/ada/notes-1",
  "token: https://example.com/a1B2c3",
  "tokens: 1024 per request, token = nextToken(stream)",
  "-----BEGIN PRIVATE KEY----- is how such a file begins, and what follows is base64.",
  "-----BEGIN CERTIFICATE-----\n" + letters(64) + "\n-----END CERTIFICATE-----",
  "task-based risk-averse disk-first sk-ill css-sk-eleton-with-a-very-long-name-indeed-yes",
  "kbid 1cy96vmqxgmc72dt1v5b2vkrmy and sha 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
  "The AKIA prefix, ghp_ tokens and xoxb- tokens are shapes of secrets.",
];

test("findSecrets() passes over what only looks like it", () => {
  for (const text of HARMLESS) assert.deepEqual(findSecrets(text), [], text);
});

test("findSecrets() finds several, each once and in order", () => {
  const token = of("gh", "p_", letters(36));
  const text = `one ${SECRETS[0][1]}, token: ${token}, and ${token} again`;
  assert.deepEqual(findSecrets(text).map(({ kind }) => kind), [
    "AWS access key",
    "GitHub token",
    "GitHub token",
  ]);
  assert.deepEqual(kindsOfSecrets(text), ["AWS access key", "GitHub token"]);
});

test("findSecrets() is done in time, whatever the text", () => {
  const texts = [
    "-----BEGIN PRIVATE KEY-----".repeat(40_000),
    `-----BEGIN PRIVATE KEY-----${"a ".repeat(500_000)}`,
    "a-b_c.".repeat(200_000) + "secret:",
    "secret".repeat(200_000),
    "password: ".repeat(100_000),
    "eyJaaaaaaaaaa.".repeat(80_000),
    "x".repeat(1_000_000) + " token=",
    "sk-".repeat(300_000),
  ];
  for (const text of texts) {
    const start = performance.now();
    findSecrets(text);
    const took = performance.now() - start;
    assert.ok(took < 1000, `${text.slice(0, 30)} took ${took} ms`);
  }
});
