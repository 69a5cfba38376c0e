import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { kbdbCommand, kbdbJson, runtime } from "../support/command.ts";
import { projectFiles, projectRoot, readProjectFile } from "../support/project.ts";
import { parse, readImports } from "../support/source_reader.ts";
import { Place, plainEnvironment, type WireMessage, WireServer } from "./wire_server.ts";

/** Makes everything that the server does print something, from its first line on. */
const NOISY = `
const names = ["log", "info", "debug", "table", "dir", "group", "count", "trace", "timeEnd"];
function shout(of) {
  for (const name of names) console[name]("noise of " + of);
}
// Neither runtime calls these itself before the command's own first module is there.
const { parse } = JSON;
JSON.parse = (...args) => (shout("reading"), parse(...args));
const { encode } = TextEncoder.prototype;
TextEncoder.prototype.encode = function (text) {
  shout("writing");
  return encode.call(this, text);
};
await import(ENTRY);
`;

/** The command of this runtime with another script in the place of its entry file. */
function commandWith(script: string): string[] {
  const command = kbdbCommand();
  return [...command.slice(0, -1), script];
}

test("what code prints to the console never reaches stdout [client-start-7 wire-03 wire-04 module-transport-1]", async () => {
  await using place = new Place();
  const path = await place.database();
  const script = place.folder.join("noisy.mjs");
  const entry = pathToFileURL(kbdbCommand().at(-1)!).href;
  writeFileSync(script, NOISY.replace("ENTRY", JSON.stringify(entry)));
  await using server = WireServer.on(path, { command: commandWith(script) });
  await server.hello();
  const { kbid } = await server.tool("learn", { content: "Herons stand in reeds." });
  assert.equal((await server.tool("search", { query: "herons" })).items[0].kbid, kbid);
  assert.equal(await server.end(), 0);
  assert.match(server.stderr, /noise of reading/);
  assert.match(server.stderr, /noise of writing/);
  for (const line of server.stdout.trimEnd().split("\n")) {
    assert.equal(JSON.parse(line).jsonrpc, "2.0");
  }
});

/** What a session says that does not depend on the time. */
async function session(
  path: string,
  options: Partial<ConstructorParameters<typeof WireServer>[0]>,
) {
  await using server = WireServer.on(path, options);
  const said = [(await server.hello()).result];
  for (const method of ["tools/list", "resources/templates/list", "roots/list", "prompts/list"]) {
    said.push((await server.request(method)).result);
  }
  for (const [name, args] of [["search", { query: "herons" }], ["recall", {}]] as const) {
    said.push(await server.call(name, args));
  }
  await server.end();
  return { said: timeless(said), stdout: server.stdout };
}

function timeless(value: unknown): string {
  return JSON.stringify(value).replace(/elapsed_ms\\?": ?[\d.]+/g, "elapsed_ms");
}

async function placeWithHerons(place: Place): Promise<string> {
  const path = await place.database();
  await kbdbJson(["learn", "-", "--db", path], { input: "Herons stand in reeds." });
  return path;
}

test("neither flags of output nor a terminal's variables change what is said [server-cli-3 server-cli-4]", async () => {
  await using place = new Place();
  const path = await placeWithHerons(place);
  const { said } = await session(path, {});
  const loud = { FORCE_COLOR: "1", CLICOLOR_FORCE: "1", TERM: "xterm-256color", COLUMNS: "40" };
  const starts = [
    ["--json", "--quiet"],
    ["--format", "mcp", "--no-color"],
    [],
  ].map((flags) => ({ args: ["--db", path, ...flags], env: { ...plainEnvironment(), ...loud } }));
  for (const start of starts) {
    const other = await session(path, start);
    assert.equal(other.said, said);
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(other.stdout, /\x1b|\\u001b/);
  }
});

test("Deno and Node serve the same [server-design-1 install-04]", async (context) => {
  // The built package is as new as the sources only where its tests run.
  const deno = runtime === "node" && spawnSync("deno", ["--version"]).status === 0;
  if (!deno) return context.skip("compared where the tests run under Node, and there is a Deno");
  await using place = new Place();
  const path = await placeWithHerons(place);
  const flags = ["--no-prompt", "--node-modules-dir=manual", "-A"];
  const command = ["deno", "run", ...flags, join(projectRoot, "cli.ts")];
  const [one, other] = [await session(path, {}), await session(path, { command })];
  assert.equal(one.said, other.said);
});

/** Rooms and modules of the host with which one could search, or open files. */
const REFUSED = /^(src\/(core|store|knowledge|daemon|embedding)\/|wasm\/|node:(?!path$))/;

/** What files of the server import, by their names in the project. */
function importsOf(folder: string): { file: string; target: string }[] {
  const files = projectFiles(folder, ".ts").filter((file) => !/(_test|\/testing)\.ts$/.test(file));
  return files.flatMap((file) =>
    readImports(parse(file, readProjectFile(file))).map(({ specifier = "" }) => {
      const isFile = specifier.startsWith(".");
      return { file, target: isFile ? posix.join(posix.dirname(file), specifier) : specifier };
    })
  );
}

test("the server's code neither indexes nor opens files [server-design-2]", () => {
  const imports = importsOf("src/mcp");
  assert(imports.length > 50);
  assert.deepEqual(imports.filter(({ target }) => REFUSED.test(target)), []);
  for (const file of projectFiles("src/mcp", ".ts").filter((name) => !name.endsWith("_test.ts"))) {
    assert.doesNotMatch(
      readProjectFile(file),
      /\bfiles\.(read|write|open|list|replace)\w*\(/,
      file,
    );
  }
});

test("the SDK stays behind the protocol [ruling-d30-1]", () => {
  const users = importsOf("src").filter(({ target }) => target.startsWith("@modelcontextprotocol"));
  assert(users.length > 0);
  assert.deepEqual(users.filter(({ file }) => !file.startsWith("src/mcp/protocol/")), []);
});

/** A tool's JSON without what differs from call to call, and without what only a model is told. */
function lasting(value: WireMessage): WireMessage {
  const text = JSON.stringify(value, (key, part) => {
    const passes = /^(elapsed_ms|uptime_ms|notice|daemon_rss_bytes|wasm_memory_bytes|scan)$/;
    return passes.test(key) || key === "cacheStats" ? undefined : part;
  });
  return JSON.parse(text);
}

test("--json of a command is the object that the tool gives [ruling-d36-1]", async () => {
  await using place = new Place();
  const path = await place.database();
  await using server = WireServer.on(path);
  await server.hello();
  const content = "# Herons\n\nHerons stand in reeds.";
  const { kbid } = await server.tool("learn", { content, docid: "birds" });
  const skill = { name: "explain", description: "Explains", body: "Explain {{ topic }}." };
  await server.tool("skill-learn", skill);
  const pairs: [command: string[], tool: string, args: object][] = [
    [["search", "herons"], "search", { query: "herons" }],
    [["recall", kbid, "--depth", "3"], "recall", { kbid, depth: 3 }],
    [["retrieve", kbid], "retrieve", { kbid }],
    [["retrieve", "--docid", "birds"], "retrieve", { docid: "birds" }],
    [["content", "birds"], "content", { ids: ["birds"] }],
    [["history", kbid], "history", { kbid }],
    [["status"], "status", {}],
    [["check"], "check", {}],
    [["gc", "--dry-run"], "gc", { dry_run: true }],
    [["skill", "list"], "skill-list", {}],
    [["skill", "get", "explain"], "skill-get", { name: "explain" }],
  ];
  for (const [command, tool, args] of pairs) {
    const printed = await kbdbJson([...command, "--db", path]);
    assert.deepEqual(lasting(printed), lasting(await server.tool(tool, args)), tool);
  }
});

test("no error shows a stack, or a path outside the database [ruling-d21-11]", async () => {
  await using place = new Place();
  const path = await place.database("notes.kbdb");
  await using server = WireServer.on(path);
  await server.hello();
  const { kbid } = await server.tool("learn", {
    content: "Herons stand in reeds.",
    docid: "birds",
  });
  const file = readdirSync(join(path, "sections"), { recursive: true })
    .map(String).find((name) => name.includes(kbid.slice(2)));
  writeFileSync(join(path, "sections", file!), "damaged");
  const asked: [method: string, params: object][] = [
    ["tools/call", { name: "recall", arguments: { kbid } }],
    ["tools/call", { name: "retrieve", arguments: { kbid } }],
    ["tools/call", { name: "retrieve", arguments: { docid: "../../etc/passwd" } }],
    ["tools/call", { name: "learn", arguments: { content: "" } }],
    ["tools/call", { name: "learn", arguments: { content: "x", type: "no/type" } }],
    ["tools/call", { name: "content", arguments: { ids: ["/etc/passwd"] } }],
    ["tools/call", { name: "revise", arguments: { kbid, content: "" } }],
    ["tools/call", { name: "skill-learn", arguments: { name: "/", description: "x", body: "y" } }],
    ["tools/call", { name: "agent-get", arguments: { docid: "none" } }],
    ["resources/read", { uri: `kbdb://section/${kbid}` }],
    ["resources/read", { uri: "file:///etc/passwd" }],
    ["prompts/get", { name: "/etc/passwd" }],
  ];
  for (const [method, params] of asked) {
    const { result, error } = await server.request(method, params);
    const text: string = error ? error.message : result.content[0].text;
    assert(error || result.isError || JSON.parse(text), text);
    assert.doesNotMatch(text, /\n\s+at |\.(ts|js|mjs):\d+/);
    // What the caller gave is the caller's own.
    const paths = text.match(/(?<![\w./:])\/[\w.-]+\/[^\s,"']*/g) ?? [];
    const given = JSON.stringify(params);
    const foreign = paths.filter((one) => !one.startsWith(path) && !given.includes(one));
    assert.deepEqual(foreign, [], text);
  }
  assert(!server.ended);
});
