/**
 * Bundles the harness for Node into `build/bench`; the product it measures is the package in `npm`,
 * which must have been built.
 *
 * @module
 */

import * as esbuild from "esbuild";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { adaptSources, NODE_VERSION } from "../../npm_build.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const OUT_DIR = join(ROOT, "build/bench");
const MAIN = "bench/run-benchmark.ts";
const PAIR = ["bench/start_pair/node_client.ts", "bench/start_pair/node_daemon.ts"];

/** Lets the harness use the built package. */
const usePackage: esbuild.Plugin = {
  name: "kbdb-package",
  setup(build) {
    build.onResolve({ filter: /^(\.\.\/)+mod\.ts$/ }, ({ path, resolveDir }) => {
      const isDoor = join(resolveDir, path) === join(ROOT, "mod.ts");
      return isDoor ? { path: "../../npm/mod.js", external: true } : undefined;
    });
  },
};

/** Bundles entry files into a folder. */
async function bundle(entryPoints: string[], outdir: string): Promise<void> {
  await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: `node${NODE_VERSION}`,
    packages: "external",
    logLevel: "warning",
    plugins: [
      usePackage,
      adaptSources({ outDir: outdir, entries: "../../npm/", mainModules: [join(ROOT, MAIN)] }),
    ],
  });
}

rmSync(OUT_DIR, { recursive: true, force: true });
await bundle([MAIN], OUT_DIR);
await bundle(PAIR, join(OUT_DIR, "start_pair"));
await esbuild.stop();
