import assert from "node:assert/strict";
import { test } from "node:test";
import { kbdb } from "../support/command.ts";
import { tempDir } from "../support/temp_dir.ts";
import { bytesOf, faultsOf, WIRE_PROBES } from "./wire_probes.ts";

/** How many processes run side by side. */
const LANES = 2;

test("kbdb mcp on the wire", async (t) => {
  using folder = tempDir();
  const db = folder.join("probe.kbdb");
  await kbdb(["db", "init", db]);
  const left = [...WIRE_PROBES];
  const faults = new Map<string, string[]>();
  const lane = async () => {
    for (let probe = left.shift(); probe; probe = left.shift()) {
      const { code, stdout, stderr } = await kbdb(["mcp", "--db", db], { input: bytesOf(probe) });
      const ended = code === 0 ? [] : [`Ended with ${code}: ${stderr}`];
      faults.set(probe.name, [...ended, ...faultsOf(probe, stdout)]);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  for (const { name } of WIRE_PROBES) {
    await t.test(name, () => assert.deepEqual(faults.get(name), []));
  }
});
