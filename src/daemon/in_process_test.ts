import assert from "node:assert/strict";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { type TempDir, tempDir } from "../../tests/support/temp_dir.ts";
import { platform } from "../platform/host.ts";
import { FileError, type Files, type Platform } from "../platform/types.ts";
import type { ChangeEvent } from "../rpc/changes.ts";
import type { Params, Result, ServiceMethod } from "../rpc/protocol.ts";
import { type DirectConnection, openInProcess } from "./in_process.ts";

/** An open database, closed at the end of the block. */
type Opened = DirectConnection & AsyncDisposable & { readonly path: string };

/** Opens the database in a folder, made where it is missing. */
async function opened(
  folder: TempDir,
  options: { toml?: string; platform?: Platform } = {},
): Promise<Opened> {
  const path = folder.join(".kbdb");
  const create = existsSync(path) ? {} : { create: { name: "notes" } };
  if (options.toml !== undefined) {
    if (create.create) await (await openInProcess(platform, { path, ...create })).close();
    writeFileSync(`${path}/worker.toml`, options.toml);
  }
  const make = options.toml === undefined ? create : {};
  const connection = await openInProcess(options.platform ?? platform, { path, ...make });
  return { ...connection, path, [Symbol.asyncDispose]: () => connection.close() };
}

/** The files of this machine, where some operations fail. */
function failing(failure: (name: string, path: string) => FileError | null): Files {
  return new Proxy(platform.files, {
    get(target, name: keyof Files) {
      const value = (target[name] as (...args: unknown[]) => unknown).bind(target);
      return (path: string, ...rest: unknown[]) => {
        const error = failure(name, path);
        if (error) throw error;
        return value(path, ...rest);
      };
    },
  });
}

let keys = 0;

/** Learns one text; its kbid. */
async function learn(
  base: DirectConnection,
  item: Params<"learn">["items"][number],
): Promise<string> {
  const { results: [answer] } = await base.call("learn", { key: `k${++keys}`, items: [item] });
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.result.kbid;
}

function logOf(path: string): string[] {
  return readFileSync(`${path}/worker/log`, "utf8").trimEnd().split("\n");
}

const SKILL = { name: "sort", description: "Sorts", body: "Sort {{ what }}." };
const AGENT = { name: "sorter", description: "Sorts", persona: "You sort.", skills: [] };

// The first of all, so that what it calls is not loaded yet.
test("writes begin in the order of arrival, also where one is loaded first (D46)", async () => {
  using folder = tempDir();
  await using base = await opened(folder);
  const content = "# Fish\n\nzebrafish";
  const kbid = await learn(base, { content });
  const removing = base.call("unlearn", { key: "u", kbid });
  await learn(base, { content });
  assert.equal((await removing).removed, true);
  assert.equal((await base.call("search", { query: "zebrafish", mode: "stats" })).total, 1);
});

test("openInProcess() serves writing, history and the trash (D53)", async () => {
  using folder = tempDir();
  await using base = await opened(folder);
  const old = await learn(base, { content: "# Fish\n\nzebrafish", docid: "fish" });
  const revised = await base.call("revise", { key: "r", kbid: old, content: "# Fish\n\ncatfish" });
  assert.equal(revised.supersedes, old);
  assert.equal((await base.call("history", { kbid: old })).current, revised.kbid);
  assert.equal((await base.call("gc", { dry_run: true })).sections?.[0].kbid, old);
  assert.equal((await base.call("gc", {})).removed_sections, 1);
  const { removed } = await base.call("unlearn", { key: "u", docid: "fish" });
  assert.equal(removed, true);
  const { total } = await base.call("trash", {});
  assert.equal(total, 3);
  assert.equal((await base.call("restore", { key: "s", ids: ["fish"] })).restored, 1);
  assert.equal((await base.call("document", { docid: "fish" })).sections.length, 1);
  assert.ok((await base.call("emptyTrash", {})).removed > 0);
  assert.equal((await base.call("trash", {})).total, 0);
});

test("openInProcess() serves reading and lists (D53)", async () => {
  using folder = tempDir();
  await using base = await opened(folder);
  const item = { content: "# Fish\n\nzebrafish", docid: "fish", tags: ["river"] };
  const kbid = await learn(base, item);
  const found = await base.call("search", { query: "zebrafish" });
  assert.equal("items" in found && found.total, 1);
  const { items: [recalled] } = await base.call("recall", { kbids: [kbid], depth: 1 });
  assert.ok("documents" in recalled && recalled.documents?.[0].docid === "fish");
  const { sections: [stored] } = await base.call("read", { kbids: [kbid] });
  assert.ok("size" in stored && stored.size === 17);
  assert.equal((await base.call("content", { ids: ["fish"] })).data.trim(), item.content);
  assert.equal((await base.call("listDocuments", {})).items[0].docid, "fish");
  assert.equal((await base.call("listSections", { tag: "river" })).items[0].kbid, kbid);
  assert.deepEqual((await base.call("listTags", {})).tags, [{ tag: "river", sections: 1 }]);
  assert.equal((await base.call("check", {})).ok, true);
  assert.equal((await base.call("rebuild", {})).sections_reindexed, 1);
});

test("openInProcess() serves skills and agents (D53)", async () => {
  using folder = tempDir();
  await using base = await opened(folder);
  const { kbid } = await base.call("skillLearn", { key: "a", ...SKILL });
  assert.equal((await base.call("skillList", {})).skills.length, 1);
  assert.equal((await base.call("skillGet", { name: "sort" })).kbid, kbid);
  const values = { what: "parcels" };
  const { text } = await base.call("skillRender", { kbid, arguments: values });
  assert.equal(text, "Sort parcels.");
  const { docid } = await base.call("agentCreate", { key: "b", ...AGENT, skills: [kbid] });
  assert.equal((await base.call("agentList", {})).agents[0].docid, docid);
  assert.equal((await base.call("agentGet", { docid })).skills[0].kbid, kbid);
  assert.equal((await base.call("agentDelete", { key: "c", docid })).removed, true);
  assert.equal((await base.call("skillDelete", { key: "d", kbid })).removed, true);
  const { skills: [builtin] } = await base.call("skillBuiltins", {});
  const installed = await base.call("skillInstall", { key: "e", name: builtin.name });
  assert.equal(installed.name, builtin.name);
});

test("openInProcess() tells of changes until it is told to stop", async () => {
  using folder = tempDir();
  await using base = await opened(folder);
  const changes: ChangeEvent[] = [];
  const stop = await base.subscribe((change) => void changes.push(change));
  const kbid = await learn(base, { content: "zebrafish" });
  while (changes.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(changes[0].sections.added, [kbid]);
  stop();
  await learn(base, { content: "catfish" });
  await new Promise((resolve) => setTimeout(resolve, 700));
  assert.equal(changes.length, 1);
});

test("a database in its own process keeps the log, too (D37)", async () => {
  using folder = tempDir();
  const base = await opened(folder);
  await learn(base, { content: "zebrafish" });
  await assert.rejects(base.call("document", { docid: "none" }), { code: "not_found" });
  await base.call("search", { query: "zebrafish" });
  await base.close();
  const lines = logOf(base.path).map((line) => line.replace(/^\S+ /, ""));
  assert.match(lines[0], /^start version=\S+ pid=\d+$/);
  assert.match(lines[1], /^method=learn db=notes items=1 bytes=\d+ ms=\S+ outcome=ok args=\w{12}$/);
  assert.match(lines[2], /^method=document .* outcome=not_found /);
  assert.match(lines[3], /^method=search db=notes items=1 /);
  assert.match(lines[4], /^stop version=\S+ pid=\d+ calls=3$/);
  assert.doesNotMatch(lines.join(""), /zebrafish|none/);
});

test("log.enabled = false keeps no log", async () => {
  using folder = tempDir();
  await using base = await opened(folder, { toml: "[log]\nenabled = false\n" });
  rmSync(`${base.path}/worker/log`);
  await base.call("status", {});
  await base.close();
  assert.ok(!existsSync(`${base.path}/worker/log`));
});

test("an unknown setting is named by status and the log (D52)", async () => {
  using folder = tempDir();
  await using base = await opened(folder, { toml: "[gc]\ngrace_day = 1\n" });
  const { warnings } = await base.call("status", {});
  assert.match(warnings[0], /gc\.grace_day\. Did you mean gc\.grace_days\?/);
  await base.close();
  assert.match(logOf(base.path).join("\n"), / warning text="worker\.toml: unknown setting gc/);
});

test("settings reach those whom they concern (D52)", async () => {
  using folder = tempDir();
  const toml = "gc.grace_days = 1\nmcp.max_reply_bytes = 5000\n";
  await using base = await opened(folder, { toml });
  assert.deepEqual(await base.settings(), { max_reply_bytes: 5000 });
  const kbid = await learn(base, { content: "zebrafish" });
  await base.call("revise", { key: "r", kbid, content: "catfish" });
  const { removed_sections, waiting } = await base.call("gc", {});
  assert.deepEqual([removed_sections, waiting], [0, 1]);
});

test("a log that cannot be written costs no call and is named once (D37)", async () => {
  using folder = tempDir();
  const files = failing((name, path) =>
    name === "openAppend" && path.endsWith("worker/log")
      ? new FileError("no_space", "open", path, "no space left")
      : null
  );
  await using base = await opened(folder, { platform: { ...platform, files } });
  await learn(base, { content: "zebrafish" });
  await new Promise((resolve) => setTimeout(resolve, 250));
  const { warnings } = await base.call("status", {});
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /^The log is not written: .*no space left/);
});

test("nothing is written to a folder that was replaced (B47)", async () => {
  using folder = tempDir();
  await using base = await opened(folder);
  const kbid = await learn(base, { content: "zebrafish" });
  renameSync(base.path, folder.join("aside"));
  const writes: { [M in ServiceMethod]?: Params<M> } = {
    learn: { key: "1", items: [{ content: "x" }] },
    revise: { key: "2", kbid, content: "x" },
    unlearn: { key: "3", kbid },
    gc: {},
    restore: { key: "4", ids: [kbid] },
    emptyTrash: {},
    skillLearn: { key: "5", ...SKILL },
    skillDelete: { key: "6", kbid },
    skillInstall: { key: "7", name: "x" },
    agentCreate: { key: "8", ...AGENT },
    agentDelete: { key: "9", docid: "agent-sorter" },
    rebuild: {},
  };
  for (const [method, params] of Object.entries(writes)) {
    const call = base.call(method as ServiceMethod, params as never);
    await assert.rejects(call, { code: "damaged", message: /removed or replaced/ }, method);
  }
  assert.ok(!existsSync(base.path));
  renameSync(folder.join("aside"), base.path);
});

/** A machine on which nothing below a folder can be changed. */
function readOnly(folder: TempDir): Platform {
  const changing = [
    "write",
    "replace",
    "replaceDurably",
    "openAppend",
    "rename",
    "remove",
    "removeTree",
    "makeDir",
    "setMode",
  ];
  const files = failing((name, path) =>
    changing.includes(name) && path.startsWith(folder.join(".kbdb"))
      ? new FileError("read_only", name, path, "read-only file system")
      : null
  );
  const host = { ...platform.host, runtimeDir: () => folder.join("run") };
  return { ...platform, files, host };
}

/** A database with a document, its revision, a skill and an agent. */
async function fill(folder: TempDir): Promise<{ path: string; kbid: string; skill: string }> {
  await using base = await opened(folder);
  const old = await learn(base, { content: "# Fish\n\nzebrafish", docid: "fish" });
  const { kbid } = await base.call("revise", { key: "r", kbid: old, content: "# Fish\n\ncatfish" });
  const { kbid: skill } = await base.call("skillLearn", { key: "s", ...SKILL });
  await base.call("agentCreate", { key: "a", ...AGENT, skills: [skill] });
  return { path: base.path, kbid, skill };
}

test("a read-only database answers whatever reads (D54)", async () => {
  using folder = tempDir();
  const { kbid } = await fill(folder);
  await using base = await opened(folder, { platform: readOnly(folder) });
  assert.equal((await base.call("status", {})).read_only, true);
  const found = await base.call("search", { query: "catfish" }) as Result<"search">;
  assert.equal("items" in found && found.items.length, 1);
  assert.match((await base.call("content", { ids: ["fish"] })).data, /catfish/);
  assert.equal((await base.call("history", { kbid })).revisions.length, 2);
  assert.equal((await base.call("recall", { kbids: [kbid], depth: 3 })).items.length, 1);
  assert.equal((await base.call("document", { docid: "fish" })).sections.length, 1);
  assert.equal((await base.call("gc", { dry_run: true })).removed_sections, 1);
  assert.equal((await base.call("trash", {})).total, 0);
  assert.equal((await base.call("listDocuments", {})).items.length, 1);
  assert.equal(
    (await base.call("skillRender", { name: "sort", arguments: { what: "it" } })).text,
    "Sort it.",
  );
  assert.equal((await base.call("agentList", {})).agents.length, 1);
  assert.equal((await base.call("check", {})).ok, true);
});

test("a read-only database refuses every write with its folder (D54)", async () => {
  using folder = tempDir();
  const { path, kbid, skill } = await fill(folder);
  await using base = await opened(folder, { platform: readOnly(folder) });
  const { results: [learned] } = await base.call("learn", { key: "1", items: [{ content: "x" }] });
  assert.ok(
    !learned.ok && learned.error.code === "read_only" && learned.error.message.includes(path),
  );
  const writes: { [M in ServiceMethod]?: Params<M> } = {
    revise: { key: "2", kbid, content: "x" },
    unlearn: { key: "3", kbid },
    gc: {},
    skillLearn: { key: "5", ...SKILL, name: "another" },
    skillDelete: { key: "6", kbid: skill },
    agentCreate: { key: "8", ...AGENT, name: "another" },
    agentDelete: { key: "9", docid: "agent-sorter" },
    emptyTrash: {},
  };
  for (const [method, params] of Object.entries(writes)) {
    await assert.rejects(base.call(method as ServiceMethod, params as never), (error) => {
      const { code, message } = error as { code?: string; message: string };
      assert.deepEqual([method, code], [method, "read_only"], message);
      return message.includes(path);
    });
  }
  assert.equal((await base.call("check", {})).ok, true);
});
