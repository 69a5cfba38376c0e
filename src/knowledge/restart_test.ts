import assert from "node:assert/strict";
import { test } from "node:test";
import { checksum } from "../core/text.ts";
import { platform } from "../platform/host.ts";
import type { Files } from "../platform/types.ts";
import type { LearnItem } from "../rpc/writing.ts";
import { bytesOf, crashWithNames, newDisk, ROOT, temporaryFolder } from "../store/testing.ts";
import type { KnowledgeBase } from "./knowledge_base.ts";
import { checkOf, learn, openBase, paths, pictureOf, random, SMALL } from "./testing.ts";

const WORDS = ["parcel", "counter", "weight", "stamp", "letter", "scale", "shelf", "queue"];
const QUERIES = [...WORDS, "parcels weigh", "letter stamp queue shelf", "section"];

/** A random item: few different texts, so that they meet again in other documents. */
function itemOf(pick: (limit: number) => number): LearnItem {
  const section = () => {
    const n = pick(40);
    const words = Array.from({ length: 1 + n % 5 }, (_, i) => WORDS[(n * 7 + i * i) % 8]);
    return `# Section ${n}\n\n${words.join(" ")}`;
  };
  const docid = `doc ${pick(6)}`;
  const tags = pick(4) === 0 ? [`tag ${pick(3)}`] : undefined;
  switch (pick(4)) {
    case 0:
      return { content: section(), tags };
    case 1:
      return { content: section(), docid, tags };
    default: {
      const sections = Array.from({ length: 1 + pick(5) }, section);
      return { content: sections.join("\n\n"), docid, document: true, tags };
    }
  }
}

/** Random writes with restarts and rebuilds between, none of which may change an answer. */
async function wander(
  options: { files: Files; root: string; seed: number; steps: number },
): Promise<void> {
  const { files, root, seed, steps } = options;
  const pick = random(seed);
  const open = () => openBase(files, { root, sealing: SMALL });
  let base = await open();
  for (let step = 0; step < steps; step++) {
    const items = Array.from({ length: 1 + pick(6) }, () => itemOf(pick));
    await Promise.all(items.map((item) => learn(base, item)));
    const before = await pictureOf(base, QUERIES);
    if (pick(2) === 0) {
      await base.close();
      base = await open();
    } else {
      await base.rebuild(() => {});
    }
    assert.deepEqual(await pictureOf(base, QUERIES), before, `seed ${seed}, step ${step}`);
  }
  assert.equal((await checkOf(base)).ok, true);
  await base.close();
}

for (const seed of [1, 2, 3]) {
  test(`restarts and rebuilds change no answer (B32, seed ${seed})`, async () => {
    await wander({ files: await newDisk(), root: ROOT, seed, steps: 25 });
  });
}

test("restarts and rebuilds change no answer on disk", async () => {
  const root = `${temporaryFolder()}/.kbdb`;
  await wander({ files: platform.files, root, seed: 4, steps: 12 });
});

/** A database with segments and a journal, closed. */
async function closed() {
  const files = await newDisk();
  const base = await openBase(files, { sealing: SMALL });
  const pick = random(9);
  for (let i = 0; i < 20; i++) await learn(base, itemOf(pick));
  await base.close();
  const second = await openBase(files, { sealing: SMALL });
  await learn(second, { content: "# Section 99\n\nin the journal alone" });
  const before = await pictureOf(second, QUERIES);
  await second.close();
  return { files, before };
}

async function reopened(files: Files): Promise<KnowledgeBase> {
  return await openBase(files, { sealing: SMALL });
}

const DAMAGES: [what: string, damage: (files: Files) => void, warns: boolean][] = [
  ["indexes/ is removed", (files) => files.removeTree(paths.indexes), false],
  ["CURRENT is removed", (files) => files.remove(paths.current), false],
  ["CURRENT is zeros (B02)", (files) => files.write(paths.current, new Uint8Array(300)), true],
  ["terms.idx is removed", (files) => files.remove(ofGeneration(files, "terms.idx")), true],
  ["positions.idx is cut", (files) => cut(files, ofGeneration(files, "positions.idx")), true],
  ["corpus.dat has another byte", (files) => flip(files, ofGeneration(files, "corpus.dat")), true],
  ["terms.idx has another byte", (files) => flip(files, ofGeneration(files, "terms.idx")), true],
  ["it is of format 1", formatOne, true],
];

/** An index as version 0.1.0 left it. */
function formatOne(files: Files): void {
  files.removeTree(paths.indexes);
  const block = { offset: 0, length: 3 };
  const current = JSON.stringify({
    format: 1,
    generation: "00000001",
    settings: "language=english",
    segments: [{ terms: block, positions: block, corpus: block, dead: "" }],
    indexedSeq: 1,
    flushedSeq: 1,
  });
  const sum = checksum(bytesOf(current)).toString(16).padStart(8, "0");
  files.makeDir(paths.generation("00000001"));
  files.write(`${paths.generation("00000001")}/terms.idx`, new Uint8Array(35));
  files.write(paths.current, bytesOf(`${current}\nkbdb-current 1 ${sum}\n`));
}

/** A file of the newest segment. */
function ofGeneration(files: Files, name: string): string {
  const newest = (path: string) =>
    files.list(path).filter(({ kind }) => kind === "directory").at(-1)!.name;
  const generation = `${paths.indexes}/${newest(paths.indexes)}`;
  return `${generation}/${newest(generation)}/${name}`;
}

function cut(files: Files, path: string): void {
  files.write(path, files.read(path).subarray(0, -1));
}

function flip(files: Files, path: string): void {
  const bytes = files.read(path).slice();
  bytes[bytes.length >> 1] ^= 8;
  files.write(path, bytes);
}

for (const [what, damage, warns] of DAMAGES) {
  test(`the index comes back by itself when ${what}`, async () => {
    const { files, before } = await closed();
    damage(files);
    const base = await reopened(files);
    assert.deepEqual(await pictureOf(base, QUERIES), before);
    const { warnings } = base.status();
    assert.equal(warnings.length, warns ? 1 : 0, warnings.join());
    if (warns) assert.match(warnings[0], /^The index was made again, because it could not be used/);
    await base.close();
    const again = await reopened(files);
    assert.deepEqual(await pictureOf(again, QUERIES), before);
    assert.deepEqual(again.status().warnings, []);
    assert.equal(files.list(paths.indexes).length, 2);
  });
}

test("an index made again is kept without being closed", async () => {
  const { files, before } = await closed();
  files.removeTree(paths.indexes);
  const base = await reopened(files);
  await pictureOf(base, QUERIES);
  await base.rebuild(() => {}); // Waits for the checkpoint before it.
  const names = files.list(paths.indexes).map(({ name }) => name);
  assert.ok(names.includes("CURRENT"), names.join());
  assert.deepEqual(await pictureOf(await reopened(files), QUERIES), before);
});

test("writes after the index was made again survive a crash", async () => {
  const { files } = await closed();
  files.removeTree(paths.indexes);
  await (await reopened(files)).close();
  const base = await reopened(files);
  const { kbid } = await learn(base, { content: "a late parcel", docid: "late" });
  files.remove(paths.section(kbid));
  files.crash();
  const after = await reopened(files);
  const { items } = await after.search({ query: "late" });
  assert.deepEqual(items.map((item) => [item.kbid, item.docids]), [[kbid, ["late"]]]);
});

test("a removed journal does not hide what files hold", async () => {
  const { files, before } = await closed();
  files.removeTree(paths.journal);
  const base = await reopened(files);
  assert.deepEqual(await pictureOf(base, QUERIES), before);
  assert.match(base.status().warnings.join(), /the journal no longer holds what came after it/);
});

test("search works when a full disk takes no new index (B05)", async () => {
  const { files, before } = await closed();
  files.removeTree(paths.indexes);
  files.beforeChange = ({ path }) => {
    throw Object.assign(new Error(`Cannot write ${path}: no space`), { code: "no_space" });
  };
  const base = await reopened(files);
  assert.deepEqual(await pictureOf(base, QUERIES), before);
  files.beforeChange = undefined;
  await learn(base, { content: "# Later\n\nthere is space again" });
  await base.rebuild(() => {});
  await base.close();
  const again = await reopened(files);
  assert.equal((await again.search({ query: "space again" })).total, 1);
  assert.equal((await checkOf(again)).ok, true);
});

test("new tags of an old section survive a power cut (B02)", async () => {
  const files = await newDisk();
  const base = await openBase(files, { sealing: SMALL });
  for (const word of ["one", "two", "three", "four"]) await learn(base, { content: word });
  await base.close();
  const second = await openBase(files, { sealing: SMALL });
  const { kbid } = await learn(second, { content: "one", tags: ["new"] });
  await crashWithNames(files);
  const third = await openBase(files, { sealing: SMALL });
  assert.equal((await third.search({ query: "one", tag: ["new"] })).items[0]?.kbid, kbid);
});
