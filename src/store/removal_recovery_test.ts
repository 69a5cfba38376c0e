import assert from "node:assert/strict";
import { test } from "node:test";
import type { MemoryFiles } from "../platform/memory_files.ts";
import type { JournalRecord } from "./journal_record.ts";
import type { ReadOutcome } from "./read_outcome.ts";
import { removalName } from "./removal.ts";
import type { Store } from "./store.ts";
import {
  countChanges,
  crashWithNames,
  documentOf,
  failAfter,
  idOf,
  newDisk,
  openStore,
  processOn,
  removalOf,
  sectionOf,
} from "./testing.ts";

const TEXTS = ["text 0", "text 1", "picture 2", "text 3"];
const DOCIDS = ["doc 0", "doc 1"];

/** What a transaction was, for a model that knows no files. */
type Change =
  | { readonly kind: "learn"; readonly texts: string[]; readonly docid: string }
  | { readonly kind: "remove"; readonly texts: string[]; readonly docids: string[] };

type Operation = Change & { readonly seq: number; acknowledged: boolean };

/** Sequence numbers by text or docid. */
type Items = Map<string, number>;

/** What should be there: in use, and in the trash by entry. */
interface Model {
  readonly live: Items;
  readonly trash: Map<string, Items>;
}

function modelOf(operations: readonly Operation[]): Model {
  const live: Items = new Map();
  const trash = new Map<string, Items>();
  for (const { seq, ...change } of operations) {
    if (change.kind === "learn") {
      for (const id of [...change.texts, change.docid]) live.set(id, seq);
      continue;
    }
    const removed: Items = new Map();
    for (const id of [...change.texts, ...change.docids]) {
      if (live.has(id)) removed.set(id, live.get(id)!);
      live.delete(id);
    }
    if (removed.size > 0) trash.set(removalName(seq), removed);
  }
  return { live, trash };
}

function recordOf({ seq, ...change }: Change & { seq: number }): JournalRecord {
  const record = { seq, sections: [], documents: [], requests: [] };
  if (change.kind === "remove") return { ...record, removal: removalOf(seq, change) };
  const sections = change.texts.map((text) => {
    const type = text.startsWith("picture") ? "image/png" : "text/markdown";
    return { ...sectionOf(text, { seq, type }), docids: [] };
  });
  return { ...record, sections, documents: [documentOf(change.docid, { ...change, seq })] };
}

async function commit(store: Store, change: Change, told: Operation[]): Promise<void> {
  const operation: Operation = { ...change, seq: store.takeSeq(), acknowledged: false };
  told.push(operation);
  await store.commit(recordOf(operation)).then(() => operation.acknowledged = true, () => {});
}

async function checkpoint(store: Store): Promise<void> {
  const { seq } = store;
  const part = await store.rotateJournal();
  await store.flushFiles();
  const generation = store.indexFiles.begin("settings");
  await store.indexFiles.commit(generation, { indexedSeq: seq, flushedSeq: seq, segments: [] });
  await store.dropJournal(part);
}

/** Numbers below `limit` that a seed decides; the same on every machine. */
function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 65536) % limit;
  };
}

function changeFrom(pick: (limit: number) => number): Change {
  const texts = TEXTS.filter(() => pick(2) === 0);
  if (pick(2) === 0) return { kind: "learn", texts, docid: DOCIDS[pick(2)] };
  return { kind: "remove", texts, docids: DOCIDS.filter(() => pick(3) === 0) };
}

/** Learns and removals of the same few ids, alone and together, and checkpoints. */
async function script(store: Store, options: { seed: number; told: Operation[] }): Promise<void> {
  const { seed, told } = options;
  const pick = random(seed);
  for (let step = 0; step < 4; step++) {
    if (pick(3) === 0) await checkpoint(store).catch(() => {});
    const together = Array.from({ length: 1 + pick(3) }, () => changeFrom(pick));
    await Promise.all(together.map((change) => commit(store, change, told)));
  }
  await checkpoint(store).catch(() => {});
  await commit(store, { kind: "learn", texts: TEXTS.slice(0, 3), docid: "doc 0" }, told);
  await commit(store, { kind: "remove", texts: TEXTS.slice(1), docids: DOCIDS }, told);
}

async function prepared() {
  const files = await newDisk();
  const { files: own, kill } = processOn(files);
  const store = await openStore(own, { create: {} });
  const told: Operation[] = [];
  await commit(store, { kind: "learn", texts: TEXTS, docid: "doc 1" }, told);
  return { files, store, told, kill };
}

/** What reads tell is in use. */
function liveIn(store: Store): Items {
  const live: Items = new Map();
  const { kbids, strays } = store.listSections();
  assert.deepEqual(strays, []);
  for (const text of TEXTS) {
    const seq = seqOf(store.readSection(idOf(text)), ({ meta }) => meta.seq);
    if (seq !== null) live.set(text, seq);
    assert.equal(kbids.includes(idOf(text)), seq !== null, text);
    assert.equal(store.hasSection(idOf(text)), seq !== null, text);
  }
  const listed = [...store.allDocuments()].map(({ outcome }) => {
    assert(outcome.state === "found", outcome.state);
    return outcome.value.docid;
  });
  for (const docid of DOCIDS) {
    const seq = seqOf(store.readDocument(docid), (document) => document.seq);
    if (seq !== null) live.set(docid, seq);
    assert.equal(listed.includes(docid), seq !== null, docid);
  }
  return live;
}

/** As a database is opened, where the index may have to be made again from the files. */
async function reopen(files: MemoryFiles): Promise<Store> {
  const store = await openStore(files);
  for (const seq of liveIn(store).values()) store.raiseSeq(seq);
  return store;
}

/** What the trash tells, every item read. */
function trashIn(store: Store): Map<string, Items> {
  return new Map(
    store.trash.list().map((entry) => {
      const sections = entry.sections.map(({ kbid }): [string, number] => {
        const stored = store.trash.readSection(entry, kbid);
        const text = TEXTS.find((text) => idOf(text) === kbid)!;
        if (stored.state === "found") {
          assert.equal(new TextDecoder().decode(stored.value.content), text);
        }
        return [text, seqOf(stored, ({ meta }) => meta.seq)!];
      });
      const documents = entry.documents.map(({ docid }): [string, number] => {
        return [docid, seqOf(store.trash.readDocument(entry, docid), (document) => document.seq)!];
      });
      return [entry.name, new Map([...sections, ...documents])];
    }),
  );
}

function seqOf<T>(outcome: ReadOutcome<T>, seq: (value: T) => number): number | null {
  if (outcome.state === "missing") return null;
  assert(outcome.state === "found", outcome.state);
  return seq(outcome.value);
}

/**
 * The store holds what the acknowledged operations made of it, and of those that were refused at the
 * end either the first few or none, each whole. Returns the operations that count.
 */
function verify(
  store: Store,
  told: readonly Operation[],
  options: { refusedAreGone: boolean; trash: boolean },
): Operation[] {
  const refused = told.filter(({ acknowledged }) => !acknowledged);
  const most = options.refusedAreGone ? 0 : refused.length;
  const live = liveIn(store);
  const trash = trashIn(store);
  const faults: unknown[] = [];
  for (let count = 0; count <= most; count++) {
    const counted = told.filter((operation) =>
      operation.acknowledged || refused.indexOf(operation) < count
    );
    try {
      const model = modelOf(counted);
      assert.deepEqual(live, model.live);
      if (options.trash) assert.deepEqual(trash, model.trash);
      return counted;
    } catch (error) {
      faults.push(error);
    }
  }
  throw faults[0];
}

const stay = () => Promise.resolve();
const crash = (tornBytes: number) => (files: MemoryFiles) =>
  Promise.resolve(files.crash({ tornBytes }));

/** What happens at the failing call, and once more after the restart. */
const ENDS = {
  "one call fails": { all: false, first: stay, then: crash(0) },
  "the process is killed": { all: true, first: stay, then: crash(0) },
  "the process is killed, names stay": { all: true, first: stay, then: crashWithNames },
  "the power is cut": { all: true, first: crash(0), then: crash(0) },
  "the power is cut, torn": { all: true, first: crash(11), then: crashWithNames },
  "the power is cut, names stay": { all: true, first: crashWithNames, then: crash(0) },
} as const;

async function runFailing(
  options: { seed: number; calls: number; end: keyof typeof ENDS },
): Promise<void> {
  const { all, first, then } = ENDS[options.end];
  const { files, store, told, kill } = await prepared();
  failAfter(files, options.calls, { all });
  await script(store, { seed: options.seed, told });
  if (!all) verify(store, told, { refusedAreGone: true, trash: false });
  kill();
  files.beforeChange = undefined;
  await first(files);
  const second = await reopen(files);
  const counted = verify(second, told, { refusedAreGone: !all, trash: true });
  for (const operation of counted) operation.acknowledged = true;
  const final = { refusedAreGone: true, trash: true };
  await then(files);
  const third = await reopen(files);
  verify(third, told, final);
  await commit(third, { kind: "remove", texts: ["text 0"], docids: [] }, told);
  await checkpoint(third);
  await commit(third, { kind: "learn", texts: ["text 0"], docid: "doc 0" }, told);
  await then(files);
  const fourth = await reopen(files);
  verify(fourth, told, final);
  await fourth.flushFiles();
  // Neither the journal nor the index is needed for what was removed to stay so.
  for (const folder of [fourth.paths.journal, fourth.paths.indexes]) files.removeTree(folder);
  verify(await reopen(files), told, final);
}

const SEEDS = [3, 14];

for (const [i, end] of (Object.keys(ENDS) as (keyof typeof ENDS)[]).entries()) {
  test(`Store removes whole or not at all: ${end} (B02)`, async () => {
    const seed = SEEDS[i % SEEDS.length];
    const { files, store, told } = await prepared();
    const total = await countChanges(files, () => script(store, { seed, told }));
    verify(store, told, { refusedAreGone: true, trash: true });
    assert.ok(total > 100, `only ${total} calls`);
    const calls = Array.from({ length: total + 1 }, (_, call) => call);
    await Promise.all(calls.map((calls) =>
      runFailing({ seed, calls, end }).catch((error) => {
        throw new Error(`Failing call ${calls}: ${error.stack}`, { cause: error });
      })
    ));
  });
}
