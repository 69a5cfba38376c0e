import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOf } from "../../store/testing.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import {
  checkOf,
  find,
  idOfText,
  learn,
  newBase,
  openBase,
  paths,
  pictureOf,
  SMALL,
} from "../testing.ts";

const QUERIES = ["parcel", "number", "w7 w8 w9", "absent"];

async function fill(base: KnowledgeBase, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, i) => ({
    content: `# Parcel ${i}\n\nnumber w${i % 50} of ${"many ".repeat(i % 7)}parcels`,
    ...(i % 3 === 0 ? { docid: `doc ${i % 20}` } : {}),
    ...(i % 4 === 0 ? { tags: ["fourth"] } : {}),
  }));
  const { results } = await base.learn({ key: `fill ${count}`, items }, () => {});
  assert.ok(results.every((result) => result.ok));
}

for (const sealing of [SMALL, undefined]) {
  test(`rebuild() changes no answer, ${sealing ? "small" : "usual"} segments (B32)`, async () => {
    const { base, files } = await newBase(sealing);
    await fill(base, 300);
    await learn(base, { content: "# One\n\n# Two", docid: "d", document: true });
    await learn(base, { content: "# Two\n\n# Parcel", docid: "d", document: true });
    const before = await pictureOf(base, QUERIES);
    const { sections_reindexed, terms_indexed, skipped } = await base.rebuild(() => {});
    assert.deepEqual([sections_reindexed, skipped], [302, undefined]);
    assert.ok(terms_indexed > 50);
    assert.deepEqual(await pictureOf(base, QUERIES), before);
    await base.close();
    assert.deepEqual(await pictureOf(await openBase(files), QUERIES), before);
  });
}

test("rebuild() makes equal files from equal sections", async () => {
  const read = async (order: number[]) => {
    const { base, files } = await newBase();
    for (const i of order) await learn(base, { content: `text ${i}`, docid: `d${i % 2}` });
    await base.rebuild(() => {});
    const generation = paths.generation(base.status().index.generation!);
    const segments = files.list(generation).map(({ name }) => `${generation}/${name}`);
    assert.equal(segments.length, 1);
    return ["terms.idx", "positions.idx", "corpus.dat"].map((name) =>
      // Without the footer, which names the generation.
      files.read(`${segments[0]}/${name}`).slice(0, -32)
    );
  };
  assert.deepEqual(await read([1, 2, 3, 4]), await read([4, 2, 3, 1]));
});

test("rebuild() skips bad files by name, one entry each (B04)", async () => {
  const { base, files } = await newBase();
  await fill(base, 99);
  await learn(base, { content: "bad section" });
  await learn(base, { content: "edited section" });
  await learn(base, { content: "kept section", docid: "bad manifest" });
  files.write(paths.section(idOfText("bad section")), new Uint8Array(20));
  const edited = paths.section(idOfText("edited section"));
  files.write(edited, bytesOf(new TextDecoder().decode(files.read(edited)) + "!"));
  files.write(paths.document("bad manifest"), bytesOf("docid = "));
  files.write(`${paths.sections}/notes.bak`, bytesOf("x"));
  files.write(`${paths.sectionFolder(idOfText("bad section"))}/.half.tmp`, bytesOf("+++"));
  const { sections_reindexed, skipped = [] } = await base.rebuild(() => {});
  assert.equal(sections_reindexed, 100);
  assert.equal(skipped.length, 3, JSON.stringify(skipped));
  assert.match(skipped[0], /^documents\/.*bad-manifest~.*\.toml is damaged: /);
  const named = skipped.slice(1).join();
  assert.match(named, new RegExp(`section ${idOfText("bad section")} is damaged: `));
  assert.match(named, new RegExp(`section ${idOfText("edited section")} is damaged: its bytes`));
  assert.deepEqual(await find(base, "section"), [idOfText("kept section")]);
  assert.equal((await base.search({ query: "parcel" })).total, 99);
});

test("rebuild() brings back what comes from outside", async () => {
  const { base, files } = await newBase();
  const other = await newBase();
  const { kbid } = await learn(other.base, { content: "brought along", docid: "d" });
  for (const path of [paths.section(kbid), paths.document("d")]) {
    files.makeDir(path.replace(/[^/]*$/, ""));
    files.write(path, other.files.read(path));
  }
  assert.deepEqual(await find(base, "brought"), []);
  await base.rebuild(() => {});
  assert.deepEqual(await find(base, "brought", { docid: ["d"] }), [kbid]);
});

test("rebuild() lets searches and writes go on meanwhile", async () => {
  const { base } = await newBase();
  await fill(base, 3000);
  let running = true;
  const rebuilt = base.rebuild(() => {}).finally(() => running = false);
  let rounds = 0;
  while (running) {
    await learn(base, { content: `during ${rounds}`, docid: "during" });
    await learn(base, { content: `# First ${rounds}\n\n# Last`, docid: "r", document: true });
    assert.equal((await base.search({ query: "parcel" })).total, 3000);
    assert.equal((await base.search({ query: "during" })).total, ++rounds);
  }
  await rebuilt;
  assert.ok(rounds > 2, `only ${rounds} rounds`);
  const before = await pictureOf(base, ["during", "first last", "parcel"]);
  assert.equal(before.pages[0][0], rounds);
  assert.equal(before.pages[1][0], 2);
  await base.rebuild(() => {});
  assert.deepEqual(await pictureOf(base, ["during", "first last", "parcel"]), before);
  assert.equal((await checkOf(base)).ok, true);
});

test("rebuild() on a full disk keeps the old index (B05)", async () => {
  const { base, files } = await newBase(SMALL);
  await fill(base, 60);
  const before = await pictureOf(base, QUERIES);
  for (let nth = 0;; nth++) {
    let calls = 0;
    files.beforeChange = ({ action, path }) => {
      if (action !== "remove" && calls++ >= nth) {
        throw Object.assign(new Error(`Cannot write ${path}`), { code: "no_space" });
      }
    };
    const failed = await base.rebuild(() => {}).then(() => null, (error) => error);
    files.beforeChange = undefined;
    assert.deepEqual(await pictureOf(base, QUERIES), before);
    if (failed === null) break;
    assert.equal(failed.code, "no_space");
    assert.ok(files.list(paths.indexes).length <= 3, "half-written generations pile up");
  }
  await base.close();
  assert.deepEqual(await pictureOf(await openBase(files, { sealing: SMALL }), QUERIES), before);
});

test("rebuild() finds what could not be written to files yet", async () => {
  const { base, files } = await newBase();
  files.beforeChange = ({ path }) => {
    if (!path.startsWith(paths.journal)) throw new Error(`Cannot write ${path}: full`);
  };
  await learn(base, { content: "only in the journal", docid: "d" });
  files.beforeChange = undefined;
  await base.rebuild(() => {});
  assert.deepEqual(await find(base, "journal", { docid: ["d"] }), [
    idOfText("only in the journal"),
  ]);
  await base.close();
  assert.equal((await checkOf(await openBase(files))).ok, true);
});

test("rebuild() clears what was noticed before", async () => {
  const { base, files } = await newBase();
  await learn(base, { content: "one" });
  files.remove(paths.section(idOfText("one")));
  await base.close();
  files.write(paths.current, new Uint8Array(3));
  const second = await openBase(files);
  await find(second, "one");
  assert.ok(second.status().warnings.length > 0);
  await second.rebuild(() => {});
  assert.deepEqual(second.status().warnings, []);
});
