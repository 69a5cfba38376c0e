/**
 * kbdb by its library: through its daemon, or with `--no-daemon` in this process. The module is the
 * sources under Deno, the built package under Node.
 */

import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { LIMIT, serve } from "./serve.mjs";

const inProcess = process.argv.includes("--no-daemon");

/** Ends the daemon, so that its files are complete before they are counted. */
function stopDaemon(data, module) {
  const cli = fileURLToPath(new URL(module.endsWith(".ts") ? "cli.ts" : "cli.js", module));
  const run = process.versions.deno === undefined ? [cli] : ["run", "-A", "--no-check", cli];
  const { status } = spawnSync(process.execPath, [...run, "worker", "stop", "--db", data]);
  if (status !== 0) throw new Error(`Cannot stop the daemon: code ${status}`);
}

await serve(async ({ data, packages: module }) => {
  const { openDatabase } = await import(module);
  const db = await openDatabase(data, {
    create: true,
    daemon: inProcess ? "never" : "auto",
    onNotice(sentence) {
      throw new Error(`Cannot measure without a daemon: ${sentence}`);
    },
  });
  return {
    version: async () => `kbdb ${(await db.status()).version}`,
    async index(file) {
      const { sections, failed } = await db.learnBatch(file);
      if (failed.length > 0) throw new Error(`Cannot learn all: ${failed[0].message}`);
      return sections;
    },
    search: async (query) => (await db.search(query, { limit: LIMIT })).items,
    insert: ({ title, tags, content }) => db.learn({ title, tags, content }),
    async memory() {
      const { daemon_rss_bytes } = await db.status();
      if (inProcess) return { rss: daemon_rss_bytes };
      return { rss: daemon_rss_bytes, client_rss: process.memoryUsage.rss() };
    },
    async close() {
      await db.close();
      if (!inProcess) stopDaemon(data, module);
    },
  };
});
