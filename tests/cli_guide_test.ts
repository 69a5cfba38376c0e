import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { kbdb, kbdbCommand, run } from "./support/command.ts";
import { projectFiles, readProjectFile } from "./support/project.ts";
import { tempDir } from "./support/temp_dir.ts";

/** A block of shell in a page. */
interface Block {
  readonly line: number;
  readonly script: string;
  /** The exit code that the page says it has. */
  readonly code: number;
}

/**
 * The blocks of a page that are to be run: those that begin with `sh`, or with `sh exit=N` where that is
 * their exit code. `sh ignore` marks one that must not be run.
 */
function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```sh(?: ([^\n]*))?\n(.*?)^```$/gms)]
    .filter(([, words]) => words !== "ignore")
    .map(({ index, 1: words, 2: script }) => ({
      line: page.slice(0, index).split("\n").length,
      script,
      code: Number(/^exit=(\d+)$/.exec(words ?? "exit=0")?.[1]),
    }));
}

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJ" +
  "RU5ErkJggg==";

/** What a reader has in `~/notes`. */
const NOTES: Record<string, string | Uint8Array> = {
  "README.md": "# Notes\n\nWhere they are.",
  "plan.png": Buffer.from(PIXEL, "base64"),
  "handbook/parcels.md":
    "# Parcels\n\nBlue parcels go left.\n\n## Rates\n\nSee [letters](letters.md).",
  "handbook/letters.md": "# Letters\n\nAll letters go right.",
};

/** A home with notes, and `kbdb` on its path. */
function readersHome() {
  const folder = tempDir("kbdb-guide-");
  for (const [name, data] of Object.entries(NOTES)) {
    mkdirSync(dirname(folder.join("notes", name)), { recursive: true });
    writeFileSync(folder.join("notes", name), data);
  }
  const command = kbdbCommand().map((word) => `'${word}'`).join(" ");
  mkdirSync(folder.join("bin"));
  writeFileSync(folder.join("bin/kbdb"), `#!/bin/sh\nexec ${command} "$@"\n`);
  chmodSync(folder.join("bin/kbdb"), 0o755);
  writeFileSync(folder.join("cwd"), folder.join("notes"));
  return {
    folder,
    /** Runs a script where the one before ended. */
    run: (script: string) => {
      const wrapped = `cd "$(cat ~/cwd)"; trap 'pwd > ~/cwd' EXIT; set -e\n${script}`;
      const path = `${folder.join("bin")}${delimiter}${process.env.PATH}`;
      // The caches of the runtime stay where they are, away from the reader's home.
      const cache = process.env.DENO_DIR ?? join(process.env.HOME ?? "", ".cache/deno");
      const env = { HOME: folder.path, PATH: path, DENO_DIR: cache };
      return run(["sh", "-c", wrapped], { env, cwd: folder.path, timeoutMs: 60_000 });
    },
    async [Symbol.asyncDispose]() {
      await kbdb(["worker", "stop", "--db", folder.join("notes/.kbdb")]);
      folder.remove();
    },
  };
}

/** Where the pages after the first begin. */
const BEGUN = "kbdb db init && kbdb learn handbook/ && echo hello | kbdb learn - --title Greeting";
const FIRST = "docs/guide/getting-started.md";

for (const path of projectFiles("docs/guide", ".md")) {
  test(`every example of ${path} runs`, async (context) => {
    if (process.platform === "win32") return context.skip("the examples are for a Unix shell");
    await using home = readersHome();
    if (path !== FIRST) assert.equal((await home.run(BEGUN)).code, 0);
    for (const { line, script, code } of blocksOf(readProjectFile(path))) {
      const result = await home.run(script);
      assert.equal(result.code, code, `${path}:${line}\n${script}\n${result.stderr}`);
    }
  });
}

test("blocksOf() finds what is to be run, and what it ends with", () => {
  const page =
    "a\n```sh\none\ntwo\n```\n```sh exit=3\nthree\n```\n```sh ignore\nno\n```\n```ts\nno\n```\n";
  assert.deepEqual(blocksOf(page), [
    { line: 2, script: "one\ntwo\n", code: 0 },
    { line: 6, script: "three\n", code: 3 },
  ]);
});
