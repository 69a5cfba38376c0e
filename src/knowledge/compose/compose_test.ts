import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import type { ContentParams, ContentResult } from "../../rpc/reading.ts";
import { agentCreate } from "../prompts/agents.ts";
import { content } from "./compose.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import { skillLearn } from "../prompts/skills.ts";
import { idOfText, learn, newBase, newKey, paths, unlearnOne } from "../testing.ts";

const compose = (base: KnowledgeBase, params: ContentParams): Promise<ContentResult> =>
  base.run((parts) => content(parts, params));

async function textOf(base: KnowledgeBase, ...ids: string[]): Promise<string> {
  const { type, data, total, ...rest } = await compose(base, { ids });
  assert.deepEqual([type, total, rest], ["text/markdown", [...data].length, {}]);
  return data;
}

/** The text of a section that is learned for it. */
async function composed(base: KnowledgeBase, text: string): Promise<string> {
  const { kbid } = await learn(base, { content: text });
  return await textOf(base, kbid);
}

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("content() joins kbids and docids in order by a blank line", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "# Alone\n\ntext" });
  await learn(base, { content: "# One\n\n1\n\n# Two\n\n2", docid: "a/b.md", document: true });
  assert.equal(
    await textOf(base, "a/b.md", kbid, kbid),
    "# One\n\n1\n\n# Two\n\n2\n\n# Alone\n\ntext\n\n# Alone\n\ntext",
  );
});

test("content() of a document is its source byte for byte (D9)", async () => {
  const { base } = await newBase();
  const sources = [
    "---\ntitle: X\n---\n\n# A\n\n\n\ntext\n## B\n\n`$(link:x)` é 🐘\n\n\n# A\nend",
    "intro\n\nSetext\n===\n\n\n\n\ntext\n---\n\n- # no section",
    "# Same\n\n# Same\n\n# Same",
  ];
  for (const [i, source] of sources.entries()) {
    await learn(base, { content: source, docid: `d${i}`, document: true });
    assert.equal(await textOf(base, `d${i}`), source);
  }
});

test("content() counts characters as Unicode does (D50)", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "a é 🐘 👨‍👩‍👧" });
  const { data, total } = await compose(base, { ids: [kbid] });
  assert.equal(total, 11);
  assert.equal(total, [...data].length);
});

test("content() names unknown ids in the text and beside it", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "one" });
  const { kbid: removed } = await learn(base, { content: "two" });
  await unlearnOne(base, { kbid: removed });
  const unknown = idOfText("other");
  const ids = [unknown, kbid, "no_such", removed];
  const { data, missing } = await compose(base, { ids });
  assert.deepEqual(missing, [unknown, "no_such", removed]);
  assert.equal(
    data,
    [
      `*[kbdb: Section not found: ${unknown}]*`,
      "one",
      "*[kbdb: Document not found: no\\_such]*",
      `*[kbdb: Section ${removed} was removed. Bring it back with: kbdb restore ${removed}]*`,
    ].join("\n\n"),
  );
});

test("content() refuses no ids, and ids none of which is stored", async () => {
  const { base } = await newBase();
  await assert.rejects(compose(base, { ids: [] }), /^KbdbError: Cannot compose: give at least one/);
  await assert.rejects(compose(base, { ids: ["x"] }), /^KbdbError: Document not found: x$/);
  await assert.rejects(
    compose(base, { ids: ["x", "y"] }),
    /^KbdbError: Cannot compose: none of the 2 ids is stored: x, y$/,
  );
});

test("content() names a section that cannot be read", async () => {
  const { base, files } = await newBase();
  await learn(base, { content: "# One\n\n# Two", docid: "d", document: true });
  files.remove(paths.section(idOfText("# Two")));
  assert.equal(
    await textOf(base, "d"),
    `# One\n\n*[kbdb: section ${idOfText("# Two")} cannot be read: its file is missing]*`,
  );
});

test("content() renders links with their label, heading or id", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "# The [best] *way*" });
  const { kbid: bare } = await learn(base, { content: "bare" });
  await learn(base, { content: "# Doc\n\n# Part two", docid: "a b/c#d%?.md", document: true });
  const cases: [marker: string, text: string][] = [
    [`$(link:${kbid})`, `[The \\[best\\] way](kbdb://section/${kbid})`],
    [`$(link:${kbid}|see [1](x))`, `[see \\[1\\](x](kbdb://section/${kbid}))`],
    [`$(link:${bare})`, `[${bare}](kbdb://section/${bare})`],
    ["$(link:a b/c#d%?.md)", "[Doc](kbdb://document/a%20b%2Fc%23d%25%3F.md)"],
    [
      "$(link:a b/c#d%?.md#part-two)",
      "[Part two](kbdb://document/a%20b%2Fc%23d%25%3F.md#part-two)",
    ],
    [`[x]($(link:${kbid}))`, `[x](kbdb://section/${kbid})`],
  ];
  for (const [marker, text] of cases) {
    assert.equal(await composed(base, `a ${marker} b`), `a ${text} b`, marker);
  }
});

test("content() expands includes, also inside each other", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "inner $(link:d)" });
  await learn(base, { content: `# D\n\n$(include:${kbid})\n\n# E`, docid: "d", document: true });
  const inner = "inner [D](kbdb://document/d)";
  assert.equal(await composed(base, `a $(include:${kbid}) b`), `a ${inner} b`);
  assert.equal(await composed(base, "x\n\n$(include:d)"), `x\n\n# D\n\n${inner}\n\n# E`);
  assert.equal(await composed(base, "$(include:d#e) only"), "# E only");
});

test("content() keeps an include inside its quote or list", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "one\n\ntwo" });
  assert.equal(
    await composed(base, `> $(include:${kbid})\n\n- $(include:${kbid})\n- end`),
    "> one\n\n> two\n\n- one\n\n  two\n- end",
  );
});

test("content() cuts cycles with a note", async () => {
  const { base } = await newBase();
  await learn(base, { content: "A $(include:b)", docid: "a", document: true });
  await learn(base, { content: "B $(include:a)", docid: "b", document: true });
  const cut = "*[kbdb: a is not included again: it would include itself]*";
  assert.equal(await textOf(base, "a"), `A B ${cut}`);
  assert.match(await textOf(base, idOfText("A $(include:b)")), /^A B .*itself\]\*$/);
  await learn(base, { content: "self $(include:c)", docid: "c", document: true });
  assert.match(await textOf(base, "c"), /^self \*\[kbdb: c is not included again: /);
});

test("content() bounds depth", async () => {
  const { base } = await newBase();
  for (let i = 0; i < 40; i++) {
    await learn(base, { content: `${i} $(include:d${i + 1})`, docid: `d${i}`, document: true });
  }
  assert.match(await textOf(base, "d0"), /^0 1 2 .* \*\[kbdb: d\d+ is not included: it is nested/);
});

test("content() bounds what includes of includes add up to", async () => {
  const { base } = await newBase();
  await learn(base, { content: "ha ".repeat(50_000), docid: "l0", document: true });
  for (let i = 1; i < 8; i++) {
    const content = `${i} ` + `$(include:l${i - 1}) `.repeat(10);
    await learn(base, { content, docid: `l${i}`, document: true });
  }
  const { data, notice } = await compose(base, { ids: ["l7"], max_bytes: 100_000 });
  assert.ok(data.length <= 100_000);
  assert.match(notice!, /Some markers were left as they are/);
});

test("content() shows images, and names those that are too large", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: PIXEL, type: "image/png", title: "A [dot]" });
  const uri = `data:image/png;base64,${PIXEL}`;
  assert.equal(await textOf(base, kbid), `![A \\[dot\\]](${uri})`);
  assert.equal(await composed(base, `x $(image:${kbid}|the dot)`), `x ![the dot](${uri})`);
  assert.equal(await composed(base, `![a]($(image:${kbid}))`), `![a](${uri})`);
  const large = Buffer.concat([Buffer.from(PIXEL, "base64"), Buffer.alloc(300_000)]);
  const picture = { content: large.toString("base64"), type: "image/png", title: "Big" };
  const { kbid: big } = await learn(base, picture);
  assert.equal(
    await textOf(base, big),
    `*[kbdb: Big is an image of ${large.length} bytes, too large to be shown here]* ` +
      `[Big](kbdb://section/${big})`,
  );
});

test("content() shows code in its language, in a fence that is long enough", async () => {
  const { base } = await newBase();
  const code = "def f():\n    return '```'";
  const { kbid } = await learn(base, { content: code, type: "text/x-python", title: "f" });
  const fenced = `\`\`\`\`python\n${code}\n\`\`\`\``;
  assert.equal(await textOf(base, kbid), fenced);
  assert.equal(await composed(base, `$(code:${kbid})`), fenced);
  assert.equal(await composed(base, `so:\n$(code:${kbid})\nend`), `so:\n${fenced}\nend`);
  assert.equal(await composed(base, `so: $(code:${kbid}) end`), `so: \n\n${fenced}\n end`);
  assert.equal(
    await composed(base, `- $(code:${kbid})`),
    `- ${fenced.replaceAll("\n", "\n  ")}`,
  );
  const { kbid: json } = await learn(base, { content: '{"a": 1}', type: "application/json" });
  assert.equal(await textOf(base, json), '```json\n{"a": 1}\n```');
});

test("content() leaves broken markers as they are, with a note", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "text" });
  const cases: [marker: string, note: string][] = [
    ["$(link:nowhere)", "nowhere is not stored"],
    ["$(include:nowhere|x)", "nowhere is not stored"],
    [`$(image:${kbid})`, `${kbid} is no image but text/markdown`],
    [`$(code:${kbid})`, `${kbid} is no code but text/markdown`],
  ];
  for (const [marker, note] of cases) {
    assert.equal(await composed(base, `a ${marker} b`), `a ${marker} *[kbdb: ${note}]* b`);
  }
});

test("content() leaves markers inside code alone", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "text" });
  const code = `\`$(include:${kbid})\`\n\n\`\`\`\n$(include:${kbid})\n\`\`\``;
  assert.equal(await composed(base, code), code);
});

test("content() shows skills and agents", async () => {
  const { base } = await newBase();
  const skill = { name: "sum-up", description: "Sums up", body: "Sum up {{ text }}" };
  const { kbid } = await base.run((parts) => skillLearn(parts, { key: newKey(), ...skill }));
  const agent = { name: "reader", description: "Reads", persona: "You read.\n\nA lot." };
  await base.run((parts) => agentCreate(parts, { key: newKey(), ...agent, skills: [kbid] }));
  assert.match(await textOf(base, kbid), /^```json\n\{[^]*"sum-up"[^]*\n```$/);
  assert.equal(
    await textOf(base, "agent-reader"),
    `# reader\n\nReads\n\nYou read.\n\nA lot.\n\n- [sum-up](kbdb://section/${kbid})`,
  );
});

/** All parts of a text, each within its limit. */
async function partsOf(base: KnowledgeBase, params: ContentParams): Promise<ContentResult[]> {
  const pages: ContentResult[] = [];
  let cursor: string | undefined;
  while (true) {
    const page = await compose(base, { ...params, ...(cursor ? { cursor } : {}) });
    pages.push(page);
    assert.ok(Buffer.byteLength(page.data) <= params.max_bytes!);
    assert.equal(page.total, [...page.data].length);
    assert.equal(page.notice !== undefined, page.cursor !== undefined);
    if (page.cursor === undefined) return pages;
    cursor = page.cursor;
  }
}

test("content() gives a long text in parts that join to the whole", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "inner 🐘 text" });
  const source = Array.from({ length: 40 }, (_, i) => `# S${i}\n\né ${i} $(include:${kbid})`);
  await learn(base, { content: source.join("\n\n"), docid: "d", document: true });
  const whole = await textOf(base, "d", kbid, "d");
  for (const max_bytes of [64, 100, 1000, 1500]) {
    const pages = await partsOf(base, { ids: ["d", kbid, "d"], max_bytes });
    assert.equal(pages.map(({ data }) => data).join(""), whole);
    for (const { total_all } of pages) assert.equal(total_all, [...whole].length);
  }
});

test("content() without a limit still fits into a frame (D57)", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "\u0001".repeat(6 << 20), type: "text/plain" });
  const first = await compose(base, { ids: [kbid] });
  assert.ok(JSON.stringify(first).length < 30 << 20);
  const second = await compose(base, { ids: [kbid], cursor: first.cursor });
  assert.equal(first.total + second.total, 6 << 20);
  assert.equal(second.cursor, undefined);
});

test("content() never cuts a character, nor a grapheme that fits", async () => {
  const { base } = await newBase();
  const grapheme = "👨‍👩‍👧‍👦";
  const { kbid } = await learn(base, { content: grapheme.repeat(50) });
  for (const max_bytes of [25, 26, 70, 99]) {
    for (const { data } of await partsOf(base, { ids: [kbid], max_bytes })) {
      assert.equal(data.split(grapheme).join(""), "");
    }
  }
  for (const max_bytes of [4, 7]) {
    const pages = await partsOf(base, { ids: [kbid], max_bytes });
    assert.equal(pages.map(({ data }) => data).join(""), grapheme.repeat(50));
  }
  await assert.rejects(compose(base, { ids: [kbid], max_bytes: 3 }), /max_bytes must be a whole/);
});

test("content() cursors belong to their ids, and tell of changes", async () => {
  const { base } = await newBase();
  await learn(base, { content: `# A\n\n${"text ".repeat(100)}`, docid: "d", document: true });
  const { cursor } = await compose(base, { ids: ["d"], max_bytes: 100 });
  await assert.rejects(
    compose(base, { ids: ["e"], max_bytes: 100, cursor }),
    /^KbdbError: (?:Document not found|Cannot compose: the cursor cannot be used)/,
  );
  await learn(base, { content: "another" });
  const { notice } = await compose(base, { ids: ["d"], max_bytes: 100, cursor });
  assert.match(notice!, /The database changed since the first part/);
});

test("content() cannot be broken out of by what is stored (D29)", async () => {
  const { base } = await newBase();
  const title = "x](evil:y) ```\n# Heading <b>";
  const { kbid } = await learn(base, { content: "text", title });
  assert.equal(
    await composed(base, `a $(link:${kbid}) b`),
    `a [x\\](evil:y) \\\`\\\`\\\` # Heading \\<b\\>](kbdb://section/${kbid}) b`,
  );
  const { kbid: code } = await learn(base, {
    content: "````\n`````\nbreak out",
    type: "text/x-sh",
    title: "t",
  });
  assert.match(await textOf(base, code), /^`{6}sh\n[^]*\n`{6}$/);
});
