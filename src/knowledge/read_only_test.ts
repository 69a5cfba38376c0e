import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOT } from "../store/testing.ts";
import { checkOf, learn, newBase, openBase, paths, pictureOf, refusal, SMALL } from "./testing.ts";

const QUERIES = ["parcel", "One", "late"];

/** A database with segments and a journal that its files do not hold yet. */
async function filled() {
  const { base, files } = await newBase(SMALL);
  for (let i = 0; i < 10; i++) await learn(base, { content: `parcel ${i}` });
  await learn(base, { content: "# One\n\n# Two parcels", docid: "d", document: true });
  await base.close();
  const second = await openBase(files, { sealing: SMALL });
  const { kbid } = await learn(second, { content: "a late parcel", docid: "late" });
  const before = await pictureOf(second, QUERIES);
  files.remove(paths.section(kbid));
  files.remove(paths.document("late"));
  return { files, before };
}

for (const what of ["whole", "without indexes/", "with a damaged index"]) {
  test(`a read-only database ${what} answers, unchanged (D54)`, async () => {
    const { files, before } = await filled();
    if (what === "without indexes/") files.removeTree(paths.indexes);
    if (what === "with a damaged index") files.write(paths.current, new Uint8Array(5));
    files.beforeChange = (change) => assert.fail(JSON.stringify(change));
    const base = await openBase(files, { writable: false, sealing: SMALL });
    assert.deepEqual(await pictureOf(base, QUERIES), before);
    assert.equal((await checkOf(base)).ok, true);
    await base.rebuild(() => {});
    assert.deepEqual(await pictureOf(base, QUERIES), before);
    assert.equal(base.status().read_only, true);
    const error = await refusal(base, { content: "new" });
    assert.deepEqual(error, {
      code: "read_only",
      message: `Cannot write to ${ROOT}: the folder is read-only. Change its rights.`,
    });
    await new Promise((resolve) => setTimeout(resolve, 2200)); // Longer than an idle flush waits.
    await base.close();
    files.beforeChange = undefined;
  });
}

test("a read-only database takes known text without a write", async () => {
  const { files } = await filled();
  const base = await openBase(files, { writable: false });
  assert.equal((await learn(base, { content: "parcel 1" })).existing, true);
});

test("a read-only clone without empty folders opens (D54)", async () => {
  const { base, files } = await newBase();
  await learn(base, { content: "parcel" });
  await base.close();
  for (const folder of [paths.documents, paths.journal, paths.indexes]) files.removeTree(folder);
  const clone = await openBase(files, { writable: false });
  assert.equal((await clone.search({ query: "parcel" })).total, 1);
  assert.equal((await checkOf(clone)).ok, true);
});
