import assert from "node:assert/strict";
import { test } from "node:test";
import { handleToolCall } from "../../src/mcp/handle_tool_call.ts";
import { openSession } from "./session.ts";
import {
  ADDED,
  assertLayout,
  fakeClient,
  idOfText,
  KBID,
  NOBODY,
  pagesOf,
  PIXEL,
  textBytes,
  textsOf,
} from "./tools_support.ts";

test("learn answers all keys of AddSectionResult on one line [tool-learn-01 tool-learn-10 tool-learn-11 tool-learn-12 missed-learn-1]", async () => {
  await using session = await openSession();
  const result = await session.result("learn", {
    content: "A parcel weighs 5 kg at most.",
    title: "Weights",
    description: "Limits of the post",
  });
  const [text] = textsOf(result);
  assertLayout(text, 0);
  const added = JSON.parse(text);
  assert.deepEqual(result.structuredContent, added);
  assert.deepEqual(Object.keys(added), ADDED);
  assert.match(added.kbid, KBID);
  assert.deepEqual([added.type, added.title, added.description, added.attached], [
    "text/markdown",
    "Weights",
    "Limits of the post",
    false,
  ]);
  assert(added.indexed_terms_count > 0);
  assert.equal(typeof added.elapsed_ms, "number");
});

test("learn takes text without title and description, of every kind [tool-learn-02 tool-learn-03 tool-learn-04 tool-learn-09 tool-learn-12]", async () => {
  await using session = await openSession();
  const contents: [type: string | undefined, content: string][] = [
    [undefined, "plain words"],
    ["text/markdown", "# marked words"],
    ["text/typescript", "// # no heading\nconst depot = 1;"],
    ["application/json", '{"# depot": [1]}'],
  ];
  for (const [type, content] of contents) {
    const added = await session.tool("learn", { content, ...(type ? { type } : {}) });
    assert.equal(added.type, type ?? "text/markdown");
    assert.equal(added.description, null);
    assert.equal(added.title, content === "# marked words" ? "marked words" : null);
    assert(added.indexed_terms_count > 0);
    const [stored] = await session.tool("retrieve", { kbid: added.kbid });
    assert.deepEqual([stored.content, stored.sectionType], [content, added.type]);
  }
});

test("learn makes one kbid of BOM, line ends, normal forms and outer blanks [tool-learn-07 ruling-d6-1]", async () => {
  await using session = await openSession();
  const forms = ["é one\ntwo", "\ufeffé one\r\ntwo", "e\u0301 one\rtwo", "\n\n  \né one\ntwo \n\n"];
  const kbids = new Set<string>();
  for (const content of forms) kbids.add((await session.tool("learn", { content })).kbid);
  assert.deepEqual([...kbids], [idOfText("é one\ntwo")]);
  const hello = await session.tool("learn", { content: "hello" });
  assert.equal(hello.kbid, "1cy96vmqxgmc72dt1v5b2vkrmy");
});

test("learn stores an image unchanged, found by title and description [tool-learn-08 tool-learn-13 missed-learn-6]", async () => {
  await using session = await openSession();
  const image = { type: "image/png", title: "Depot", description: "where giraffes wait" };
  const added = await session.tool("learn", { content: PIXEL, ...image });
  assert.deepEqual(Object.keys(added), ADDED);
  assert.deepEqual([added.indexed_terms_count, added.type, added.title, added.description], [
    0,
    ...Object.values(image),
  ]);
  assert.equal((await session.tool("retrieve", { kbid: added.kbid }))[0].content, PIXEL);
  for (const query of ["depot", "giraffes"]) {
    assert.equal((await session.tool("search", { query })).items[0].kbid, added.kbid);
  }
});

test("learn stores a description that search finds [missed-learn-6 tool-learn-04]", async () => {
  await using session = await openSession();
  const { kbid } = await session.tool("learn", { content: "5 kg", description: "giraffe weight" });
  assert.equal((await session.tool("search", { query: "giraffe" })).items[0].kbid, kbid);
  assert.equal((await session.tool("recall", { kbid })).description, "giraffe weight");
});

const REFUSED: { args: Record<string, unknown>; says: RegExp; cites: string[] }[] = [
  { args: {}, says: /content is missing/, cites: ["tool-learn-01"] },
  { args: { content: " \n" }, says: /the content is empty/, cites: ["ruling-d21-10"] },
  {
    args: { content: PIXEL, type: "image/png" },
    says: /^Cannot learn an image: its title is missing\. Give title\.$/,
    cites: ["tool-learn-06"],
  },
  {
    args: { content: PIXEL, type: "IMAGE/PNG", title: " " },
    says: /its title is missing/,
    cites: ["tool-learn-06"],
  },
  {
    args: { content: "a!b=", type: "image/png", title: "x" },
    says: /not valid base64/,
    cites: ["missed-learn-4"],
  },
  {
    args: { content: "aGVsbG8=", type: "image/png", title: "x" },
    says: /the content is text, not image\/png/,
    cites: ["missed-learn-5"],
  },
  {
    args: { content: "x", type: "video/mp4" },
    says: /video\/mp4: only texts and images/,
    cites: ["missed-learn-5"],
  },
  {
    args: { content: "x", type: "nonsense" },
    says: /not a MIME type\. Use text/,
    cites: ["missed-learn-5"],
  },
  { args: { content: "{}", type: "skill" }, says: /use skill-learn/, cites: ["missed-learn-5"] },
  { args: { content: "x", type: "agent" }, says: /use agent-create/, cites: ["missed-learn-5"] },
  { args: { content: "x", replace: true }, says: /docid is missing/, cites: ["ruling-d43-1"] },
  { args: { content: "x", docid: "d".repeat(513) }, says: /513 bytes/, cites: ["ruling-d7-1"] },
  {
    args: { content: "x".repeat(16 * 1024 * 1024 + 1) },
    says: /over the limit of 16777216/,
    cites: ["ruling-d57-2"],
  },
];

for (const { args, says } of REFUSED) {
  test(`learn refuses ${JSON.stringify(args).slice(0, 60)} and stores nothing`, async () => {
    await using session = await openSession();
    const { structuredContent, isError, ...result } = await session.result("learn", args);
    assert.deepEqual([isError, structuredContent], [true, undefined]);
    assert.match(textsOf(result)[0], says);
    assert.equal((await session.tool("status")).sections, 0);
  });
}

test("learn skips what is there and attaches it where a docid is new [tool-learn-05 tool-learn-14 tool-learn-15 tool-learn-16 missed-learn-2 missed-learn-3 ruling-d43-13]", async () => {
  await using session = await openSession();
  const content = "A parcel.";
  const first = await session.tool("learn", { content });
  assert.deepEqual([first.attached, "existing" in first, "docid" in first], [false, false, false]);
  const again = await session.tool("learn", { content });
  assert.deepEqual([again.kbid, again.attached, again.existing, again.indexed_terms_count], [
    first.kbid,
    false,
    true,
    0,
  ]);
  assert.equal("warnings" in again || "sections" in again || "docid" in again, false);
  const joined = await session.tool("learn", { content, docid: "d" });
  assert.deepEqual([joined.attached, joined.existing, joined.docid, joined.indexed_terms_count], [
    true,
    true,
    "d",
    0,
  ]);
  const twice = await session.tool("learn", { content, docid: "d" });
  assert.deepEqual([twice.attached, twice.existing], [false, true]);
  await session.tool("learn", { content, docid: "e" });
  assert.deepEqual((await session.tool("recall", { kbid: first.kbid })).docids, ["d", "e"]);
  assert.equal((await session.tool("status")).sections, 1);
  assert.equal((await session.tool("retrieve", { docid: "d" })).sections.length, 1);
  const fresh = await session.tool("learn", { content: "Another.", docid: "d" });
  assert.deepEqual([fresh.attached, "existing" in fresh], [true, false]);
});

test("learn goes to addSection() with type as sectionType, nothing unknown [tool-learn-17 func-call-03 ruling-d20-3]", async () => {
  const answer = { kbid: NOBODY, type: "text/plain", attached: false };
  const { client, calls } = fakeClient({ addSection: answer });
  const args = {
    content: "x",
    type: "text/plain",
    docid: "d",
    tags: "a",
    other: 1,
    sectionType: "z",
  };
  const [text] = textsOf(await handleToolCall(client, "learn", args));
  assert.deepEqual(JSON.parse(text), answer);
  const params = { content: "x", docid: "d", tags: ["a"], sectionType: "text/plain" };
  assert.deepEqual(calls, [["addSection", params, {}]]);
});

test("learn splits a text of several headings, kbid the first section's [ruling-d10-1 ruling-d10-2]", async () => {
  await using session = await openSession();
  const content = "# A\n\none\n\n# B\n\ntwo";
  const added = await session.tool("learn", { content, title: "Letters" });
  assert.deepEqual(added.sections, [
    { kbid: idOfText("# A\n\none"), heading: "A", type: "text/markdown" },
    { kbid: idOfText("# B\n\ntwo"), heading: "B", type: "text/markdown" },
  ]);
  assert.deepEqual([added.kbid, added.title], [added.sections[0].kbid, "Letters"]);
  assert.equal((await session.tool("content", { ids: [added.docid] })).data, content);
  const again = await session.tool("learn", { content, title: "Letters" });
  assert.deepEqual([again.docid, again.existing], [added.docid, true]);
});

test("learn adds to a document, or takes its place with replace [ruling-d11-1 ruling-d11-2 ruling-d43-1]", async () => {
  await using session = await openSession();
  for (const content of ["one", "two"]) await session.tool("learn", { content, docid: "d" });
  const kbids = async () => {
    const { sections } = await session.tool("retrieve", { docid: "d" });
    return sections.map(({ kbid }: { kbid: string }) => kbid);
  };
  assert.deepEqual(await kbids(), [idOfText("one"), idOfText("two")]);
  await session.tool("learn", { content: "# A\n\n# B", docid: "d", replace: true });
  assert.deepEqual(await kbids(), [idOfText("# A"), idOfText("# B")]);
  await session.tool("learn", { content: "# B\n\n# C", docid: "d", replace: "true" });
  assert.deepEqual(await kbids(), [idOfText("# B"), idOfText("# C")]);
  assert.equal((await session.tool("search", { query: "one two" })).total, 0);
});

test("learn keeps tags and source, and says where a source has no place [ruling-d43-1 ruling-d29-2]", async () => {
  await using session = await openSession();
  const facts = { tags: ["a", "b"], source: "https://example.org/x" };
  const joined = await session.tool("learn", { content: "one", docid: "d", ...facts });
  const { tags, sources } = await session.tool("recall", { kbid: joined.kbid });
  assert.deepEqual([tags, sources, joined.warnings], [facts.tags, [facts.source], undefined]);
  const alone = await session.tool("learn", { content: "two", ...facts });
  assert.deepEqual(alone.warnings, [
    "The source was not kept: only documents have one. Give a docid, too.",
  ]);
});

test("learn keeps the first type and title of a content, merges tags, tells differences [ruling-d40-1]", async () => {
  await using session = await openSession();
  const content = "const x = 1;";
  const first = { content, type: "text/typescript", title: "One", tags: ["a"] };
  const { kbid } = await session.tool("learn", first);
  const second = { content, type: "text/plain", title: "Two", tags: ["b"] };
  const { warnings, existing } = await session.tool("learn", second);
  assert.equal(existing, true);
  assert.match(warnings.join(" "), /type.*text\/typescript|text\/typescript.*type/);
  assert.match(warnings.join(" "), /title/);
  const { type, heading, tags } = await session.tool("recall", { kbid });
  assert.deepEqual([type, heading, tags], ["text/typescript", "One", ["a", "b"]]);
});

test("learn refuses a content that is stored as a skill [ruling-d40-2]", async () => {
  await using session = await openSession();
  const skill = { name: "greet", description: "Greets", body: "Hello" };
  const { kbid } = await session.tool("skill-learn", skill);
  const [{ content }] = await session.tool("retrieve", { kbid });
  const said = await session.failure("learn", { content, type: "application/json" });
  assert.match(said, /its content is stored as a skill, and one content is one thing/);
});

test("learn stores a secret and warns of its kind, not of its text [missed-secret-1 ruling-d34-1]", async () => {
  await using session = await openSession();
  const key = `AKIA${"Q3EGRIZ5KJ7XW2PM"}`;
  await session.call("logging/setLevel", { level: "warning" });
  const { kbid, warnings } = await session.tool("learn", { content: `The key is ${key}.` });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /AWS access key.*It is stored/);
  assert.equal(warnings[0].includes(key), false);
  assert.match((await session.tool("recall", { kbid })).content, new RegExp(key));
  const [logged] = await session.hears("notifications/message");
  assert.deepEqual([logged.level, logged.data], ["warning", warnings[0]]);
});

test("learn of thousands of headings keeps to the room, and retrieve lists them [ruling-d28-1]", async () => {
  const room = 10_000;
  await using session = await openSession({ room });
  const texts = Array.from({ length: 3000 }, (_, i) => `# Heading ${i}`);
  const result = await session.result("learn", { content: texts.join("\n\n") });
  assert(textBytes(result) <= room);
  const { sections, sections_omitted, notice, docid } = JSON.parse(textsOf(result)[0]);
  assert.equal(sections.length + sections_omitted, 3000);
  assert.match(notice, /more of sections do not fit\. retrieve with the docid lists all/);
  const kbids: string[] = [];
  for await (const page of pagesOf(session, { tool: "retrieve", args: { docid }, room })) {
    kbids.push(...page.sections.map(({ kbid }: { kbid: string }) => kbid));
  }
  assert.deepEqual(kbids, texts.map(idOfText));
});

test("learn repeats no title or description without end [ruling-d28-1]", async () => {
  await using session = await openSession();
  const long = "d".repeat(200_000);
  const result = await session.result("learn", { content: "x", title: long, description: long });
  assert(textBytes(result) < 4000);
  assert.match(JSON.parse(textsOf(result)[0]).notice, /shortened/);
});

test("docids are data, never paths [ruling-d7-1 ruling-d29-3]", async () => {
  await using session = await openSession();
  const docids = ["../../up", "/etc/passwd", "a\\b", "NUL", "é 🐘 %2F # ?", '"}', "d".repeat(512)];
  for (const docid of docids) {
    const { kbid } = await session.tool("learn", { content: `in ${docid}`, docid });
    const { sections } = await session.tool("retrieve", { docid });
    assert.deepEqual(sections.map(({ kbid }: { kbid: string }) => kbid), [kbid]);
  }
  assert.equal((await session.tool("check")).ok, true);
  assert.equal((await session.tool("status")).documents, docids.length);
});
