import assert from "node:assert/strict";
import { posix, win32 } from "node:path";
import { test } from "node:test";
import { kbdbCommand } from "../support/command.ts";
import { projectFiles, readProjectFile } from "../support/project.ts";
import { Place, plainEnvironment, WireServer } from "./wire_server.ts";

const PACKAGE = "@dikolab/kbdb";

/** How a host is told to start the server. */
interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What is written between fences of one of these languages. */
function fenced(text: string, languages: readonly string[]): string[] {
  const blocks = text.matchAll(/^ *```(\w*)[^\n]*\n([\s\S]*?)^ *```/gm);
  return [...blocks].filter(([, language]) => languages.includes(language)).map(([, , code]) =>
    code
  );
}

/** All entries in a piece of JSON, however deep. */
function entriesIn(value: unknown): Entry[] {
  if (typeof value !== "object" || value === null) return [];
  const { command, args } = value as Partial<Entry>;
  if (typeof command === "string" && Array.isArray(args)) return [value as Entry];
  return Object.values(value).flatMap(entriesIn);
}

/** The entries that a guide shows as JSON, and those of its `claude mcp add` lines. */
function entriesOf(guide: string): { json: Entry[]; added: Entry[] } {
  const json = fenced(guide, ["json"]).flatMap((code) => entriesIn(JSON.parse(code)));
  const lines = fenced(guide, ["sh", "bash", "console"]).join("\n").replaceAll(/\\\n\s*/g, " ");
  const added = [...lines.matchAll(/\bclaude mcp add\b(.*)$/gm)].map(([, rest]) => {
    const [options, words] = rest.split(" -- ").map((part) => part.trim().split(/\s+/));
    assert(words, `claude mcp add${rest}: the command stands behind --`);
    const variables = options.flatMap((word, i) =>
      /^(-e|--env)$/.test(word) ? [options[i + 1]] : []
    );
    const env = Object.fromEntries(variables.map((one) => one.split("=")));
    return { command: words[0], args: words.slice(1), ...(variables.length > 0 ? { env } : {}) };
  });
  return { json, added };
}

/** The words behind what starts the command, however that is done. */
function wordsOf({ command, args }: Entry): readonly string[] {
  const words = [command, ...args];
  const start = words.findIndex((word) =>
    word.includes(PACKAGE) || /(^|[\\/])(kbdb|cli)(\.cmd|\.js|\.ts)?$/.test(word)
  );
  assert(start >= 0, `no kbdb in: ${words.join(" ")}`);
  assert.equal(words[start + 1], "mcp", words.join(" "));
  return words.slice(start + 2);
}

/** Starts what an entry names by the command of this runtime, on a database of the test. */
async function start(entry: Entry, path: string): Promise<void> {
  const words = [...wordsOf(entry)];
  const db = words.findIndex((word) => word === "--db");
  if (db >= 0) words[db + 1] = path;
  assert(db >= 0 || entry.env?.KBDB_DIR, `no database in ${JSON.stringify(entry)}`);
  const env: Record<string, string> = { ...plainEnvironment(), ...entry.env };
  if (entry.env?.KBDB_DIR !== undefined) env.KBDB_DIR = path;
  await using server = new WireServer({ command: kbdbCommand(), args: words, env });
  const { result } = await server.hello();
  assert.equal(result.serverInfo.name, "kbdb");
  const { result: { roots: [root] } } = await server.request("roots/list");
  assert.equal(decodeURIComponent(new URL(root.uri).pathname), path);
}

/** The folder that an entry names. */
function databaseOf({ args, env }: Entry): string {
  return env?.KBDB_DIR ?? args[args.indexOf("--db") + 1];
}

/** Hosts put values in for names in braces. */
function isAbsolute(path: string): boolean {
  return /^\$\{\w+\}\//.test(path) || posix.isAbsolute(path) || win32.isAbsolute(path);
}

const GUIDES = projectFiles("docs/guide", ".md").map((file) => readProjectFile(file));
const GUIDE = GUIDES.join("\n\n");

test("every wiring in the guide starts a server [install-02 install-03 install-05]", async () => {
  const { json, added } = entriesOf(GUIDE);
  assert(json.length > 0 && added.length > 0, "the guide shows no wiring");
  assert(json.some(({ env }) => env?.KBDB_DIR), "none uses KBDB_DIR");
  await using place = new Place();
  const path = await place.database();
  for (const entry of [...json, ...added]) await start(entry, path);
});

test("the guide tells Claude Desktop and Claude Code apart [install-02 install-03 client-start-4]", () => {
  assert.match(GUIDE, /claude_desktop_config\.json/);
  assert.match(GUIDE, /"mcpServers"/);
  assert.match(GUIDE, /\.mcp\.json|claude mcp add/);
  const sentences = GUIDE.replaceAll(/\s+/g, " ").split(/(?<=[.!?]) /);
  for (const sentence of sentences.filter((one) => /\bsettings\.json\b/.test(one))) {
    assert.match(sentence, /\bnot\b|\bignore[sd]?\b|\bVS Code\b|\bGemini\b|\bZed\b/, sentence);
  }
});

test("wirings with npx never ask, and there is one for Windows [client-start-2 client-start-3]", () => {
  const { json, added } = entriesOf(GUIDE);
  const all = [...json, ...added];
  const words = all.map(({ command, args }) => [command, ...args]);
  const byNpx = words.filter((one) => one.includes("npx"));
  assert(byNpx.length > 0);
  for (const one of byNpx) assert.equal(one[one.indexOf("npx") + 1], "-y", one.join(" "));
  assert(words.some((one) => one[0] === "cmd" && one[1] === "/c"), "no cmd /c");
  assert(words.some(([command]) => isAbsolute(command)), "no absolute path of a command");
  for (const entry of json) assert(isAbsolute(databaseOf(entry)), databaseOf(entry));
});

test("the guide shows how Deno starts the server [install-04]", async () => {
  const { json, added } = entriesOf(GUIDE);
  const byDeno = [...json, ...added].filter(({ command, args }) =>
    /(^|[\\/])deno$/.test(command) && args[0] === "run"
  );
  assert(byDeno.length > 0);
  await using place = new Place();
  for (const entry of byDeno) {
    const module = entry.args.find((word) => /^(jsr:|npm:)|\.ts$/.test(word)) ?? "";
    assert.match(module, /^(jsr|npm):@dikolab\/kbdb$|\bcli\.ts$/, entry.args.join(" "));
    await start(entry, place.path());
  }
});

test("entriesOf() reads JSON and commands", () => {
  const guide = [
    "```json",
    '{ "mcpServers": { "a": { "command": "cmd", "args": ["/c", "npx"], "env": { "B": "c" } } } }',
    "```",
    "```sh",
    "claude mcp add notes --env KBDB_DIR=/n \\",
    "  -- npx -y @dikolab/kbdb mcp",
    "```",
  ].join("\n");
  assert.deepEqual(entriesOf(guide), {
    json: [{ command: "cmd", args: ["/c", "npx"], env: { B: "c" } }],
    added: [{ command: "npx", args: ["-y", PACKAGE, "mcp"], env: { KBDB_DIR: "/n" } }],
  });
  assert.deepEqual(wordsOf({ command: "/opt/kbdb", args: ["mcp", "--db", "x"] }), ["--db", "x"]);
  assert.deepEqual(wordsOf({ command: "npx", args: ["-y", `${PACKAGE}@1`, "mcp"] }), []);
});
