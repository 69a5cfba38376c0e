import assert from "node:assert/strict";
import { test } from "node:test";
import type { JournalRecord } from "../store/journal_record.ts";
import { documentOf, idOf, newDisk, openStore, sectionOf } from "../store/testing.ts";
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
