/**
 * Acceptance: shows on real files and with real processes that kbdb keeps what it promises. Takes
 * minutes and needs the network once, so it is not among the tests.
 *
 * ```sh
 * deno task accept              # all parts
 * deno task accept kill race    # some
 * ```
 *
 * @module
 */

import process from "node:process";
import { killRounds } from "./kill_rounds.ts";
import { learnPackages } from "./learn_packages.ts";
import { learnReadmes } from "./readmes.ts";
import { startRace } from "./start_race.ts";

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  packages: learnPackages,
  readmes: learnReadmes,
  kill: killRounds,
  race: startRace,
};

/** Runs one part; tells whether it passed. */
async function runPart(name: string): Promise<boolean> {
  const start = performance.now();
  console.log(`\n== ${name}`);
  try {
    await PARTS[name]();
    console.log(`== ${name}: ok, ${seconds(start)}`);
    return true;
  } catch (error) {
    console.error(`== ${name}: FAILED, ${seconds(start)}`);
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
}

function seconds(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PARTS);
const unknown = wanted.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`Unknown part ${unknown.join(", ")}: there are ${Object.keys(PARTS).join(", ")}`);
  process.exit(2);
}
let failures = 0;
for (const name of wanted) {
  if (!await runPart(name)) failures++;
}
console.log(`\n${wanted.length - failures} parts passed, ${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
