import assert from "node:assert/strict";
import { test } from "node:test";
import { listIfThere } from "../../platform/if_there.ts";
import type { MemoryFiles } from "../../platform/memory_files.ts";
import { type Thread, ThreadError } from "../../platform/types.ts";
import { newDisk } from "../../store/testing.ts";
import type { IndexReply, IndexRequest } from "./calls.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import {
  checkOf,
  find,
  idOfText,
  indexerOn,
  learn,
  openBase,
  paths,
  pictureOf,
  silentThread,
  SMALL,
} from "../testing.ts";

const QUERIES = ["parcel", "number", "w3 w4", "during"];

/** A database whose indexer is a thread that `change` may alter. */
async function newThreaded(change: (thread: Thread) => Thread = (thread) => thread) {
  const files = await newDisk();
  const start = indexerOn(files);
  let starts = 0;
  const startIndexer = () => {
    starts += 1;
    return change(start());
  };
  const base = await openBase(files, { sealing: SMALL, startIndexer });
  return { files, base, startIndexer, starts: () => starts };
}

async function fill(base: KnowledgeBase, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, i) => ({
    content: `# Parcel ${i}\n\nnumber w${i % 7}`,
    ...(i % 3 === 0 ? { docid: `doc ${i % 5}` } : {}),
  }));
  const { results } = await base.learn({ key: `fill ${count}`, items }, () => {});
  assert.ok(results.every((result) => result.ok));
}

function foldersOf(files: MemoryFiles): string[] {
  return listIfThere(files, paths.indexes).map(({ name }) => name);
}

/** A thread of which every answer to a call passes through `answer`. */
function answering(answer: (result: unknown) => IndexReply): (thread: Thread) => Thread {
  return (thread) => ({
    post: (message) => thread.post(message),
    end: () => thread.end(),
    async receive() {
      const reply = await thread.receive() as IndexReply;
      return "result" in reply && reply.result !== null ? answer(reply.result) : reply;
    },
  });
}

/** A thread whose calls are noted, and that answers to `fill` after something else was done. */
function watched(
  options: { calls?: string[]; afterFill(): Promise<void> },
): (thread: Thread) => Thread {
  return (thread) => ({
    post(message) {
      options.calls?.push((message as IndexRequest).call);
      thread.post(message);
    },
    end: () => thread.end(),
    async receive() {
      const reply = await thread.receive();
      if ("skipped" in Object((reply as { result?: unknown }).result)) await options.afterFill();
      return reply;
    },
  });
}

test("rebuild() in a thread changes no answer", async () => {
  const { files, base, starts } = await newThreaded();
  await fill(base, 60);
  const before = await pictureOf(base, QUERIES);
  const dones: number[] = [];
  await base.rebuild(({ done }) => dones.push(done));
  assert.ok(starts() > 0);
  assert.equal(dones.at(-1), 60);
  assert.deepEqual(await pictureOf(base, QUERIES), before);
  await base.close();
  assert.deepEqual(await pictureOf(await openBase(files), QUERIES), before);
});

test("rebuild() in a thread takes in what is written meanwhile, in rounds", async () => {
  const calls: string[] = [];
  let afterFill = async () => {};
  const { base } = await newThreaded(watched({ calls, afterFill: () => afterFill() }));
  await fill(base, 20);
  // More than may be left for the moment of the change; entries of the build are replaced.
  const items = Array.from({ length: 250 }, (_, i) => ({
    content: i < 20 ? `# Parcel ${i}\n\nnumber w${i % 7}` : `during ${i}`,
    docid: `d${i % 4}`,
    tags: [`t${i % 3}`],
  }));
  afterFill = async () => {
    await base.learn({ key: "many", items }, () => {});
    await learn(base, { content: "# Document\n\nduring\n\n# Two", docid: "d", document: true });
    await learn(base, { content: "# Document\n\nduring", docid: "d", document: true });
  };
  await base.rebuild(() => {});
  const built = calls.filter((call) => call !== "open" && call !== "merge");
  assert.deepEqual(built, ["fill", "apply", "finish"]);
  const before = await pictureOf(base, QUERIES);
  assert.equal(before.pages[3][0], 231);
  afterFill = async () => {};
  await base.rebuild(() => {});
  assert.deepEqual(await pictureOf(base, QUERIES), before);
  assert.equal((await checkOf(base)).ok, true);
});

test("the first index is made in a thread, also for a folder that cannot be written", async () => {
  const { files, base, startIndexer, starts } = await newThreaded();
  await fill(base, 30);
  const before = await pictureOf(base, QUERIES);
  await base.close();
  for (const writable of [false, true]) {
    files.removeTree(paths.indexes);
    const known = starts();
    const again = await openBase(files, { sealing: SMALL, startIndexer, writable });
    assert.deepEqual(await pictureOf(again, QUERIES), before);
    assert.equal(starts(), known + 1);
    await again.close();
    assert.equal(foldersOf(files).includes("CURRENT"), writable);
  }
});

const FAILURES: [what: string, warned: RegExp, change: (thread: Thread) => Thread][] = [
  ["cannot start", /more slowly: Cannot use a thread: there are none here$/, () => {
    throw new ThreadError("unsupported", "there are none here");
  }],
  ["is ended", /^$/, (thread) => {
    thread.end();
    return thread;
  }],
  [
    "has a fault",
    /more slowly: trap$/,
    answering((result) =>
      "skipped" in Object(result) ? { error: { code: "internal", message: "trap" } } : { result }
    ),
  ],
];

for (const [what, warned, change] of FAILURES) {
  test(`rebuild() goes on here where the thread ${what}`, async () => {
    const { files, base } = await newThreaded(change);
    await fill(base, 30);
    const before = await pictureOf(base, QUERIES);
    await base.rebuild(() => {});
    assert.deepEqual(await pictureOf(base, QUERIES), before);
    assert.match(base.status().warnings.join(), warned);
    await base.close();
    const again = await openBase(files);
    assert.deepEqual(await pictureOf(again, QUERIES), before);
    assert.equal(foldersOf(files).length, 2, foldersOf(files).join());
  });
}

test("rebuild() keeps the old index where the new one cannot be loaded", async () => {
  const damaged = (result: unknown): IndexReply => {
    if (Array.isArray(result)) {
      for (const { segment } of result) segment.entry.corpus -= 1;
    }
    return { result };
  };
  const { files, base } = await newThreaded(answering(damaged));
  await fill(base, 31);
  const before = await pictureOf(base, QUERIES);
  await assert.rejects(base.rebuild(() => {}), /corpus\.dat is longer than it was/);
  assert.deepEqual(await pictureOf(base, QUERIES), before);
  await learn(base, { content: "# Parcel\n\nduring" });
  assert.deepEqual(await find(base, "during"), [idOfText("# Parcel\n\nduring")]);
  await base.close();
  const again = await openBase(files);
  assert.equal((await again.search({ query: "parcel" })).total, 32);
  assert.deepEqual(again.status().warnings, []);
});

test("rebuild() is built here where files cannot be written for now", async () => {
  const { files, base, starts } = await newThreaded();
  await fill(base, 10);
  files.beforeChange = ({ path }) => {
    if (path.startsWith(paths.sections)) throw new Error(`Cannot write ${path}: full`);
  };
  const known = starts();
  await learn(base, { content: "during the trouble" });
  await base.rebuild(() => {}).catch(() => {});
  assert.deepEqual(await find(base, "during"), [idOfText("during the trouble")]);
  assert.equal(starts(), known);
  files.beforeChange = undefined;
});

test("rebuild() does not name a file that was read while it was written", async () => {
  let afterFill = async () => {};
  const { files, base } = await newThreaded(watched({ afterFill: () => afterFill() }));
  await fill(base, 20);
  const written = await learn(base, { content: "written meanwhile" });
  const damaged = await learn(base, { content: "damaged before" });
  const torn = [written, damaged].map(({ kbid }) => paths.section(kbid));
  const whole = files.read(torn[0]);
  for (const path of torn) files.write(path, whole.subarray(0, 10));
  afterFill = async () => {
    files.write(torn[0], whole);
    await learn(base, { content: "written meanwhile", tags: ["new"] });
  };
  const { skipped = [] } = await base.rebuild(() => {});
  assert.equal(skipped.length, 1, skipped.join());
  assert.match(skipped[0], new RegExp(`^section ${damaged.kbid} is damaged: `));
  assert.deepEqual(await find(base, "meanwhile", { tag: ["new"] }), [written.kbid]);
});

test("close() cuts a rebuild off, and nothing is lost", async () => {
  const { files, base } = await newThreaded();
  await fill(base, 40);
  const before = await pictureOf(base, QUERIES);
  const rebuilt = base.rebuild(() => {});
  const refused = assert.rejects(rebuilt, { code: "leaving" });
  await new Promise((resolve) => setTimeout(resolve, 1));
  await base.close();
  await refused;
  const again = await openBase(files, { sealing: SMALL });
  assert.deepEqual(await pictureOf(again, QUERIES), before);
  assert.deepEqual(again.status().warnings, []);
});

test("close() cuts off the making of the first index", async () => {
  const { files, base } = await newThreaded();
  await fill(base, 40);
  const before = await pictureOf(base, QUERIES);
  await base.close();
  files.removeTree(paths.indexes);
  const second = await openBase(files, { sealing: SMALL, startIndexer: silentThread });
  const searched = assert.rejects(second.search({ query: "parcel" }), { code: "leaving" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  await second.close();
  await searched;
  const third = await openBase(files, { sealing: SMALL, startIndexer: indexerOn(files) });
  assert.deepEqual(await pictureOf(third, QUERIES), before);
});
