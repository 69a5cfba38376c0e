import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { MemoryFiles } from "../platform/memory_files.ts";
import { type BlockFile, readBlock, wholly, writeBlock } from "./index_blocks.ts";

function newFile(facts: Partial<BlockFile> = {}): BlockFile {
  const files = new MemoryFiles();
  return { files, path: "/block", checksum: crc32, generation: 1, segment: 2, ...facts };
}

for (const length of [0, 1, 1 << 20, (1 << 20) + 1, 3_000_000]) {
  test(`readBlock() gives back ${length} bytes, a piece at a time`, () => {
    const file = newFile();
    const bytes = new Uint8Array(length).map((_, i) => i * 31);
    writeBlock(file, bytes);
    const reading = readBlock(file, length);
    let pauses = 0;
    while (true) {
      const { done, value } = reading.next();
      if (done) {
        assert.deepEqual(value, bytes);
        break;
      }
      pauses += 1;
    }
    assert.equal(pauses, Math.ceil(length / (1 << 20)));
  });
}

test("readBlock() refuses another length, segment or generation", () => {
  const file = newFile();
  writeBlock(file, new Uint8Array(100));
  assert.throws(() => wholly(readBlock(file, 99)), /^Error: \/block is longer than it was$/);
  assert.throws(() => wholly(readBlock(file, 101)), /^Error: \/block is shorter than it was$/);
  for (const other of [{ segment: 3 }, { generation: 2 }]) {
    const reading = readBlock({ ...file, ...other }, 100);
    assert.throws(() => wholly(reading), /^Error: \/block is damaged$/);
  }
});

test("readBlock() finds a change in any piece", () => {
  const file = newFile();
  writeBlock(file, new Uint8Array(2_500_000));
  for (const at of [0, 1_048_575, 1_048_576, 2_499_999, 2_500_000, 2_500_031]) {
    const bytes = file.files.read("/block").slice();
    bytes[at] ^= 1;
    file.files.write("/block", bytes);
    assert.throws(() => wholly(readBlock(file, 2_500_000)), /is damaged$/, `byte ${at}`);
    bytes[at] ^= 1;
    file.files.write("/block", bytes);
  }
  assert.equal(wholly(readBlock(file, 2_500_000)).length, 2_500_000);
});
