import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { MemoryFiles } from "../platform/memory_files.ts";
import { FileError } from "../platform/types.ts";
import { Journal } from "./journal.ts";
import { encodeRecord, type JournalRecord } from "./journal_record.ts";
import { bytesOf, documentOf, idOf, removalOf, sectionOf } from "./testing.ts";

const FOLDER = "/journal";

function recordOf(seq: number, text = `text of ${seq}`): JournalRecord {
  const { meta, content } = sectionOf(text, { seq, title: `title "${seq}" \0 🐘` });
  return {
    seq,
    sections: [
      { meta, docids: ["d"], content },
      { meta, docids: [], content: null },
    ],
    documents: [documentOf(`doc ${seq}`, { texts: [text], seq })],
    requests: [{ key: `key ${seq}`, at: seq, answer: { ok: true } }],
    removal: null,
  };
}

function open(files: MemoryFiles, options: { writable?: boolean } = {}) {
  return Journal.open(files, {
    folder: FOLDER,
    writable: options.writable ?? true,
    checksum: crc32,
  });
}

function seqsIn(files: MemoryFiles): number[] {
  return open(files, { writable: false }).content.records.map((record) => record.seq);
}

async function filled(count: number): Promise<{ files: MemoryFiles; path: string }> {
  const files = new MemoryFiles();
  const { journal } = open(files);
  await Promise.all(Array.from({ length: count }, (_, i) => journal.append(recordOf(i + 1))));
  await journal.close();
  return { files, path: `${FOLDER}/00000001.log` };
}

test("Journal gives back records whole and in order", async () => {
  const { files } = await filled(5);
  const { content } = open(files);
  assert.deepEqual(content.records, [1, 2, 3, 4, 5].map((seq) => recordOf(seq)));
  assert.deepEqual(content.warnings, []);
});

test("Journal reads records of an older program", async () => {
  const files = new MemoryFiles();
  const { journal } = open(files);
  const whole = recordOf(1);
  const { removal: _, ...record } = whole;
  const old = {
    ...record,
    sections: record.sections.map(({ meta, ...rest }) => {
      const { supersedes: _, superseded_by: __, ...known } = meta;
      return { ...rest, meta: known };
    }),
    documents: record.documents.map(({ agent: _, ...known }) => known),
  };
  await journal.append(old as unknown as JournalRecord);
  assert.deepEqual(open(files).content.records, [whole]);
});

test("Journal keeps removals and revisions", async () => {
  const files = new MemoryFiles();
  const { journal } = open(files);
  const { meta, content } = sectionOf("new", { supersedes: [idOf("old")] });
  const agent = { name: "sorter", description: "", persona: "Sort.\n" };
  const record: JournalRecord = {
    seq: 7,
    sections: [{ meta, content, docids: [] }],
    documents: [documentOf("agent-sorter", { agent })],
    requests: [],
    removal: {
      ...removalOf(7, { docids: ["d"] }),
      sections: [{ kbid: idOf("a"), places: [{ docid: "d", index: 2, gap: "\n" }] }],
    },
  };
  await journal.append(record);
  assert.deepEqual(open(files).content.records, [record]);
});

test("Journal flushes records that come together once (D46)", async () => {
  const files = new MemoryFiles();
  const { journal } = open(files);
  await journal.append(recordOf(1));
  let flushes = 0;
  files.beforeChange = ({ action }) => void (flushes += action === "flush" ? 1 : 0);
  const order: number[] = [];
  const appends = [2, 3, 4, 5].map((seq) =>
    journal.append(recordOf(seq)).then(() => order.push(seq))
  );
  await Promise.all(appends);
  assert.equal(flushes, 1);
  assert.deepEqual(order, [2, 3, 4, 5]);
  assert.deepEqual(seqsIn(files), [1, 2, 3, 4, 5]);
});

test("Journal gather() lets later writes join a flush (D46)", async () => {
  const files = new MemoryFiles();
  const { journal } = open(files);
  await journal.append(recordOf(1));
  let flushes = 0;
  files.beforeChange = ({ action }) => void (flushes += action === "flush" ? 1 : 0);
  const first = journal.gather();
  const second = journal.gather();
  const early = journal.append(recordOf(2));
  await new Promise((resolve) => setTimeout(resolve, 5));
  first();
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(flushes, 0);
  const late = journal.append(recordOf(3));
  second();
  await Promise.all([early, late]);
  assert.equal(flushes, 1);
  assert.deepEqual(seqsIn(files), [1, 2, 3]);
});

test("Journal cuts a torn tail at every byte", async () => {
  const { files, path } = await filled(3);
  const whole = files.read(path);
  const end = whole.length - encodeRecord(recordOf(3), crc32).length;
  for (let size = end; size < whole.length; size++) {
    files.write(path, whole.subarray(0, size));
    const { journal, content } = open(files);
    assert.deepEqual(content.records.map((record) => record.seq), [1, 2], `${size}`);
    assert.deepEqual(content.warnings, []);
    assert.equal(files.stat(path).size, end);
    if (size % 16 !== 0) continue;
    await journal.append(recordOf(4));
    assert.deepEqual(seqsIn(files), [1, 2, 4], `${size}`);
  }
});

test("Journal takes a tail of zeros for torn (B02)", async () => {
  const { files, path } = await filled(3);
  const whole = files.read(path);
  const end = whole.length - encodeRecord(recordOf(3), crc32).length;
  for (const from of [end, end + 4, end + 12, end + 100]) {
    files.write(path, whole.slice().fill(0, from));
    assert.deepEqual(open(files).content.records.map((record) => record.seq), [1, 2]);
  }
});

test("Journal keeps records behind damage, and the damage", async () => {
  const { files, path } = await filled(4);
  const whole = files.read(path);
  const start = encodeRecord(recordOf(1), crc32).length;
  const size = encodeRecord(recordOf(2), crc32).length;
  for (let at = start; at < start + size; at += 7) {
    const damaged = whole.slice();
    damaged[at] ^= 0x55;
    files.write(path, damaged);
    const { content } = open(files);
    assert.deepEqual(content.records.map((record) => record.seq), [1, 3, 4], `byte ${at}`);
    assert.equal(content.warnings.length, 1);
    assert.match(content.warnings[0], new RegExp(`damaged from byte ${start} to ${start + size}:`));
    const kept = files.read(`${path}.damaged-${start}`);
    assert.deepEqual(kept, damaged.subarray(start, start + size));
  }
});

test("Journal reads without writing where it may not", async () => {
  const { files, path } = await filled(3);
  const whole = files.read(path);
  whole[20] ^= 1;
  files.write(path, whole.subarray(0, whole.length - 5));
  files.beforeChange = (change) => assert.fail(JSON.stringify(change));
  const { content } = open(files, { writable: false });
  assert.deepEqual(content.records.map((record) => record.seq), [2]);
});

test("Journal takes contents that look like records", async () => {
  const files = new MemoryFiles();
  const { journal } = open(files);
  const inner = recordOf(99);
  const outer: JournalRecord = {
    ...recordOf(1),
    sections: [{ ...recordOf(1).sections[0], content: encodeRecord(inner, crc32) }],
  };
  await journal.append(outer);
  await journal.append(recordOf(2));
  assert.deepEqual(open(files).content.records, [outer, recordOf(2)]);
});

test("Journal rejects what it cannot flush, and forgets it", async () => {
  const files = new MemoryFiles();
  const { journal } = open(files);
  await journal.append(recordOf(1));
  for (const nth of [0, 1, 2]) {
    let calls = 0;
    files.beforeChange = ({ action }) => {
      if (calls++ === nth) throw new FileError("no_space", action, FOLDER, "no space");
    };
    const appended = [2, 3].map((seq) => journal.append(recordOf(seq)));
    for (const done of await Promise.allSettled(appended)) assert.equal(done.status, "rejected");
    files.beforeChange = undefined;
    assert.deepEqual(seqsIn(files), [1], `call ${nth}`);
  }
  await journal.append(recordOf(4));
  assert.deepEqual(seqsIn(files), [1, 4]);
});

test("Journal rejects what was appended during a failing flush", async () => {
  const files = new MemoryFiles();
  const { journal } = open(files);
  let later: Promise<void> | undefined;
  files.beforeChange = ({ action }) => {
    if (action !== "flush" || later) return;
    later = journal.append(recordOf(2));
    later.catch(() => {});
    throw new FileError("no_space", "flush", FOLDER, "no space");
  };
  await assert.rejects(journal.append(recordOf(1)), FileError);
  await assert.rejects(later!, FileError);
  await journal.append(recordOf(3));
  assert.deepEqual(seqsIn(files), [3]);
});

test("Journal stays usable when not even cutting works", async () => {
  const files = new MemoryFiles();
  const { journal } = open(files);
  await journal.append(recordOf(1));
  for (const failing of ["write", "flush"]) {
    files.beforeChange = ({ action }) => {
      if (action === failing || action === "cut") {
        throw new FileError("no_space", action, FOLDER, "no space");
      }
    };
    await assert.rejects(journal.append(recordOf(2)), FileError);
    await assert.rejects(journal.append(recordOf(3)), FileError);
    await assert.rejects(journal.rotate(), FileError);
    files.beforeChange = undefined;
  }
  await journal.append(recordOf(4));
  assert.deepEqual(seqsIn(files), [1, 4]);
});

test("Journal rotate() begins a part after all before it", async () => {
  const files = new MemoryFiles();
  const { journal } = open(files);
  void journal.append(recordOf(1));
  const rotated = journal.rotate();
  await journal.append(recordOf(2));
  assert.equal(await rotated, 1);
  assert.equal(journal.part, 2);
  assert.deepEqual(seqsIn(files), [1, 2]);
  await journal.dropThrough(1);
  assert.deepEqual(seqsIn(files), [2]);
  assert.equal(journal.bytes, encodeRecord(recordOf(2), crc32).length);
  assert.equal(await journal.rotate(), 2);
  assert.equal(await journal.rotate(), 2);
});

test("Journal dropThrough() brings nothing back at a power cut", async () => {
  const dropped = async (calls: number) => {
    const files = new MemoryFiles();
    const { journal } = open(files);
    for (const seq of [1, 2, 3]) {
      await journal.append(recordOf(seq));
      await journal.rotate();
    }
    await files.flush("/");
    let left = calls;
    files.beforeChange = ({ action }) => {
      if (left-- <= 0) throw new FileError("no_space", action, FOLDER, "no space");
    };
    const done = await journal.dropThrough(2).then(() => true, () => false);
    files.beforeChange = undefined;
    files.crash();
    return { done, seqs: seqsIn(files) };
  };
  for (let calls = 0;; calls++) {
    const { done, seqs } = await dropped(calls);
    // Never one without its successors.
    assert.ok([[1, 2, 3], [2, 3], [3]].some((left) => `${left}` === `${seqs}`), `${seqs}`);
    if (!done) continue;
    assert.deepEqual(seqs, [3]);
    break;
  }
});

test("Journal dropThrough() can be repeated after a failure", async () => {
  const files = new MemoryFiles();
  const { journal } = open(files);
  for (const seq of [1, 2, 3]) {
    await journal.append(recordOf(seq));
    await journal.rotate();
  }
  let calls = 0;
  files.beforeChange = ({ action }) => {
    if (calls++ === 1) throw new FileError("permission", action, FOLDER, "not now");
  };
  await assert.rejects(journal.dropThrough(3), FileError);
  files.beforeChange = undefined;
  files.remove(`${FOLDER}/00000003.log`);
  await journal.dropThrough(3);
  assert.deepEqual(seqsIn(files), []);
});

test("Journal names damage at the end of an older part", async () => {
  const { files, path } = await filled(2);
  const { journal } = open(files);
  await journal.rotate();
  await journal.append(recordOf(3));
  const whole = files.read(path);
  files.write(path, whole.subarray(0, whole.length - 3));
  const { content } = open(files);
  assert.deepEqual(content.records.map((record) => record.seq), [1, 3]);
  assert.equal(content.warnings.length, 1);
});

test("Journal flushes its folder after another process made the part", async () => {
  const files = new MemoryFiles();
  files.makeDir(FOLDER);
  await files.flush("/");
  // Written by a process that was killed before it flushed anything.
  files.write(`${FOLDER}/00000001.log`, encodeRecord(recordOf(1), crc32));
  await open(files).journal.append(recordOf(2));
  files.crash();
  assert.deepEqual(seqsIn(files), [1, 2]);
});

test("Journal passes over files that are no parts", async () => {
  const { files } = await filled(1);
  files.write(`${FOLDER}/1.log`, bytesOf("x"));
  files.write(`${FOLDER}/00000001.log.damaged-3`, bytesOf("x"));
  assert.deepEqual(seqsIn(files), [1]);
});
