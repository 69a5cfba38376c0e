import assert from "node:assert/strict";
import { test } from "node:test";
import type { McpResourceResult } from "../../src/mcp/types.ts";
import { documentUri, sectionUri } from "../../src/mcp/uris.ts";
import { openSession, type TestSession } from "./session.ts";
import { NOBODY, PIXEL, pngOf } from "./tools_support.ts";

async function read(session: TestSession, uri: string): Promise<McpResourceResult["contents"]> {
  return (await session.call("resources/read", { uri }) as unknown as McpResourceResult).contents;
}

const UPDATED = "notifications/resources/updated";

test("no resource is fixed, and two templates are listed [resource-list-01 resource-template-01 resource-template-02]", async () => {
  await using session = await openSession();
  await session.tool("learn", { content: "A fact.", docid: "facts" });
  assert.deepEqual(await session.call("resources/list"), { resources: [] });
  const { resourceTemplates } = await session.call("resources/templates/list");
  assert.deepEqual(
    (resourceTemplates as Record<string, string>[]).map((
      { uriTemplate, mimeType, description },
    ) => [uriTemplate, mimeType, typeof description]),
    [
      ["kbdb://section/{kbid}", "text/plain", "string"],
      ["kbdb://document/{docid}", "application/json", "string"],
    ],
  );
});

const TEXTS = [
  {
    type: "text/markdown",
    content: "# Herons\n\nThey stand in reeds.",
    cites: ["resource-read-01"],
  },
  { type: "text/typescript", content: "const a = 1;\n\tb();", cites: ["resource-read-02"] },
  { type: "application/json", content: '{ "a": [1, 2] }', cites: ["ruling-d24-1"] },
];

for (const { type, content } of TEXTS) {
  test(`a section of ${type} is read as it is`, async () => {
    await using session = await openSession();
    const { kbid } = await session.tool("learn", { content, type });
    const uri = sectionUri(kbid);
    assert.deepEqual(await read(session, uri), [{ uri, mimeType: type, text: content }]);
  });
}

test("an image is read as blob of its type [resource-read-03 ruling-d24-2]", async () => {
  await using session = await openSession();
  const { kbid } = await session.tool("learn", {
    content: PIXEL,
    type: "image/png",
    title: "A pixel",
  });
  const uri = sectionUri(kbid);
  assert.deepEqual(await read(session, uri), [{ uri, mimeType: "image/png", blob: PIXEL }]);
});

test("a document is one JSON with its sections in order, images by address [resource-read-04 ruling-d24-3]", async () => {
  await using session = await openSession();
  const docid = "handbook";
  for (const content of ["First.", "Second."]) await session.tool("learn", { content, docid });
  const picture = { content: PIXEL, type: "image/png", title: "A pixel", docid };
  const { kbid } = await session.tool("learn", picture);
  const [entry, ...others] = await read(session, documentUri(docid));
  assert.deepEqual(others, []);
  assert.equal(entry.mimeType, "application/json");
  const document = JSON.parse(entry.text!);
  assert.deepEqual({ docid: document.docid, type: document.type }, {
    docid,
    type: "text/markdown",
  });
  assert.deepEqual(
    document.sections.map(({ content, uri }: { content?: string; uri?: string }) => content ?? uri),
    ["First.", "Second.", sectionUri(kbid)],
  );
});

test("docids of any letters have addresses [missed-resource-5]", async () => {
  await using session = await openSession();
  for (const docid of ["a/b c", "50%", "what?#now", "日本/ä", "..", "%2F", "a&b=c"]) {
    await session.tool("learn", { content: `Of ${docid}.`, docid });
    const [{ text }] = await read(session, documentUri(docid));
    assert.equal(JSON.parse(text!).docid, docid);
    const { kbid } = await session.tool("learn", { content: `Of ${docid}.` });
    assert.equal((await read(session, `kbdb://section/${kbid}`))[0].text, `Of ${docid}.`);
  }
});

test("what is not there is -32002 with its address [error-05 ruling-d21-3]", async () => {
  await using session = await openSession();
  const uris = [
    sectionUri(NOBODY),
    sectionUri("no-kbid"),
    documentUri("absent"),
    "kbdb://other/x",
    "file:///etc/passwd",
    "kbdb://section/../../etc/passwd",
    "kbdb://document/%FF",
    "kbdb://document/%00",
    "kbdb://",
  ];
  for (const uri of uris) {
    await assert.rejects(session.call("resources/read", { uri }), { code: -32002, data: { uri } });
  }
  const { kbid } = await session.tool("learn", { content: "A fact.", docid: "facts" });
  const uri = sectionUri(kbid.slice(0, 20));
  await assert.rejects(session.call("resources/read", { uri }), { code: -32002, data: { uri } });
  await session.tool("unlearn", { docid: "facts" });
  for (const gone of [sectionUri(kbid), documentUri("facts")]) {
    const refused = { code: -32002, data: { uri: gone }, message: /was removed.*kbdb restore/ };
    await assert.rejects(session.call("resources/read", { uri: gone }), refused);
  }
});

test("skills and agents are read as JSON, an old revision as it was [ruling-d24-1 resource-read-02]", async () => {
  await using session = await openSession();
  const skill = { name: "greet", description: "Greets", body: "Hello {{ who }}." };
  const { kbid } = await session.tool("skill-learn", skill);
  const agent = { name: "clerk", description: "Answers", persona: "You are a clerk." };
  const { docid } = await session.tool("agent-create", { ...agent, skills: [kbid] });
  const [section] = await read(session, sectionUri(kbid));
  assert.equal(section.mimeType, "application/json");
  assert.equal(JSON.parse(section.text!).body, skill.body);
  const document = JSON.parse((await read(session, documentUri(docid)))[0].text!);
  assert.deepEqual([document.docid, document.type, document.agent], [docid, "agent", agent]);
  assert.equal(document.sections[0].kbid, kbid);
  const first = await session.tool("learn", { content: "It is three." });
  await session.tool("revise", { kbid: first.kbid, content: "It is four." });
  assert.equal((await read(session, sectionUri(first.kbid)))[0].text, "It is three.");
});

test("what is too large is refused, naming the way [ruling-d50-4]", async () => {
  await using session = await openSession({ room: 2000 });
  const content = "Herons stand in reeds. ".repeat(100);
  const { kbid } = await session.tool("learn", { content, docid: "long" });
  const large = { content: pngOf(800_000), type: "image/png", title: "Large" };
  const image = await session.tool("learn", large);
  const ways = [
    [sectionUri(kbid), /content/],
    [documentUri("long"), /content/],
    [sectionUri(image.kbid), /kbdb retrieve/],
  ] as const;
  for (const [uri, message] of ways) {
    const refused = { code: -32002, message, data: { uri } };
    await assert.rejects(session.call("resources/read", { uri }), refused);
  }
});

test("a watched section tells of every change, and none after unsubscribe [subscribe-01 subscribe-02 subscribe-03 missed-resource-3]", async () => {
  await using session = await openSession();
  const { kbid } = await session.tool("learn", { content: "A fact.", docid: "facts" });
  const uri = sectionUri(kbid);
  const changes = [
    () => session.tool("learn", { content: "A fact.", tags: ["new"] }),
    () => session.tool("learn", { content: "A fact.", docid: "others" }),
    () => session.tool("unlearn", { kbid }),
    () => session.tool("learn", { content: "A fact." }),
    () => session.tool("revise", { kbid, content: "Another fact." }),
  ];
  assert.deepEqual(await session.call("resources/subscribe", { uri }), {});
  for (const [i, change] of changes.entries()) {
    await change();
    assert.deepEqual(await session.hears(UPDATED, i + 1), Array(i + 1).fill({ uri }), `${i}`);
  }
  assert.deepEqual(await session.call("resources/unsubscribe", { uri }), {});
  await session.tool("learn", { content: "A fact." });
  await session.tool("learn", { content: "Something else." });
  assert.equal((await session.hears(UPDATED, changes.length + 1)).length, changes.length);
});

test("a watched document tells of its sections coming and going [subscribe-03]", async () => {
  await using session = await openSession();
  const uri = documentUri("a/b");
  await session.call("resources/subscribe", { uri });
  const { kbid } = await session.tool("learn", { content: "First.", docid: "a/b" });
  const changes = [
    () => session.tool("learn", { content: "Second.", docid: "a/b" }),
    () => session.tool("unlearn", { kbid }),
    () => session.tool("unlearn", { docid: "a/b" }),
  ];
  for (const [i, change] of changes.entries()) {
    await session.hears(UPDATED, i + 1);
    await session.tool("learn", { content: `${i}`, docid: "other" });
    await change();
  }
  assert.deepEqual(await session.hears(UPDATED, 4), Array(4).fill({ uri }));
});

test("a watched agent and its skill tell of their changes [subscribe-03 notify-out-3]", async () => {
  await using session = await openSession();
  const skill = { name: "greet", description: "Greets", body: "Hello." };
  const agent = { name: "clerk", description: "Answers", persona: "You are a clerk." };
  const uri = documentUri("agent-clerk");
  await session.call("resources/subscribe", { uri });
  const { kbid } = await session.tool("skill-learn", skill);
  const changes = [
    () => session.tool("agent-create", { ...agent, skills: [kbid] }),
    () => session.tool("agent-create", { ...agent, persona: "You are brief.", skills: [kbid] }),
    () => session.tool("agent-delete", { docid: "agent-clerk" }),
  ];
  for (const [i, change] of changes.entries()) {
    await change();
    assert.deepEqual(await session.hears(UPDATED, i + 1), Array(i + 1).fill({ uri }), `${i}`);
  }
  const own = sectionUri(kbid);
  await session.call("resources/subscribe", { uri: own });
  await session.tool("skill-delete", { kbid });
  assert.deepEqual((await session.hears(UPDATED, 4)).at(-1), { uri: own });
});

test("every spelling that was subscribed to is told, each as it was given [subscribe-03]", async () => {
  await using session = await openSession();
  const uris = ["kbdb://document/a b", "kbdb://document/a%20b"].map((uri) => ({ uri }));
  for (const params of [...uris, ...uris]) await session.call("resources/subscribe", params);
  await session.tool("learn", { content: "A fact.", docid: "a b" });
  assert.deepEqual(await session.hears(UPDATED, 2), uris);
});

test("nothing is watched once nothing is subscribed to, and again from the next on [subscribe-02 ruling-d56-1]", async () => {
  await using session = await openSession();
  const { subscribe } = session.client;
  let watching = 0;
  session.client.subscribe = async (onChange) => {
    const stop = await subscribe.call(session.client, onChange);
    watching++;
    return () => {
      watching--;
      stop();
    };
  };
  const [one, two] = ["one", "two"].map((docid) => ({ uri: documentUri(docid) }));
  const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
  for (const params of [one, two]) await session.call("resources/subscribe", params);
  await session.call("resources/unsubscribe", one);
  await settled();
  assert.equal(watching, 1);
  await session.call("resources/unsubscribe", two);
  await session.call("resources/unsubscribe", two);
  await settled();
  assert.equal(watching, 0);
  await session.tool("learn", { content: "First.", docid: "two" });
  await session.call("resources/subscribe", two);
  assert.equal(watching, 1);
  await session.tool("learn", { content: "Second.", docid: "two" });
  assert.deepEqual(await session.hears(UPDATED), [two]);
  await session.call("prompts/list");
  await session.call("resources/unsubscribe", two);
  await settled();
  assert.equal(watching, 1);
});

test("an address that names nothing may be watched [missed-resource-2]", async () => {
  await using session = await openSession();
  for (const uri of ["kbdb://section/none", "test://x", "nonsense"]) {
    assert.deepEqual(await session.call("resources/subscribe", { uri }), {});
    assert.deepEqual(await session.call("resources/unsubscribe", { uri }), {});
  }
});
