import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { handleToolCall } from "../../src/mcp/handle_tool_call.ts";
import { openSession } from "./session.ts";
import {
  assertLayout,
  fakeClient,
  frameBytes,
  idOfText,
  NOBODY,
  pagesOf,
  pathsOf,
  PIXEL,
  pngOf,
  seed,
  textBytes,
  textsOf,
} from "./tools_support.ts";

test("retrieve by kbid is an array of the section as it is stored, with its bytes [tool-retrieve-01 tool-retrieve-05 missed-retrieve-2 ruling-d19-3]", async () => {
  await using session = await openSession();
  const content = "é 🐘";
  const { kbid } = await session.tool("learn", { content, title: "Animals", docid: "zoo" });
  const result = await session.result("retrieve", { kbid });
  const [text, ...more] = textsOf(result);
  assertLayout(text, 2);
  const expected = [{ kbid, sectionType: "text/markdown", content, size: 7 }];
  assert.deepEqual(JSON.parse(text), expected);
  assert.deepEqual(Object.keys(JSON.parse(text)[0]), Object.keys(expected[0]));
  assert.deepEqual([result.structuredContent, more], [{ result: expected }, []]);
  const image = await session.tool("learn", { content: PIXEL, type: "image/png", title: "Dot" });
  const stored = { kbid: image.kbid, sectionType: "image/png", content: PIXEL, size: 70 };
  assert.deepEqual(await session.tool("retrieve", { kbid: image.kbid }), [stored]);
});

test("retrieve by docid is the document's record [tool-retrieve-02 tool-retrieve-06 missed-retrieve-3 ruling-d29-1]", async () => {
  await using session = await openSession();
  const [a, b] = ["# A\n\none", "# B\n\ntwo"];
  await session.tool("learn", { content: `${a}\n\n${b}`, docid: "d", replace: true, source: "s" });
  const result = await session.result("retrieve", { docid: "d" });
  assertLayout(textsOf(result)[0], 2);
  const { created_at, updated_at, notice, ...record } = JSON.parse(textsOf(result)[0]);
  assert.deepEqual(record, {
    docid: "d",
    title: "A",
    type: "text/markdown",
    source: "s",
    sections: [
      { kbid: idOfText(a), heading: "A", type: "text/markdown" },
      { kbid: idOfText(b), heading: "B", type: "text/markdown" },
    ],
  });
  assert.match(created_at, /Z$/);
  assert.equal(updated_at, created_at);
  assert.match(notice, /stored data/);
});

test("retrieve wants kbid or docid, and knows what it is given [tool-retrieve-04 missed-retrieve-1 ruling-d21-10]", async () => {
  await using session = await openSession();
  for (const args of [{}, { kbid: null }, { other: 1 }]) {
    assert.equal(await session.failure("retrieve", args), "Provide kbid or docid");
  }
  assert.equal(await session.failure("retrieve", { kbid: NOBODY }), `Section not found: ${NOBODY}`);
  assert.equal(await session.failure("retrieve", { docid: "no" }), "Document not found: no");
  await session.tool("learn", { content: "x", docid: "d" });
  for (const cursor of ["x", "-1", "1", "0.5", " "]) {
    assert.match(await session.failure("retrieve", { docid: "d", cursor }), /cursor is none/);
  }
});

test("retrieve goes to readSections() or retrieveDocument() [tool-retrieve-07 func-call-05]", async () => {
  const section = { kbid: NOBODY, sectionType: "text/plain", content: "x", size: 1 };
  const record = { docid: "d", title: null, sections: [] };
  const { client, calls } = fakeClient({ readSections: [section], retrieveDocument: record });
  const [byKbid] = textsOf(await handleToolCall(client, "retrieve", { kbid: NOBODY }));
  assert.deepEqual(JSON.parse(byKbid), [section]);
  const [byDocid] = textsOf(await handleToolCall(client, "retrieve", { docid: "d" }));
  assert.equal(JSON.parse(byDocid).docid, "d");
  assert.deepEqual(calls, [["readSections", [NOBODY]], ["retrieveDocument", "d"]]);
});

test("retrieve pages a document of thousands of sections [ruling-d28-1 tool-retrieve-06]", async () => {
  const room = 30_000;
  await using session = await openSession({ room });
  const headings = Array.from({ length: 2000 }, (_, i) => `Part ${i} "quoted" é`);
  const content = headings.map((heading) => `# ${heading}`).join("\n\n");
  const learned = await session.result("learn", { content, docid: "big", replace: true });
  assert(textBytes(learned) <= room);
  const found: string[] = [];
  for await (
    const page of pagesOf(session, { tool: "retrieve", args: { docid: "big" }, room })
  ) {
    assert.equal(page.docid, "big");
    found.push(...page.sections.map(({ heading }: { heading: string }) => heading));
    assert.equal(found.length + (page.sections_omitted ?? 0), 2000);
    assert.match(page.notice, page.cursor ? /stored data.*Go on with the cursor/ : /stored data/);
  }
  assert.deepEqual(found, headings);
});

test("retrieve goes on past a heading and a source without end [ruling-d28-1]", async () => {
  await using session = await openSession();
  const long = "h".repeat(200_000);
  const content = `# ${long}\n\n# Two\n\n# Three`;
  const args = { content, docid: "d", replace: true, source: long };
  assert(textBytes(await session.result("learn", args)) <= 80_000);
  const found: string[] = [];
  const call = { tool: "retrieve", args: { docid: "d" }, room: 80_000 };
  for await (const { sections, notice } of pagesOf(session, call)) {
    found.push(...sections.map(({ heading }: { heading: string }) => heading));
    assert.match(notice, /shortened/);
  }
  assert.deepEqual(found, [`${"h".repeat(1000)}…`, "Two", "Three"]);
});

test("retrieve leaves a stub for a section that no reply holds [ruling-d50-1 ruling-d28-1]", async () => {
  await using session = await openSession({ room: 4000 });
  const { kbid } = await session.tool("learn", { content: `# Long\n\n${"x ".repeat(3000)}end` });
  const [stub] = await session.tool("retrieve", { kbid });
  const { sectionType: _, size, way, ...rest } = stub;
  const about = { kbid, heading: "Long", type: "text/markdown", bytes: 6011, omitted: true };
  assert.deepEqual([rest, size], [about, 6011]);
  assert.match(way, /in parts with content/);
  for (
    const [bytes, says] of [[5000, /See it with recall/], [700_001, /kbdb retrieve /]] as const
  ) {
    const image = { content: pngOf(bytes), type: "image/png", title: "Map" };
    const { kbid } = await session.tool("learn", image);
    const [{ heading, way, content }] = await session.tool("retrieve", { kbid });
    assert.deepEqual([heading, content], ["Map", undefined]);
    assert.match(way, says);
  }
});

test("content composes kbids and docids into one Markdown text [tool-content-01 tool-content-02 missed-content-1 ruling-d29-1]", async () => {
  await using session = await openSession();
  const { kbid } = await session.tool("learn", { content: "alone" });
  await session.tool("learn", { content: "# A\n\none\n\n# B\n\ntwo", docid: "d", replace: true });
  const result = await session.result("content", { ids: ["d", kbid] });
  const [text] = textsOf(result);
  assertLayout(text, 0);
  const value = JSON.parse(text);
  assert.deepEqual(Object.keys(value).slice(0, 3), ["type", "data", "total"]);
  const { notice, ...rest } = value;
  const data = "# A\n\none\n\n# B\n\ntwo\n\nalone";
  assert.deepEqual(rest, { type: "text/markdown", data, total: data.length });
  assert.match(notice, /stored data/);
  assert.deepEqual(result.structuredContent, value);
});

test("content counts code points [tool-content-03 missed-content-3 ruling-d50-3]", async () => {
  await using session = await openSession();
  const { kbid } = await session.tool("learn", { content: "é🐘x" });
  const { data, total, total_all } = await session.tool("content", { ids: [kbid] });
  assert.deepEqual([data, total, total_all], ["é🐘x", 3, undefined]);
});

test("content names what is not there, in place and in a list [missed-content-2]", async () => {
  await using session = await openSession();
  const { kbid } = await session.tool("learn", { content: "here" });
  const { data, missing } = await session.tool("content", { ids: ["gone", kbid, NOBODY] });
  assert.deepEqual(missing, ["gone", NOBODY]);
  assert.match(data, /Document not found: gone.*\n\nhere\n\n.*not found: 1cy96/s);
  assert.equal(await session.failure("content", { ids: ["gone"] }), "Document not found: gone");
  assert.match(await session.failure("content", {}), /ids is missing/);
  assert.match(await session.failure("content", { ids: [] }), /give at least one id/);
});

test("content expands includes, cuts circles and renders markers outside of code [ruling-d16-1 ruling-d16-2]", async () => {
  await using session = await openSession();
  await session.tool("learn", { content: "Ring $(include:two)", docid: "one" });
  await session.tool("learn", { content: "of $(include:one)", docid: "two" });
  const ring = await session.tool("content", { ids: ["one"] });
  assert.match(ring.data, /^Ring of .*\[kbdb: /s);
  const code = { content: "let x = 1;", type: "text/typescript", title: "x.ts" };
  const image = { content: PIXEL, type: "image/png", title: "Dot" };
  const [x, dot] = [await session.tool("learn", code), await session.tool("learn", image)];
  await session.tool("learn", {
    content: `$(link:one|Ring) $(image:${dot.kbid})\n\n$(code:${x.kbid})\n\n\`$(link:one)\``,
    docid: "all",
  });
  const { data } = await session.tool("content", { ids: ["all"] });
  assert.match(data, /\[Ring\]\(kbdb:\/\/(section|document)\/\w+\)/);
  assert.match(data, new RegExp(`!\\[Dot\\]\\(data:image/png;base64,${PIXEL.slice(0, 20)}`));
  assert.match(data, /```(ts|typescript)\nlet x = 1;\n```/);
  assert.match(data, /`\$\(link:one\)`/);
});

test("recall shows relative links and wiki links as references [ruling-d16-3]", async () => {
  await using session = await openSession();
  await session.tool("learn", { content: "# Post", docid: "n/post.md" });
  const text = { content: "[post](post.md) and [[Post]]", docid: "n/index.md" };
  const { kbid } = await session.tool("learn", text);
  const { references } = await session.tool("recall", { kbid, depth: 2 });
  const kinds = references.map((entry: Record<string, string>) => [entry.marker_type, entry.kbid]);
  const post = idOfText("# Post");
  assert.deepEqual(kinds, [["mdlink", post], ["wikilink", post]]);
});

test("content comes in parts that make the whole, under the room [ruling-d28-5 ruling-d50-3 ruling-d28-1 client-result-6]", async () => {
  const room = 10_000;
  await using session = await openSession({ room });
  const parts = Array.from(
    { length: 300 },
    (_, i) => `# Part ${i}\n\n${'"é🐘\\\u0001'.repeat(i)}.`,
  );
  await session.tool("learn", { content: parts.join("\n\n"), docid: "big", replace: true });
  let whole = "";
  let total = 0;
  for await (const part of pagesOf(session, { tool: "content", args: { ids: ["big"] }, room })) {
    assert.equal(part.total, [...part.data].length);
    whole += part.data;
    total = part.total_all;
    if (part.cursor) assert.match(part.notice, /goes on: send the cursor/);
  }
  assert.equal(whole, parts.join("\n\n"));
  assert.equal(total, [...whole].length);
  const other = {
    ids: ["big", "big"],
    cursor: (await session.tool("content", { ids: ["big"] })).cursor,
  };
  assert.match(await session.failure("content", other), /cursor/);
});

test("content at the default room stays in the frame [ruling-d28-2 client-result-7]", async () => {
  await using session = await openSession();
  const { kbid } = await session.tool("learn", { content: `${'\\"\n'.repeat(100_000)}.` });
  const result = await session.result("content", { ids: [kbid] });
  assert(textBytes(result) <= 80_000 && textBytes(result) > 50_000);
  assert(frameBytes(result) < 1_000_000);
});

test("content goes to client.content() [tool-content-04 func-call-08]", async () => {
  const answer = { type: "text/markdown", data: "x", total: 1 };
  const { client, calls } = fakeClient({ content: answer });
  const result = await handleToolCall(client, "content", { ids: ["a", "b"], cursor: "c" });
  assert.equal(JSON.parse(textsOf(result)[0]).data, "x");
  const [name, ids, { max_bytes, ...options }] = calls[0] as [string, string[], {
    max_bytes: number;
  }];
  assert.deepEqual([name, ids, options], ["content", ["a", "b"], { cursor: "c" }]);
  assert(max_bytes < 80_000);
});

test("content refuses more than 1,000 ids [ruling-d57-4]", async () => {
  await using session = await openSession();
  const ids = new Array(1001).fill("d");
  assert.match(await session.failure("content", { ids }), /the limit is 1000/);
});

test("history lists revisions oldest first, removed ones too [ruling-d43-11 ruling-d43-12 ruling-d49-3]", async () => {
  await using session = await openSession();
  const one = (await session.tool("learn", { content: "# Rule\n\n5 kg" })).kbid;
  const two = (await session.tool("revise", { kbid: one, content: "# Rule\n\n6 kg" })).kbid;
  const { current, revisions } = await session.tool("history", { kbid: one });
  assert.equal(current, two);
  for (const { created_at } of revisions) assert.match(created_at, /Z$/);
  const facts = revisions.map(({ created_at: _, ...rest }: Record<string, unknown>) => rest);
  assert.deepEqual(facts, [
    { kbid: one, heading: "Rule", current: false, removed: false },
    { kbid: two, heading: "Rule", current: true, removed: false },
  ]);
  assert.deepEqual(Object.keys(revisions[0]), [
    "kbid",
    "heading",
    "created_at",
    "current",
    "removed",
  ]);
  assert.deepEqual((await session.tool("history", { kbid: two })).revisions, revisions);
  await session.tool("gc");
  const later = await session.tool("history", { kbid: two });
  assert.deepEqual(later.revisions.map(({ removed }: { removed: boolean }) => removed), [
    true,
    false,
  ]);
  assert.match(await session.failure("recall", { kbid: one }), new RegExp(`kbdb restore ${one}`));
  assert.match(await session.failure("history", {}), /kbid is missing/);
  assert.match(await session.failure("history", { kbid: NOBODY }), /not found/i);
});

test("what was edited outside is left out and named (D47)", async () => {
  await using session = await openSession();
  const { kbid } = await session.tool("learn", { content: "a parcel" });
  const path = pathsOf(session).section(kbid);
  seed(path, `${readFileSync(path, "utf8")}!`);
  const said = await session.failure("recall", { kbid });
  assert.match(said, /its bytes no longer give its id/);
});
