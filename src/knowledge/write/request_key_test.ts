import assert from "node:assert/strict";
import { test } from "node:test";
import { newBase, openBase } from "../testing.ts";

const progress = () => {};

test("learn() applies a request key once (D46)", async () => {
  const { base } = await newBase();
  const version = (word: string) => ({ content: `# ${word}`, docid: "d", document: true });
  const first = await base.learn({ key: "k1", items: [version("old")] }, progress);
  await base.learn({ key: "k2", items: [version("new")] }, progress);
  const repeated = await base.learn({ key: "k1", items: [version("old")] }, progress);
  const [{ ok: _, ...once }] = first.results;
  const [again] = repeated.results;
  assert.ok(again.ok && "result" in once);
  assert.equal(again.outcome, "added");
  assert.equal(again.result.kbid, once.result.kbid);
  assert.equal((await base.search({ query: "old" })).total, 0);
  assert.equal((await base.search({ query: "new" })).total, 1);
});

test("learn() counts the sections of a repeated request (D46)", async () => {
  const { base } = await newBase();
  const items = [{ content: "# a\n\n# b\n\n# c", docid: "d", document: true }];
  const counts = [];
  for (let i = 0; i < 2; i++) {
    const [answer] = (await base.learn({ key: "k", items }, progress)).results;
    counts.push(answer.ok && answer.sections);
  }
  assert.deepEqual(counts, [3, 3]);
});

test("learn() applies a key once while it is on its way", async () => {
  const { base } = await newBase();
  const call = () =>
    base.learn({ key: "k", items: [{ content: "a" }, { content: "b" }] }, progress);
  const [first, second] = await Promise.all([call(), call()]);
  for (const i of [0, 1]) {
    assert.ok(first.results[i].ok && second.results[i].ok);
    assert.equal(second.results[i].outcome, "added");
  }
  assert.equal(base.status().sections, 2);
});

for (const how of ["closed", "killed"]) {
  test(`learn() remembers keys after it was ${how}`, async () => {
    const { base, files } = await newBase();
    const items = [{ content: "# old", docid: "d", document: true }];
    await base.learn({ key: "k", items }, progress);
    const replaced = [{ content: "# new", docid: "d", document: true }];
    await base.learn({ key: "other", items: replaced }, progress);
    if (how === "closed") await base.close();
    else files.crash();
    const second = await openBase(files);
    const { results } = await second.learn({ key: "k", items }, progress);
    assert.ok(results[0].ok);
    assert.equal(results[0].outcome, "added");
    assert.equal((await second.search({ query: "old" })).total, 0);
  });
}

test("learn() tells a repeated call that the first failed", async () => {
  const { base, files } = await newBase();
  await base.learn({ key: "first", items: [{ content: "b" }] }, progress);
  files.failNext("no_space");
  const call = () => base.learn({ key: "k", items: [{ content: "a" }] }, progress);
  const [first, second] = await Promise.all([call(), call()]);
  assert.deepEqual([first.results[0].ok, second.results[0].ok], [false, false]);
  assert.ok(!first.results[0].ok && first.results[0].error.code === "no_space");
  assert.equal((await base.search({ query: "a" })).total, 0);
  const third = await call();
  assert.ok(third.results[0].ok);
  assert.equal(third.results[0].outcome, "added");
});

test("learn() tells an unchanged item that its write failed", async () => {
  const { base, files } = await newBase();
  await base.learn({ key: "first", items: [{ content: "a" }] }, progress);
  files.failNext("no_space");
  const items = [{ content: "a", docid: "d" }];
  const answers = await Promise.all([
    base.learn({ key: "k1", items }, progress),
    base.learn({ key: "k2", items }, progress),
  ]);
  assert.deepEqual(answers.map(({ results }) => results[0].ok), [false, false]);
  assert.equal(base.status().documents, 0);
});

test("learn() goes on after the disk was full (B05)", async () => {
  const { base, files } = await newBase();
  const learnOne = (word: string) =>
    base.learn({ key: word, items: [{ content: word }] }, progress);
  await learnOne("before");
  for (let nth = 0; nth < 4; nth++) {
    let calls = 0;
    files.beforeChange = ({ path }) => {
      if (calls++ === nth) {
        throw Object.assign(new Error(`Cannot write ${path}`), { code: "no_space" });
      }
    };
    await learnOne(`during ${nth}`);
    files.beforeChange = undefined;
    const { results } = await learnOne(`after ${nth}`);
    assert.ok(results[0].ok);
  }
  assert.equal((await base.search({ query: "before after" })).total, 5);
  await base.close();
  const second = await openBase(files);
  assert.equal((await second.search({ query: "before after" })).total, 5);
  assert.equal((await second.check(progress)).ok, true);
});

test("learn() reports progress for every item", async () => {
  const { base } = await newBase();
  const seen: number[] = [];
  const items = Array.from({ length: 5 }, (_, i) => ({ content: `text ${i}` }));
  await base.learn({ key: "k", items }, ({ done, total }) => {
    seen.push(done);
    assert.equal(total, 5);
  });
  assert.deepEqual(seen, [1, 2, 3, 4, 5]);
});
