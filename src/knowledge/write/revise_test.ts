import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import {
  checkOf,
  entriesOf,
  find,
  historyOf,
  idOfText,
  learn,
  newBase,
  newKey,
  nowAndReopened,
  recalled,
  reviseText,
  unlearnOne,
} from "../testing.ts";
import { revise } from "./revise.ts";

const OLD = "# Parcels\n\nsorted by weight";
const NEW = "# Parcels\n\nsorted by size";
const [oldId, newId] = [OLD, NEW].map(idOfText);

/** A document with the old text in it twice, and a list of its own before, between and behind. */
async function withDocument() {
  const { base, files } = await newBase();
  const content = `# A\n\n\n\n${OLD}\n\n# B\n\n${OLD}`;
  await learn(base, { content, docid: "d", document: true, source: "/d.md", title: "D" });
  return { base, files };
}

test("revise() puts the correction in every place of the old one (D12)", async () => {
  const { base, files } = await withDocument();
  await learn(base, { content: OLD, docid: "e", tags: ["post"], description: "how" });
  const result = await reviseText(base, oldId, { content: NEW });
  const { elapsed_ms, indexed_terms_count, ...rest } = result;
  assert.ok(elapsed_ms >= 0 && indexed_terms_count > 3);
  assert.deepEqual(rest, {
    kbid: newId,
    type: "text/markdown",
    title: "Parcels",
    description: null,
    attached: true,
    docid: "d",
    supersedes: oldId,
  });
  assert.deepEqual(await entriesOf(base, "d"), [
    { kbid: idOfText("# A"), gap: "" },
    { kbid: newId, gap: "\n\n\n\n" },
    { kbid: idOfText("# B"), gap: "\n\n" },
    { kbid: newId, gap: "\n\n" },
  ]);
  assert.deepEqual(await entriesOf(base, "e"), [{ kbid: newId, gap: "" }]);
  for await (const opened of nowAndReopened(base, files)) {
    assert.deepEqual(await find(opened, "weight"), []);
    assert.deepEqual(await find(opened, "size", { tag: ["post"] }), [newId]);
    const old = await recalled(opened, oldId);
    assert.deepEqual([old.content, old.docids, old.superseded_by], [OLD, [], newId]);
    const { docids, sources } = await recalled(opened, newId);
    assert.deepEqual([docids, sources], [["d", "e"], ["/d.md"]]);
    assert.equal((await checkOf(opened)).ok, true);
    await opened.rebuild(() => {});
  }
});

test("revise() keeps what is left out, and takes what is given (D43)", async () => {
  const { base } = await newBase();
  const first = { content: "let a = 1;", type: "text/typescript", title: "A", description: "one" };
  const { kbid } = await learn(base, { ...first, tags: ["x", "y"] });
  const second = await reviseText(base, kbid, { content: "let a = 2;" });
  assert.deepEqual(
    [second.type, second.title, second.description],
    ["text/typescript", "A", "one"],
  );
  assert.deepEqual((await recalled(base, second.kbid)).tags, ["x", "y"]);
  const given = { title: "B", description: "", tags: [" z "] };
  const third = await reviseText(base, second.kbid, { content: "let a = 3;", ...given });
  assert.deepEqual([third.title, third.description], ["B", null]);
  assert.deepEqual((await recalled(base, third.kbid)).tags, ["z"]);
});

test("revise() lets a title that was the old heading follow the new one", async () => {
  const { base } = await newBase();
  const titles = async (item: { content: string; title?: string }, content: string) => {
    const { kbid } = await learn(base, item);
    return (await reviseText(base, kbid, { content })).title;
  };
  assert.equal(await titles({ content: "# One\n\na" }, "# Two\n\na"), "Two");
  assert.equal(await titles({ content: "# One\n\nb" }, "no heading b"), "One");
  assert.equal(await titles({ content: "# One\n\nc", title: "Own" }, "# Two\n\nc"), "Own");
  assert.equal(await titles({ content: "no heading d" }, "# Two\n\nd"), "Two");
  assert.equal(await titles({ content: "no heading e" }, "none either e"), null);
});

test("revise() makes one section of several headings", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: OLD });
  const content = "# One\n\n## Two\n\n## Three";
  const result = await reviseText(base, kbid, { content });
  assert.equal(result.kbid, idOfText(content));
  assert.deepEqual([base.status().sections, base.status().documents], [1, 0]);
});

test("revise() makes a standalone section of a standalone one", async () => {
  const { base } = await newBase();
  await learn(base, { content: OLD });
  await reviseText(base, oldId, { content: NEW });
  assert.equal((await checkOf(base)).ok, true);
  assert.deepEqual(await find(base, "parcels"), [newId]);
});

test("revise() changes names in place where the text stays", async () => {
  const { base } = await newBase();
  await learn(base, { content: OLD, tags: ["a"] });
  const result = await reviseText(base, oldId, { content: `${OLD}\n`, title: "New", tags: ["b"] });
  assert.deepEqual([result.existing, result.title, result.supersedes], [true, "New", oldId]);
  assert.deepEqual(await find(base, "new", { tag: ["b"] }), [oldId]);
  assert.deepEqual((await historyOf(base, oldId)).revisions.length, 1);
  const same = await reviseText(base, oldId, { content: OLD });
  assert.deepEqual([same.existing, same.title, same.indexed_terms_count], [true, "New", 0]);
});

test("revise() gives the place to a text that is stored already", async () => {
  const { base } = await withDocument();
  await learn(base, { content: NEW, title: "Other", tags: ["b"] });
  const result = await reviseText(base, oldId, { content: NEW, tags: ["c"] });
  assert.deepEqual([result.existing, result.title], [true, "Other"]);
  assert.match(result.warnings?.join() ?? "", /was stored before and takes the place of/);
  const now = await recalled(base, newId);
  assert.deepEqual([now.docids, now.tags], [["d"], ["b", "c"]]);
  const { current, revisions } = await historyOf(base, oldId);
  assert.deepEqual([current, revisions.map(({ kbid }) => kbid)], [newId, [oldId, newId]]);
  assert.equal((await checkOf(base)).ok, true);
});

test("revise() back to an earlier text makes no ring", async () => {
  const { base } = await withDocument();
  await reviseText(base, oldId, { content: NEW });
  const back = await reviseText(base, newId, { content: OLD });
  assert.deepEqual([back.kbid, back.existing], [oldId, true]);
  const { superseded_by, docids } = await recalled(base, oldId);
  assert.deepEqual([superseded_by, docids], [undefined, ["d"]]);
  for (const kbid of [oldId, newId]) {
    const { current, revisions } = await historyOf(base, kbid);
    assert.equal(current, oldId);
    assert.deepEqual(revisions.map(({ kbid }) => kbid), [newId, oldId]);
  }
  await reviseText(base, oldId, { content: "# Parcels\n\nthird" });
  const { revisions } = await historyOf(base, newId);
  assert.deepEqual(
    revisions.map(({ kbid }) => kbid),
    [newId, oldId, idOfText("# Parcels\n\nthird")],
  );
});

test("revise() refuses what is not the current section", async () => {
  const { base } = await newBase();
  const refused = (kbid: string, says: RegExp, code: string) =>
    assert.rejects(reviseText(base, kbid, { content: "x" }), { code, message: says });
  await refused("nonsense", /^Cannot revise "nonsense": not a kbid\. /, "bad_request");
  await refused(oldId, new RegExp(`^Section not found: ${oldId}$`), "not_found");
  await learn(base, { content: OLD, docid: "d" });
  await reviseText(base, oldId, { content: NEW });
  const third = await reviseText(base, newId, { content: "third" });
  const names = `section ${third.kbid} took its place. Revise that one.$`;
  await refused(oldId, new RegExp(names), "conflict");
  await unlearnOne(base, { kbid: third.kbid });
  await refused(oldId, /took its place and was removed\. Restore that one/, "conflict");
  await refused(third.kbid, /was removed\. Bring it back with: kbdb restore/, "not_found");
  await learn(base, { content: "gone", docid: "e", document: true });
  await learn(base, { content: "here", docid: "e", document: true });
  await refused(idOfText("gone"), /no document holds it any more\. Learn the new/, "conflict");
});

test("revise() names what is wrong with the text", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: OLD });
  const refused = (correction: Parameters<typeof reviseText>[2], says: RegExp) =>
    assert.rejects(reviseText(base, kbid, correction), { code: "bad_request", message: says });
  await refused(
    { content: " \n" },
    new RegExp(`^Cannot revise section ${kbid}: the content is empty$`),
  );
  await refused({ content: "a\ud800" }, /^Cannot revise section .* half of a surrogate pair/);
  await refused({ content: "a", title: "\ud800" }, /^Cannot revise: the title holds half/);
  await refused({ content: "a", tags: [""] }, /^Cannot revise: a tag is empty/);
  assert.deepEqual(await find(base, "parcels"), [kbid]);
});

test("revise() warns of markers that name the old text", async () => {
  const { base } = await withDocument();
  await learn(base, { content: `see $(link:${oldId})` });
  const { warnings } = await reviseText(base, oldId, { content: NEW });
  assert.deepEqual(warnings, [
    `1 section names what is superseded now, in markers: ${oldId}`,
  ]);
});

test("revise() puts an image in the place of an image", async () => {
  const { base } = await newBase();
  const png = (last: number) => Buffer.from([0x89, 80, 78, 71, 13, 10, 26, 10, last]);
  const image = { type: "image/png", title: "Map", docid: "d" };
  const { kbid } = await learn(base, { ...image, content: png(1).toString("base64") });
  const result = await reviseText(base, kbid, { content: png(2).toString("base64") });
  assert.deepEqual([result.type, result.title], ["image/png", "Map"]);
  assert.deepEqual((await entriesOf(base, "d"))?.map(({ kbid }) => kbid), [result.kbid]);
  assert.equal((await recalled(base, result.kbid)).content, png(2).toString("base64"));
  assert.deepEqual(await find(base, "map"), [result.kbid]);
  await assert.rejects(reviseText(base, result.kbid, { content: "a text" }), /not valid base64/);
});

test("revise() applies a request key once (D46)", async () => {
  const { base } = await newBase();
  await learn(base, { content: OLD });
  const params = { key: newKey(), kbid: oldId, content: NEW };
  const call = () => base.run((parts) => revise(parts, params));
  const [first, second] = await Promise.all([call(), call()]);
  assert.deepEqual([second.kbid, second.supersedes], [first.kbid, oldId]);
  assert.equal((await call()).kbid, newId);
});

test("revise() and learn() sent together apply in order", async () => {
  const { base } = await newBase();
  await learn(base, { content: OLD, docid: "d" });
  const answers = await Promise.all([
    reviseText(base, oldId, { content: NEW }),
    learn(base, { content: "third", docid: "d" }),
    learn(base, { content: NEW, docid: "d" }),
  ]);
  assert.equal(answers[2].attached, false);
  const kbids = (await entriesOf(base, "d"))?.map(({ kbid }) => kbid);
  assert.deepEqual(kbids, [newId, idOfText("third")]);
});
