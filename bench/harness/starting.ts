/**
 * How long a start takes, from no daemon to the first answer, as whole processes; beside it the
 * least client and daemon that this runtime can have.
 *
 * @module
 */

import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import {
  elapsed,
  kbdbCommand,
  leastPair,
  memoryOf,
  openSettled,
  run,
  stopDaemon,
} from "./product.ts";
import { type Measurement, measurement } from "./result_file.ts";
import { measureVaried } from "./searching.ts";
import { filesBelow, type Subject } from "./subject.ts";

/** Both in turn, so that they meet the same machine; then searches of a daemon that is new. */
export async function measureStart(subject: Subject): Promise<Measurement[]> {
  const { path, n } = subject;
  const files = await loadedFiles(path);
  const pair = leastPair();
  const own: number[] = [];
  const least: number[] = [];
  for (let i = 0; i < n; i++) {
    await stopDaemon(path);
    own.push(await elapsed(() => run(kbdbCommand("search", "parcel", "--db", path))));
    if (pair) least.push(await timedPair(pair, { number: i, files }));
  }
  await using db = await openSettled(path);
  const about = { operation: "start", variant: "whole-process", ...await memoryOf(db) };
  return [
    measurement(about, own),
    ...(least.length > 0 ? [measurement(LEAST, least)] : []),
    await measureVaried(db, subject, "after-restart"),
  ];
}

const LEAST = {
  operation: "start",
  variant: "least-pair",
  wasm_memory_bytes: null,
  daemon_rss_bytes: null,
};

async function timedPair(
  pair: readonly string[],
  { number, files }: { number: number; files: readonly string[] },
): Promise<number> {
  const address = join(tmpdir(), `kbdb-pair-${process.pid}-${number}.sock`);
  try {
    return await elapsed(() => run([...pair, address, ...files]));
  } finally {
    rmSync(address, { force: true });
  }
}

/** The files that a daemon loads: those of positions stay on disk. */
async function loadedFiles(path: string): Promise<string[]> {
  await using db = await openSettled(path);
  const { index: { generation } } = await db.status();
  if (generation === null) return [];
  return filesBelow(join(path, "indexes", generation))
    .filter((file) => !file.endsWith("positions.idx"));
}
