/**
 * Runs the same tests under Node: bundles every `*_test.ts` with esbuild and hands the bundles to
 * `node --test`. `mod.ts` and the command stand for the built package in `npm/`, which must be there.
 *
 * ```sh
 * deno task test:node
 * ```
 *
 * @module
 */

import * as esbuild from "esbuild";
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { adaptSources, NODE_VERSION } from "../npm_build.ts";
import { projectFiles, projectRoot } from "./support/project.ts";

const OUT_DIR = join(projectRoot, "build/node_tests");

/** Tests of code that only Deno can run. */
const DENO_ONLY = /^src\/platform\/deno_/;

/** Lets tests of the library use the built package. */
const usePackage: esbuild.Plugin = {
  name: "kbdb-package",
  setup(build) {
    build.onResolve({ filter: /^(\.\.\/)+mod\.ts$/ }, ({ path, resolveDir }) => {
      const isDoor = join(resolveDir, path) === join(projectRoot, "mod.ts");
      return isDoor ? { path: "../../npm/mod.js", external: true } : undefined;
    });
  },
};

function testFiles(): string[] {
  return ["src", "tests", "bench"]
    .flatMap((folder) => projectFiles(folder, "_test.ts"))
    .filter((path) => !DENO_ONLY.test(path));
}

/** Bundles the tests side by side into one folder, and returns the paths of the bundles. */
async function bundleTests(files: readonly string[]): Promise<string[]> {
  rmSync(OUT_DIR, { recursive: true, force: true });
  const names = files.map((path) => path.replace(/\.ts$/, "").replaceAll("/", "."));
  await esbuild.build({
    absWorkingDir: projectRoot,
    entryPoints: files.map((path, index) => ({ in: path, out: names[index] })),
    outdir: OUT_DIR,
    outExtension: { ".js": ".mjs" },
    chunkNames: "chunk-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: `node${NODE_VERSION}`,
    packages: "external",
    sourcemap: "linked",
    logLevel: "warning",
    plugins: [usePackage, adaptSources({ outDir: OUT_DIR, entries: "../../npm/" })],
  });
  await esbuild.stop();
  return names.map((name) => join(OUT_DIR, `${name}.mjs`));
}

/** Only the tests whose paths contain one of the words given on the command line, if any. */
function chosen(files: string[]): string[] {
  const words = process.argv.slice(2);
  if (words.length === 0) return files;
  return files.filter((path) => words.some((word) => path.includes(word)));
}

const bundles = await bundleTests(chosen(testFiles()));
const args = [
  "--enable-source-maps",
  "--test",
  "--test-timeout=120000",
  "--test-force-exit",
  "--test-reporter=spec",
  ...bundles,
];
const { status } = spawnSync("node", args, { cwd: projectRoot, stdio: "inherit" });
process.exit(status ?? 1);
