import assert from "node:assert/strict";
import { test } from "node:test";
import type { ScanKind } from "../../store/scan.ts";
import { FolderTimes } from "./folders.ts";

const NOW = 1_000_000;

/** Folders with times that a test sets. */
function folders() {
  const times = { documents: new Map<string, number>(), sections: new Map<string, number>() };
  const seen = new FolderTimes({
    scanFolders: (kind: ScanKind) => [...times[kind].keys()],
    folderTime: (kind: ScanKind, name: string) => times[kind].get(name) ?? null,
  });
  return { times, seen };
}

test("look() tells folders that changed, came or went", async () => {
  const { times, seen } = folders();
  times.sections = new Map([["0a", 1], ["0b", 2], ["0c", 3]]);
  times.documents = new Map([["aa", 1]]);
  assert.deepEqual(await seen.look(NOW), { documents: ["aa"], sections: ["0a", "0b", "0c"] });
  assert.deepEqual(await seen.look(NOW), { documents: [], sections: [] });
  times.sections = new Map([["0a", 1], ["0b", 7], ["0d", 3]]);
  assert.deepEqual(await seen.look(NOW), { documents: [], sections: ["0b", "0c", "0d"] });
});

test("look() looks again at what changed within the same tick", async () => {
  const { times, seen } = folders();
  times.sections = new Map([["0a", NOW - 500]]);
  for (const now of [NOW, NOW + 1000]) {
    assert.deepEqual((await seen.look(now)).sections, ["0a"]);
  }
  assert.deepEqual((await seen.look(NOW + 5000)).sections, ["0a"]);
  assert.deepEqual((await seen.look(NOW + 6000)).sections, []);
});
