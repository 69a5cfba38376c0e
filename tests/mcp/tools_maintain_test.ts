import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { test } from "node:test";
import { DatabaseClient } from "../../src/mcp/database_client.ts";
import { handleToolCall } from "../../src/mcp/handle_tool_call.ts";
import { openSession, type TestSession } from "./session.ts";
import {
  assertLayout,
  bytesOf,
  fakeClient,
  idOfText,
  NOBODY,
  pathsOf,
  PIXEL,
  seed,
  textBytes,
  textsOf,
} from "./tools_support.ts";

/** A client of the session's database, which nobody holds. */
function reopened(session: TestSession): DatabaseClient {
  return new DatabaseClient({
    exists: () => true,
    create: () => Promise.reject(new Error("it is there")),
    connect: () => session.connect(),
    onCreated: () => "",
  });
}

test("status shows the documented keys, two spaces, with counts that move [tool-status-02 tool-status-03 tool-status-04 tool-status-05 missed-status-1]", async () => {
  await using session = await openSession();
  const result = await session.result("status");
  assertLayout(textsOf(result)[0], 2);
  const empty = JSON.parse(textsOf(result)[0]);
  assert.deepEqual(Object.keys(empty).slice(0, 3), ["initialized", "contextPath", "cacheStats"]);
  assert.deepEqual(empty.cacheStats, { contentCount: 0, indexCount: 0 });
  assert.equal(empty.contextPath, session.path);
  assert(isAbsolute(empty.contextPath));
  await session.tool("learn", { content: "one", docid: "d" });
  await session.tool("search", { query: "one" });
  const { cacheStats } = await session.tool("status");
  assert.deepEqual(cacheStats, { contentCount: 1, indexCount: 2 });
  await session.tool("unlearn", { docid: "d" });
  assert.deepEqual((await session.tool("status")).cacheStats.indexCount, 0);
});

test("status says initialized once the index is loaded [tool-status-01 missed-status-2]", async () => {
  await using session = await openSession();
  await session.tool("learn", { content: "one" });
  assert.equal((await session.tool("status")).initialized, true);
  await session.client.disconnect();
  const client = reopened(session);
  const [early] = textsOf(await handleToolCall(client, "status", {}));
  assert.equal(JSON.parse(early).initialized, false);
  await handleToolCall(client, "search", { query: "one" });
  const [late] = textsOf(await handleToolCall(client, "status", {}));
  assert.deepEqual([JSON.parse(late).initialized, JSON.parse(late).sections], [true, 1]);
  await client.disconnect();
});

test("status adds counts, index sizes and memory [ruling-d38-1 ruling-d47-1]", async () => {
  await using session = await openSession();
  await session.tool("learn", { content: "# A\n\none\n\n# B\n\ntwo", docid: "d", replace: true });
  await session.tool("skill-learn", { name: "s", description: "d", body: "b" });
  await session.tool("agent-create", { name: "a", description: "d", persona: "p", skills: [] });
  await session.tool("rebuild");
  const status = await session.tool("status");
  const { sections, documents, skills, agents } = status;
  assert.deepEqual({ sections, documents, skills, agents }, {
    sections: 2,
    documents: 1,
    skills: 1,
    agents: 1,
  });
  assert(status.terms >= 2);
  for (const key of ["wasm_memory_bytes", "daemon_rss_bytes"]) assert(status[key] > 1_000_000);
  for (const key of ["terms_idx_bytes", "positions_idx_bytes", "corpus_dat_bytes"]) {
    assert(status.index[key] > 0, key);
  }
  assert.deepEqual(Object.keys(status.scan), ["state", "done", "total", "found"]);
  assert(["waiting", "running", "done"].includes(status.scan.state));
});

/** Tools that look after the database, with what they call. */
const CALLS: { tool: string; method: string; args?: object; passes: unknown[]; cites: string[] }[] =
  [
    {
      tool: "status",
      method: "dbStatus",
      passes: [],
      cites: ["tool-status-05", "func-call-07"],
    },
    {
      tool: "check",
      method: "integrityCheck",
      passes: [{}],
      cites: ["tool-check-01", "func-call-09"],
    },
    { tool: "gc", method: "gc", passes: [{}, {}], cites: ["tool-gc-01", "func-call-10"] },
    {
      tool: "gc",
      method: "gc",
      args: { dry_run: "true", include_standalone: 0 },
      passes: [{ dry_run: true, include_standalone: false }, {}],
      cites: ["ruling-d43-3"],
    },
    {
      tool: "rebuild",
      method: "rebuildIndexes",
      passes: [{}],
      cites: ["tool-rebuild-01", "func-call-11"],
    },
  ];

for (const { tool, method, args = {}, passes } of CALLS) {
  test(`${tool} ${JSON.stringify(args)} goes to client.${method}()`, async () => {
    const answer = { ok: true, dry_run: true, sections_checked: 5, elapsed_ms: 1 };
    const { client, calls } = fakeClient({ [method]: answer });
    const [text] = textsOf(await handleToolCall(client, tool, { ...args }));
    assert.equal(text, JSON.stringify(answer, null, 2));
    assert.deepEqual(calls, [[method, ...passes]]);
  });
}

/** A superseded section, one left behind, and what has to stay. */
async function littered(session: TestSession): Promise<void> {
  const { kbid } = await session.tool("learn", { content: "# Old\n\nfive", docid: "d" });
  await session.tool("revise", { kbid, content: "# New\n\nsix" });
  await session.tool("learn", { content: "# Gone\n\né", docid: "e", replace: true });
  await session.tool("learn", { content: "# Kept", docid: "e", replace: true });
  await session.tool("learn", { content: "alone on purpose" });
  await session.tool("skill-learn", { name: "s", description: "d", body: "b" });
  await session.tool("learn", { content: "$(link:kept)", docid: "f" });
}

test("gc takes what nothing needs, with its bytes, and leaves the rest [tool-gc-02 tool-gc-03 tool-gc-04 missed-gc-1 ruling-d13-1 ruling-d13-3]", async () => {
  await using session = await openSession();
  await littered(session);
  const planned = await session.tool("gc", { dry_run: true });
  assert.equal(planned.dry_run, true);
  assert.equal((await session.tool("recall", { kbid: idOfText("# Gone\n\né") })).heading, "Gone");
  const [text] = textsOf(await session.result("gc"));
  assertLayout(text, 2);
  const swept = JSON.parse(text);
  assert.deepEqual(Object.keys(swept).slice(0, 3), [
    "removed_sections",
    "removed_bytes",
    "elapsed_ms",
  ]);
  const bytes = bytesOf("# Old\n\nfive") + bytesOf("# Gone\n\né");
  assert.deepEqual([swept.removed_sections, swept.removed_bytes], [2, bytes]);
  assert.deepEqual(swept.sections, planned.sections);
  const reasons = swept.sections.map(({ heading, reason }: Record<string, string>) =>
    `${heading} ${reason}`
  );
  assert.deepEqual(reasons.toSorted(), ["Gone retired", "Old superseded"]);
  const again = await session.tool("gc");
  assert.deepEqual([again.removed_sections, again.removed_bytes], [0, 0]);
  assert.equal((await session.tool("search", { query: "alone" })).total, 1);
  assert.equal((await session.tool("skill-list")).length, 1);
  assert.equal((await session.tool("retrieve", { docid: "e" })).sections.length, 1);
});

test("gc takes standalone sections only where that is asked for [ruling-d13-2 ruling-d43-3]", async () => {
  await using session = await openSession();
  const { kbid } = await session.tool("learn", { content: "alone" });
  assert.equal((await session.tool("gc")).removed_sections, 0);
  const { removed_sections, sections } = await session.tool("gc", { include_standalone: "true" });
  assert.deepEqual([removed_sections, sections[0].kbid, sections[0].reason], [
    1,
    kbid,
    "standalone",
  ]);
  assert.equal((await session.tool("search", { query: "alone" })).total, 0);
});

test("gc removes nothing where a manifest cannot be read, and names it [ruling-d13-4]", async () => {
  await using session = await openSession();
  await littered(session);
  const path = pathsOf(session).document("f");
  seed(path, readFileSync(path).subarray(0, 20));
  const said = await session.failure("gc");
  assert.match(said, /documents\/\w+\/f~\w+\.toml/);
  assert.equal((await session.tool("recall", { kbid: idOfText("# Gone\n\né") })).heading, "Gone");
});

test("gc lists as much as the room holds and counts the rest [ruling-d28-1]", async () => {
  const room = 10_000;
  await using session = await openSession({ room });
  const content = Array.from({ length: 1000 }, (_, i) => `# Heading ${i} "quoted"`).join("\n\n");
  await session.tool("learn", { content, docid: "d", replace: true });
  await session.tool("learn", { content: "# One", docid: "d", replace: true });
  const result = await session.result("gc", { dry_run: true });
  assert(textBytes(result) <= room);
  const { removed_sections, sections, sections_omitted, notice } = JSON.parse(textsOf(result)[0]);
  assert.deepEqual([removed_sections, sections.length + sections_omitted], [1000, 1000]);
  assert.match(notice, /stored data.*kbdb gc --dry-run lists all/);
});

test("gc adds what the database itself left out of its list [ruling-d28-1]", async () => {
  const section = { kbid: NOBODY, heading: "h".repeat(500), type: "text/plain", bytes: 1 };
  const sections = new Array(100).fill(section);
  const { client } = fakeClient({
    gc: { removed_sections: 10_100, sections, sections_omitted: 10_000 },
  });
  const result = await handleToolCall(client, "gc", {}, { room: 10_000 });
  const shown = JSON.parse(textsOf(result)[0]);
  assert.equal(shown.sections.length + shown.sections_omitted, 10_100);
});

test("rebuild reads sections again and passes over images [tool-rebuild-03 tool-rebuild-04 missed-rebuild-1]", async () => {
  await using session = await openSession();
  await session.tool("learn", { content: "giraffe elephant", type: "text/plain" });
  await session.tool("learn", { content: "const zebra = 1", type: "text/typescript" });
  const [text] = textsOf(await session.result("rebuild"));
  assertLayout(text, 2);
  const made = JSON.parse(text);
  assert.deepEqual(Object.keys(made).slice(0, 3), [
    "sections_reindexed",
    "terms_indexed",
    "elapsed_ms",
  ]);
  assert.equal(made.sections_reindexed, 2);
  const { terms_indexed } = made;
  assert(terms_indexed >= 4);
  await session.tool("learn", { content: PIXEL, type: "image/png", title: "giraffe" });
  assert.equal((await session.tool("rebuild")).terms_indexed, terms_indexed);
  assert.equal((await session.tool("search", { query: "giraffe" })).total, 2);
});

test("rebuild makes a damaged index anew from the files [tool-rebuild-02]", async () => {
  await using session = await openSession();
  await session.tool("learn", { content: "# A\n\nparcel", docid: "d" });
  await session.tool("rebuild");
  await session.client.disconnect();
  const { indexes } = pathsOf(session);
  for (const file of readdirSync(indexes, { recursive: true, withFileTypes: true })) {
    if (file.isFile()) writeFileSync(join(file.parentPath, file.name), "no index");
  }
  const client = reopened(session);
  const made = JSON.parse(textsOf(await handleToolCall(client, "rebuild", {}))[0]);
  assert.equal(made.sections_reindexed, 1);
  const found = await handleToolCall(client, "search", { query: "parcel" });
  const { items: [item] } = JSON.parse(textsOf(found)[0]);
  assert.deepEqual([item.heading, item.docids], ["A", ["d"]]);
  await client.disconnect();
});

test("rebuild names what it left out, as far as it fits [ruling-d28-1]", async () => {
  const skipped = Array.from({ length: 500 }, (_, i) => `section ${i} is damaged`);
  const answer = { sections_reindexed: 1, terms_indexed: 1, elapsed_ms: 1, skipped };
  const { client } = fakeClient({ rebuildIndexes: answer });
  const logged: string[] = [];
  const log = (level: string, message: string) => void logged.push(`${level} ${message}`);
  const result = await handleToolCall(client, "rebuild", {}, { room: 4000, log });
  assert(textBytes(result) <= 4000);
  const shown = JSON.parse(textsOf(result)[0]);
  assert.equal(shown.skipped.length + shown.skipped_omitted, 500);
  assert.equal(logged.at(-1), "notice Indexed 1 sections again");
});

test("searches are answered while a rebuild runs [ruling-d60-1]", async () => {
  await using session = await openSession();
  const content = Array.from({ length: 1500 }, (_, i) => `# Bird ${i}\n\nheron ${i}`).join("\n\n");
  await session.tool("learn", { content, docid: "d", replace: true });
  let isDone = false;
  const rebuilt = session.tool("rebuild").finally(() => isDone = true);
  const { total } = await session.tool("search", { query: "heron" });
  assert.deepEqual([total, isDone], [1500, false]);
  await rebuilt;
});
