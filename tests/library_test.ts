import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { type Database, KbdbError, openDatabase } from "../mod.ts";
import { kbdb, run, runtime } from "./support/command.ts";
import { projectRoot } from "./support/project.ts";
import { type TempDir, tempDir } from "./support/temp_dir.ts";

/** A new database in a temporary folder; its daemon, if any, is stopped at the end of the block. */
async function library(options: { daemon?: "auto" | "never" } = {}) {
  const folder = tempDir();
  const db = await openDatabase(folder.path, { create: true, ...options });
  return {
    db,
    folder,
    async [Symbol.asyncDispose]() {
      await db.close();
      await kbdb(["worker", "stop", "--db", folder.path]);
      folder.remove();
    },
  };
}

/** A PNG of one pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function hasCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof KbdbError && error.code === code;
}

function writeNotes(folder: TempDir): string {
  mkdirSync(folder.join("notes"));
  writeFileSync(folder.join("notes/a.md"), "# A\n\nalpha");
  writeFileSync(folder.join("notes/b.md"), "# B\n\nbeta");
  return folder.join("notes");
}

/** What a person does with a database from beginning to end. */
async function workWith(db: Database, notes: string): Promise<void> {
  const { kbid, existing } = await db.learn({ content: "# Fish\n\nzebrafish", tags: ["river"] });
  assert.equal(existing, undefined);
  assert.equal((await db.learn({ content: "# Fish\n\nzebrafish" })).existing, true);
  const files = await db.learnFiles([notes]);
  assert.deepEqual([files.added, files.failed], [2, []]);
  const { items, total } = await db.search("zebrafish", { tag: ["river"], content: true });
  assert.deepEqual([total, items[0].kbid, items[0].content], [1, kbid, "# Fish\n\nzebrafish"]);
  const { items: [item, unknown] } = await db.recall([kbid, "0".repeat(26)]);
  assert.ok("content" in item && item.content === "# Fish\n\nzebrafish");
  assert.ok("error" in unknown && unknown.error.code === "not_found");
  assert.equal((await db.status()).sections, 3);
  assert.equal((await db.check()).ok, true);
  assert.equal((await db.rebuild()).sections_reindexed, 3);
  await correct(db, kbid);
  await browse(db);
  await remove(db);
  await prompt(db);
}

async function correct(db: Database, kbid: string): Promise<void> {
  const revised = await db.revise(kbid, { content: "# Fish\n\nseahorse" });
  assert.equal(revised.supersedes, kbid);
  assert.equal((await db.search("zebrafish")).total, 0);
  const { current, revisions } = await db.history(kbid);
  assert.deepEqual([current, revisions.map((one) => one.kbid)], [revised.kbid, [
    kbid,
    revised.kbid,
  ]]);
  assert.deepEqual((await db.listTags()).map(({ tag }) => tag), ["river"]);
}

async function browse(db: Database): Promise<void> {
  const { items } = await db.listDocuments({ prefix: "notes/" });
  assert.deepEqual(items.map(({ docid }) => docid), ["notes/a.md", "notes/b.md"]);
  assert.equal((await db.listSections({ docid: "notes/a.md" })).items.length, 1);
  const { sections: [{ kbid }] } = await db.document("notes/a.md");
  const { sections: [section] } = await db.read([kbid]);
  assert.ok("content" in section && section.content === "# A\n\nalpha");
  assert.equal((await db.content(["notes/a.md"])).data.trim(), "# A\n\nalpha");
  const documents = await db.search("alpha", { mode: "documents" });
  assert.equal(documents.items[0].best.kbid, kbid);
  assert.equal((await db.search("alpha", { mode: "stats" })).documents, 1);
}

async function remove(db: Database): Promise<void> {
  const { removed, sections } = await db.unlearn({ docid: "notes/a.md" });
  assert.deepEqual([removed, sections], [true, 1]);
  assert.equal((await db.search("alpha")).total, 0);
  assert.equal((await db.restore(["notes/a.md"])).restored, 1);
  assert.equal((await db.search("alpha")).total, 1);
  const { removed_sections } = await db.gc();
  assert.equal(removed_sections, 1);
  assert.equal((await db.trash()).total, 1);
  assert.equal((await db.emptyTrash()).removed, 1);
}

async function prompt(db: Database): Promise<void> {
  const body = "Sort {{ what }}.";
  const { kbid } = await db.skills.learn({ name: "sort", description: "Sorts", body });
  assert.equal(await db.skills.render({ name: "sort" }, { what: "mail" }), "Sort mail.");
  assert.deepEqual((await db.skills.list()).map(({ name }) => name), ["sort"]);
  const agent = { name: "clerk", description: "Sorts", persona: "You sort.", skills: [kbid] };
  const { docid } = await db.agents.create(agent);
  assert.equal((await db.agents.get(docid)).skills[0].name, "sort");
  assert.deepEqual((await db.agents.list()).map(({ name }) => name), ["clerk"]);
  assert.equal(await db.agents.delete(docid), true);
  assert.equal(await db.skills.delete(kbid), true);
}

test("openDatabase() works through a daemon", async () => {
  await using on = await library();
  await workWith(on.db, writeNotes(on.folder));
  assert.notEqual((await on.db.status()).pid, process.pid);
});

test("openDatabase() works in this process (D53)", async () => {
  await using on = await library({ daemon: "never" });
  await workWith(on.db, writeNotes(on.folder));
  assert.equal((await on.db.status()).pid, process.pid);
});

test("openDatabase() makes one only where it is asked to", async () => {
  using folder = tempDir();
  await assert.rejects(openDatabase(folder.join("none")), hasCode("not_found"));
  await assert.rejects(openDatabase(folder.path), hasCode("bad_request"));
  assert.ok(!existsSync(folder.join("none")));
  const made = await openDatabase(folder.join("new"), { create: true, name: "mine" });
  await made.close();
  assert.ok(existsSync(folder.join("new/.kbdb/kbdb.toml")));
  const again = await openDatabase(folder.join("new/.kbdb"), { create: true, daemon: "never" });
  assert.equal((await again.status()).name, "mine");
  await again.close();
});

test("openDatabase() leaves a folder of something else alone (D61)", async () => {
  using folder = tempDir();
  mkdirSync(folder.join("x.kbdb"));
  writeFileSync(folder.join("x.kbdb/mine.txt"), "mine");
  const options = { create: true };
  await assert.rejects(openDatabase(folder.join("x.kbdb"), options), hasCode("bad_request"));
  assert.ok(!existsSync(folder.join("x.kbdb/kbdb.toml")));
});

test("openDatabase() may create one from many places at once (B01)", async () => {
  using folder = tempDir();
  const path = folder.join("new");
  const open = () => openDatabase(path, { create: true });
  const all = await Promise.all(Array.from({ length: 6 }, open));
  await Promise.all(all.map((db, i) => db.learn({ content: `zebrafish ${i}`, docid: "fish" })));
  assert.equal((await all[0].search("zebrafish")).total, 6);
  for (const db of all) await db.close();
  await kbdb(["worker", "stop", "--db", path]);
});

test("Database refuses wrong values with a code (B20)", async () => {
  await using on = await library({ daemon: "never" });
  const { db } = on;
  for (const query of ["", " "]) await assert.rejects(db.search(query), hasCode("bad_request"));
  for (const limit of [0, -1, 2.5, NaN]) {
    await assert.rejects(db.search("x", { limit }), hasCode("bad_request"), String(limit));
  }
  await assert.rejects(db.search("x".repeat(70_000)), hasCode("too_large"));
  await assert.rejects(db.recall([]), hasCode("bad_request"));
  await assert.rejects(db.recall(Array(1001).fill("0".repeat(26))), hasCode("too_large"));
  await assert.rejects(db.learn({ content: "" }), hasCode("bad_request"));
  await assert.rejects(db.learn({ content: "x", docid: "" }), hasCode("bad_request"));
  await assert.rejects(db.learn({ content: "x", docid: "d".repeat(513) }), hasCode("too_large"));
  await assert.rejects(db.learn({ content: "\ud800" }), hasCode("bad_request"));
  await assert.rejects(db.learnFiles([on.folder.join("none")]), hasCode("not_found"));
  await assert.rejects(db.learnBatch(on.folder.join("none")), hasCode("not_found"));
  const unknown = "0".repeat(26);
  await assert.rejects(db.revise(unknown, { content: "x" }), hasCode("not_found"));
  await assert.rejects(db.history(unknown), hasCode("not_found"));
  await assert.rejects(db.document("none"), hasCode("not_found"));
  await assert.rejects(db.skills.get({ name: "none" }), hasCode("not_found"));
  await assert.rejects(db.agents.get("agent-none"), hasCode("not_found"));
  assert.equal((await db.unlearn({ kbid: unknown })).removed, false);
  assert.equal((await db.status()).sections, 0);
});

for (const daemon of ["auto", "never"] as const) {
  test(`Database names values of the wrong kind, daemon ${daemon} (B20)`, async () => {
    await using on = await library({ daemon });
    const { db } = on;
    const calls: (() => Promise<unknown>)[] = [
      () => db.search(5 as never),
      () => db.search("x", { limit: "5" as never }),
      () => db.search("x", { tag: "work" as never }),
      () => db.recall("x" as never),
      () => db.learn({ content: 5 as never }),
      () => db.learn({ content: "x", docid: 5 as never }),
      () => db.learn({ content: "x", title: {} as never }),
      () => db.learn({ content: "x", type: 5 as never }),
      () => db.learn({ content: "x", tags: "a" as never }),
      () => db.learn({ content: "x", tags: [5] as never }),
      () => db.learn({ content: "x", description: 5 as never }),
      () => db.revise(5 as never, { content: "x" }),
      () => db.unlearn({ docid: 5 as never }),
      () => db.restore("x" as never),
      () => db.content("x" as never),
      () => db.listSections({ limit: "5" as never }),
      () => db.gc({ dry_run: "yes" as never }),
      () => db.skills.render({ name: "x" }, { a: 5 as never }),
      () => db.agents.create({ name: "x" } as never),
    ];
    for (const call of calls) {
      await assert.rejects(call(), hasCode("bad_request"), String(call));
    }
    assert.equal((await db.status()).sections, 0);
  });
}

test("Database.learn() keeps characters of every kind (B19)", async () => {
  await using on = await library();
  const content = "漢字 naïve 🐘 ─\n\na\u2028b \u0000 \u202e \\ud800";
  const { kbid } = await on.db.learn({ content });
  const { items: [item] } = await on.db.recall([kbid]);
  assert.ok("content" in item && item.content === content);
});

test("Database.learn() takes images and texts as bytes", async () => {
  await using on = await library();
  const bytes = Uint8Array.from(atob(PIXEL), (letter) => letter.charCodeAt(0));
  const image = await on.db.learn({ content: bytes, type: "image/png", title: "Pixel" });
  const { sections: [stored] } = await on.db.read([image.kbid]);
  assert.ok("content" in stored && stored.content === PIXEL && stored.size === bytes.length);
  assert.equal((await on.db.search("pixel")).items[0].snippet, "");
  const text = await on.db.learn({
    content: new Uint8Array([0xe9, 0x74, 0xe9]),
    encoding: "latin1",
  });
  const { items: [item] } = await on.db.recall([text.kbid]);
  assert.ok("content" in item && item.content === "été");
});

test("Database.learnBatch() learns a file of lines (D57)", async () => {
  await using on = await library();
  const lines = Array.from(
    { length: 1200 },
    (_, i) => ({ content: `zebrafish ${i}`, docid: "fish" }),
  );
  const path = on.folder.join("batch.ndjson");
  writeFileSync(path, [...lines.map((line) => JSON.stringify(line)), "broken"].join("\n"));
  const { added, replaced, failed } = await on.db.learnBatch(path);
  assert.deepEqual([added + replaced, failed.map(({ line }) => line)], [1200, [1201]]);
  assert.equal((await on.db.document("fish")).sections.length, 1200);
});

test("Database.learnFiles() prunes into the trash (D42)", async () => {
  await using on = await library();
  const notes = writeNotes(on.folder);
  await on.db.learnFiles([notes]);
  rmSync(join(notes, "a.md"));
  assert.equal((await on.db.learnFiles([notes], { prune: true })).pruned, 1);
  assert.deepEqual((await on.db.trash()).items.map(({ id }) => id).includes("notes/a.md"), true);
  assert.equal((await on.db.restore(["notes/a.md"])).restored, 1);
});

for (const daemon of ["auto", "never"] as const) {
  test(`Database.changes() tells what others and it change, daemon ${daemon}`, async () => {
    await using on = await library({ daemon });
    const changes = on.db.changes();
    const { kbid } = await on.db.learn({ content: "zebrafish", docid: "fish" });
    const { value: first } = await changes.next();
    assert.deepEqual([first.sections.added, first.documents.added], [[kbid], ["fish"]]);
    await on.db.skills.learn({ name: "sort", description: "Sorts", body: "Sort." });
    const { value: second } = await changes.next();
    assert.equal(second.prompts, true);
    assert.ok(second.seq > first.seq);
    const waiting = changes.next();
    await on.db.close();
    assert.deepEqual(await waiting, { done: true, value: undefined });
  });
}

test("Database.learn() reports progress of files", async () => {
  await using on = await library({ daemon: "never" });
  const done: number[] = [];
  await on.db.learnFiles([writeNotes(on.folder)], { onProgress: (one) => done.push(one.done) });
  assert.equal(done.at(-1), 2);
});

test("Database refuses calls after close()", async () => {
  await using on = await library();
  await on.db.status();
  await on.db.close();
  await on.db.close();
  await assert.rejects(on.db.status(), hasCode("bad_request"));
});

test("an idle client does not keep its process alive", async () => {
  await using on = await library();
  const door = join(projectRoot, runtime === "deno" ? "mod.ts" : "npm/mod.js");
  const script = on.folder.join("script.mjs");
  writeFileSync(
    script,
    `import { openDatabase } from ${JSON.stringify(pathToFileURL(door).href)};
const db = await openDatabase(${JSON.stringify(on.folder.path)});
await db.learn({ content: "zebrafish" });
console.log((await db.search("zebrafish")).total);
`,
  );
  const config = join(projectRoot, "deno.json");
  const rights = runtime === "deno" ? ["run", "-A", "--no-prompt", "--config", config] : [];
  const { code, stdout, stderr } = await run([process.execPath, ...rights, script]);
  assert.deepEqual([code, stdout, stderr], [0, "1\n", ""]);
});

test("a process that listens to changes lives until it stops", async () => {
  await using on = await library();
  const door = join(projectRoot, runtime === "deno" ? "mod.ts" : "npm/mod.js");
  const script = on.folder.join("script.mjs");
  writeFileSync(
    script,
    `import { openDatabase } from ${JSON.stringify(pathToFileURL(door).href)};
const db = await openDatabase(${JSON.stringify(on.folder.path)});
const stop = await db.subscribe(({ sections }) => {
  console.log(sections.added.length);
  stop();
});
console.log("listening");
`,
  );
  const config = join(projectRoot, "deno.json");
  const rights = runtime === "deno" ? ["run", "-A", "--no-prompt", "--config", config] : [];
  const running = run([process.execPath, ...rights, script]);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await on.db.learn({ content: "zebrafish" });
  const { code, stdout, stderr } = await running;
  assert.deepEqual([code, stdout, stderr], [0, "listening\n1\n", ""]);
});

test("the package, run as a program, is the command", { skip: runtime === "node" }, async () => {
  const command = [process.execPath, "run", "-A", join(projectRoot, "mod.ts")];
  const { code, stdout } = await run([...command, "--version"]);
  assert.equal(code, 0);
  assert.equal(stdout, (await kbdb(["--version"])).stdout);
  assert.equal((await run([...command, "mcp"])).code, 2);
});
