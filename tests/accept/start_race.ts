/**
 * Starts many clients at once on a database without a daemon, and proves that one daemon serves
 * them all; every other round beside the socket and lock of a killed one.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { kbdb, kbdbJson } from "../support/command.ts";
import { daemonPids, until } from "../support/processes.ts";
import { daemonPid, scratchDatabase } from "./scratch.ts";

const ROUNDS = 20;
const CLIENTS = 30;
const WORD = "zebrafish";

/** Whether one client, started as a process of its own, found the section. */
async function search(database: string): Promise<boolean> {
  const { code, stdout, stderr } = await kbdb(["search", WORD, "--json", "--db", database], {
    timeoutMs: 120_000,
  });
  const found = code === 0 && JSON.parse(stdout).items.length === 1;
  if (!found) console.error(`A client got no hit: exit code ${code} ${stderr}${stdout}`);
  return found;
}

/** Leaves a database without daemon, with or without its socket and lock. */
async function endDaemon(database: string, how: "kill" | "stop"): Promise<void> {
  if (how === "kill") process.kill(await daemonPid(database), "SIGKILL");
  else await kbdbJson(["worker", "stop", "--db", database]);
  await until(() => daemonPids(database).length === 0, 10_000);
}

/**
 * Collects the process ids of all daemons that offer themselves while `work` goes on, other than
 * those that a killed one left behind.
 */
async function daemonsDuring(
  database: string,
  work: () => Promise<unknown>,
): Promise<Set<number>> {
  const path = join(database, "worker/endpoint");
  const before = offered(path);
  const pids = new Set<number>();
  let done = false;
  const finished = work().finally(() => done = true);
  while (!done) {
    const pid = offered(path);
    if (pid !== undefined && pid !== before) pids.add(pid);
    await sleep(2);
  }
  await finished;
  return pids;
}

/** The process id in the endpoint file, if there is one. */
function offered(path: string): number | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")).pid;
  } catch {
    return undefined;
  }
}

/** One round; returns the number of clients that got a hit. */
async function round(database: string, number: number): Promise<number> {
  // Round 2, 4 ... find what kill -9 left.
  const left = number % 2 === 0 ? "kill" : "stop";
  await endDaemon(database, left);
  const start = performance.now();
  let found = 0;
  const served = await daemonsDuring(database, async () => {
    const hits = await Promise.all(Array.from({ length: CLIENTS }, () => search(database)));
    found = hits.filter(Boolean).length;
  });
  const took = Math.round(performance.now() - start);
  const pid = await daemonPid(database);
  await sleep(1000);
  const pids = daemonPids(database);
  const state = left === "kill" ? "stale socket and lock" : "clean";
  console.log(
    `round ${number}, ${state}: ${found} of ${CLIENTS} hits, ` +
      `served by ${[...served].join(", ")}, after a second ${pids.join(", ")}, ${took} ms`,
  );
  if (served.size !== 1 || !served.has(pid)) {
    throw new Error(`Not one and the same daemon: ${[...served].join(", ")} beside ${pid}`);
  }
  if (pids.length !== 1 || pids[0] !== pid) {
    throw new Error(`Not one daemon a second later: ${pids.join(", ")} beside ${pid}`);
  }
  return found;
}

/** The part `race` of the acceptance. */
export async function startRace(): Promise<void> {
  await using database = await scratchDatabase();
  const content = `The ${WORD} lives in rivers.`;
  await kbdbJson(["learn", "-", "--title", "Fish", "--db", database.path], { input: content });
  let hits = 0;
  for (let number = 1; number <= ROUNDS; number++) hits += await round(database.path, number);
  console.log(`replies with a hit: ${hits} of ${ROUNDS * CLIENTS}`);
  if (hits < ROUNDS * CLIENTS) throw new Error(`${ROUNDS * CLIENTS - hits} replies without a hit`);
}
