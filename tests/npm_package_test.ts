import { Client } from "@modelcontextprotocol/sdk/client";
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { serverTransport, toolJson } from "./mcp/client.ts";
import { run, type RunResult, runtime } from "./support/command.ts";
import { projectRoot, readProjectFile } from "./support/project.ts";
import { tempDir } from "./support/temp_dir.ts";

/** The package is built before the tests run under Node; under Deno there may be none. */
const skip = runtime === "deno" ? "the package is tested under Node" : false;

/** A whole package, the core included, stays below this. */
const MAX_PACKED_BYTES = 2_000_000;

const CONSUMER = `
import { KbdbError, openDatabase } from "@dikolab/kbdb";

export async function find(path: string): Promise<string[]> {
  const database = await openDatabase(path);
  try {
    const { items } = await database.search("word", { limit: 5 });
    return items.map((item) => item.kbid);
  } catch (error) {
    if (error instanceof KbdbError && error.code === "not_found") return [];
    throw error;
  } finally {
    await database.close();
  }
}

// @ts-expect-error: a path is text
await openDatabase(42);
`;

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: "nodenext",
    moduleResolution: "nodenext",
    target: "es2022",
    lib: ["esnext", "dom"],
    types: [],
    skipDefaultLibCheck: true,
  },
  files: ["consumer.ts"],
};

async function succeed(command: string[], cwd: string): Promise<RunResult> {
  const result = await run(command, { cwd, timeoutMs: 120_000 });
  assert.equal(result.code, 0, `${command.join(" ")}\n${result.stdout}${result.stderr}`);
  return result;
}

/** Packs the package and installs it, without a network, into an empty project in `folder`. */
async function install(folder: string): Promise<{ packedBytes: number }> {
  await succeed(["npm", "pack", join(projectRoot, "npm"), "--silent"], folder);
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const flags = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await succeed(["npm", "install", `./${tarball}`, ...flags], folder);
  return { packedBytes: statSync(join(folder, tarball)).size };
}

test("the npm package works in an empty project", { skip }, async (t) => {
  using folder = tempDir();
  const { packedBytes } = await install(folder.path);
  const home = folder.join("node_modules/@dikolab/kbdb");
  const { version } = JSON.parse(readProjectFile("deno.json"));

  await t.test("has no dependencies [client-start-2]", () => {
    const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    assert.equal(manifest.dependencies, undefined);
    assert.equal(manifest.version, version);
    const installed = readdirSync(folder.join("node_modules")).filter((n) => !n.startsWith("."));
    assert.deepEqual(installed, ["@dikolab"]);
  });

  await t.test("is small", () => {
    t.diagnostic(`packed ${packedBytes} bytes`);
    assert.ok(packedBytes < MAX_PACKED_BYTES, `${packedBytes} bytes`);
  });

  await t.test("carries the licences of what it bundles", () => {
    const text = readFileSync(join(home, "THIRD-PARTY-LICENSES.txt"), "utf8");
    for (
      const name of ["smol-toml", "ignore", "type-flag", "pulldown-cmark", "fst", "xxhash-rust"]
    ) {
      assert.ok(text.includes(name), name);
    }
  });

  await t.test("has what its README links to", () => {
    const text = readFileSync(join(home, "README.md"), "utf8");
    const links = Array.from(text.matchAll(/\]\(([^):]+)\)/g), ([, path]) => path);
    assert.ok(links.length > 0);
    assert.deepEqual(links.filter((path) => !existsSync(join(home, path))), []);
  });

  await t.test("has a command that tells its version", async () => {
    const command = folder.join("node_modules/.bin/kbdb");
    const { stdout } = await succeed([command, "--version"], folder.path);
    assert.ok(stdout.includes(version), stdout);
  });

  await t.test("has types for a strict consumer", async () => {
    writeFileSync(folder.join("consumer.ts"), CONSUMER);
    writeFileSync(folder.join("tsconfig.json"), JSON.stringify(TSCONFIG));
    const compiler = join(projectRoot, "node_modules/typescript/bin/tsc");
    await succeed([process.execPath, compiler, "-p", "."], folder.path);
  });

  await t.test("finds again what it learned", async () => {
    mkdirSync(folder.join("notes"));
    const script = `
      import { openDatabase } from "@dikolab/kbdb";
      const database = await openDatabase("notes/.kbdb", { create: true });
      const { kbid } = await database.learn({ content: "The heron stands in the reeds." });
      const { items } = await database.search("heron");
      await database.close();
      console.log(items.length === 1 && items[0].kbid === kbid ? "found" : "lost");
    `;
    writeFileSync(folder.join("script.js"), script);
    const command = [process.execPath, "script.js"];
    const stop = [folder.join("node_modules/.bin/kbdb"), "worker", "stop", "--db", "notes/.kbdb"];
    try {
      assert.equal((await succeed(command, folder.path)).stdout, "found\n");
    } finally {
      await run(stop, { cwd: folder.path });
    }
  });

  await t.test("serves an agent host through npx [install-01]", async () => {
    const database = folder.join("served.kbdb");
    const server = serverTransport(database, {
      command: ["npx", "--no-install", "kbdb"],
      cwd: folder.path,
    });
    const client = new Client({ name: "kbdb-test", version: "1.0.0" });
    try {
      await client.connect(server);
      assert.equal(client.getServerVersion()?.version, version);
      const { kbid } = await toolJson(client, "learn", {
        content: "The heron stands in the reeds.",
      });
      const { items } = await toolJson(client, "search", { query: "heron" });
      assert.deepEqual(items.map((item: { kbid: string }) => item.kbid), [kbid]);
      assert.equal((await client.listTools()).tools.length, 20);
    } finally {
      await client.close();
      await run([folder.join("node_modules/.bin/kbdb"), "worker", "stop", "--db", database]);
    }
  });
});
