import assert from "node:assert/strict";
import { test } from "node:test";
import type { IndexRecord } from "../../core/search_index.ts";
import type { JournalRecord } from "../../store/journal_record.ts";
import type { Store } from "../../store/store.ts";
import { documentOf, idOf, newDisk, NOON, openStore, sectionOf } from "../../store/testing.ts";
import { WriteState } from "./state.ts";

const TEXT = "a shared text";

function recordOf(seq: number): JournalRecord {
  const { meta, content } = sectionOf(TEXT, { seq, tags: [`${seq}`] });
  return {
    seq,
    sections: [{ meta, docids: [`d${seq}`], content }],
    documents: [documentOf("d", { seq })],
    requests: [],
  };
}

async function newState() {
  const store = await openStore(await newDisk(), { create: {} });
  const state = new WriteState(store, { recordOf: () => null });
  const seqs = () => [state.section(idOf(TEXT))?.meta.seq, state.document("d")?.seq];
  return { store, state, seqs };
}

test("WriteState knows writes that are on their way", async () => {
  const { state, seqs } = await newState();
  assert.deepEqual(seqs(), [undefined, undefined]);
  state.begin(recordOf(1), new Map());
  state.begin(recordOf(2), new Map());
  assert.deepEqual(seqs(), [2, 2]);
  assert.deepEqual(state.section(idOf(TEXT))?.docids, ["d2"]);
});

test("WriteState falls back on the write before one that failed", async () => {
  const { state, seqs } = await newState();
  for (const seq of [1, 2, 3]) state.begin(recordOf(seq), new Map());
  state.end(recordOf(3));
  assert.deepEqual(seqs(), [2, 2]);
  state.end(recordOf(1));
  assert.deepEqual(seqs(), [2, 2]);
  state.end(recordOf(2));
  state.end(recordOf(2));
  assert.deepEqual(seqs(), [undefined, undefined]);
});

test("WriteState finds what is stored once nothing is on its way", async () => {
  const { store, state, seqs } = await newState();
  state.begin(recordOf(1), new Map());
  await store.commit(recordOf(1));
  state.end(recordOf(1));
  assert.deepEqual(seqs(), [1, 1]);
});

function removalOf(seq: number): JournalRecord {
  const removal = {
    name: String(seq).padStart(12, "0"),
    at: NOON.toISOString(),
    reason: "unlearn" as const,
    sections: [{ kbid: idOf(TEXT), places: [] }],
    documents: ["d"],
  };
  return { seq, sections: [], documents: [], requests: [], removal };
}

test("WriteState hides what is being removed, and knows what comes back", async () => {
  const { store, state, seqs } = await newState();
  await store.commit(recordOf(1));
  const live = () => [state.hasSection(idOf(TEXT)), state.hasDocument("d")];
  state.begin(removalOf(2), new Map());
  assert.deepEqual([seqs(), live()], [[undefined, undefined], [false, false]]);
  state.begin(recordOf(3), new Map());
  assert.deepEqual([seqs(), live()], [[3, 3], [true, true]]);
  assert.deepEqual([...state.pendingSections()].map(({ meta }) => meta.seq), [3]);
  state.end(recordOf(3));
  assert.deepEqual([...state.pendingSections()], []);
  state.end(removalOf(2));
  assert.deepEqual([seqs(), live()], [[1, 1], [true, true]]);
});

test("WriteState does not take what is being removed for lost", async () => {
  const store = await openStore(await newDisk(), { create: {} });
  const record = { docids: ["d"] } as unknown as IndexRecord;
  const state = new WriteState(store, { recordOf: () => record });
  assert.equal(state.lost(idOf(TEXT)), record);
  state.begin(removalOf(1), new Map());
  assert.equal(state.lost(idOf(TEXT)), null);
});

test("WriteState refuses to write over a known section that is hidden from it", () => {
  const hidden = {
    hasSection: () => false,
    readSection: () => ({ state: "unreadable", reason: "permission denied" }),
  } as unknown as Store;
  const state = new WriteState(hidden, {
    recordOf: () => ({ docids: [] }) as unknown as IndexRecord,
  });
  assert.throws(() => state.section(idOf(TEXT)), { code: "permission" });
  const unknown = new WriteState(hidden, { recordOf: () => null });
  assert.equal(unknown.section(idOf(TEXT)), null);
});
