import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchDatabase } from "./accept/scratch.ts";
import { kbdb, kbdbCommand, kbdbJson } from "./support/command.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJ" +
  "RU5ErkJggg==";

interface Found {
  items: { kbid: string; docids: string[]; type: string; snippet: string }[];
  total: number;
  has_more: boolean;
  cursor?: string;
}

/** A database that holds `post` of two sections and `hours`, which includes it, and an image. */
async function reading() {
  const database = await scratchDatabase();
  const on = (args: readonly string[]) => [...args, "--db", database.path];
  const learn = (input: string, ...args: string[]) =>
    kbdbJson(on(["learn", "-", ...args]), { input });
  await learn(
    "# Parcels\n\nBlue parcels go left.\n\n# Letters\n\nLetters go right.",
    "--docid",
    "post",
  );
  await learn("Hours of the desk: $(include:post)", "--docid", "hours", "--tag", "desk,work");
  const image = join(database.path, "../plan.png");
  writeFileSync(image, Buffer.from(PIXEL, "base64"));
  const named = ["--title", "Plan of the hall", "--description", "Seen from above"];
  await kbdbJson(on(["learn", image, ...named, "--docid", "plan"]));
  const json = <T>(...args: string[]) => kbdbJson<T>(on(args));
  return {
    path: database.path,
    json,
    run: (...args: string[]) => kbdb(on(args)),
    idOf: async (word: string) => (await json<Found>("search", word)).items[0].kbid,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

test("search --mode documents and stats answer in their shapes (D44)", async () => {
  await using db = await reading();
  const documents = await db.json<{ items: Record<string, unknown>[]; total: number }>(
    "search",
    "go",
    "--mode",
    "documents",
  );
  const keys = ["docid", "title", "type", "section_count", "best"];
  assert.deepEqual(Object.keys(documents.items[0]).slice(0, 5), keys);
  const stats = await db.json<Record<string, unknown>>("search", "parcels", "--mode", "stats");
  assert.deepEqual([stats.total, stats.documents], [1, 1]);
  assert.match((await db.run("search", "parcels", "--mode", "stats")).stdout, /^1 section in 1/m);
});

test("search --match all wants every word", async () => {
  await using db = await reading();
  const all = await db.json<Found>("search", "blue", "letters", "--match", "all");
  assert.equal(all.total, 0);
  assert.equal((await db.json<Found>("search", "blue", "letters")).total, 2);
});

test("search --cursor goes on where the page ended", async () => {
  await using db = await reading();
  const first = await db.json<Found>("search", "go", "--limit", "1");
  assert.equal(first.has_more, true);
  const next = await db.json<Found>("search", "go", "--limit", "1", "--cursor", first.cursor!);
  assert.notEqual(next.items[0].kbid, first.items[0].kbid);
  const { stdout } = await db.run("search", "go", "--limit", "1");
  assert.match(stdout, /^2 found .*; more with --offset 1$/m);
});

test("search finds an image by its title and description, without a snippet", async () => {
  await using db = await reading();
  const { items } = await db.json<Found>("search", "hall", "--type", "image/*");
  assert.deepEqual([items[0].type, items[0].snippet], ["image/png", ""]);
  assert.equal((await db.json<Found>("search", "above")).total, 1);
  const { stdout } = await db.run("search", "hall");
  assert.match(stdout, /^1\. Plan of the hall {2}plan\n {3}\(image\/png\)$/m);
});

test("recall --depth adds what belongs to a section", async () => {
  await using db = await reading();
  const parcels = await db.idOf("parcels");
  const plain = await db.json<Record<string, unknown>>("recall", parcels);
  assert.equal("documents" in plain, false);
  const deep = await db.json<Record<string, unknown[]>>("recall", parcels, "--depth", "2");
  assert.deepEqual([deep.documents.length, deep.siblings.length], [1, 1]);
  const { stdout } = await db.run("recall", parcels, "--depth", "2");
  assert.match(stdout, /^Documents:\n {2}post .*\n/m);
  assert.match(stdout, /^Beside it:\n.*\n.*\n\n {4}Letters go right\.$/m);
});

test("content composes what is included, exactly", async () => {
  await using db = await reading();
  const { stdout } = await db.run("content", "hours");
  assert.match(stdout, /^Hours of the desk: # Parcels\n\nBlue parcels go left\.\n\n# Letters/);
  const { data, total } = await db.json<{ data: string; total: number }>("content", "hours");
  assert.deepEqual([`${data}\n`, total], [stdout, [...data].length]);
  const missing = await db.run("content", "post", "nowhere");
  assert.deepEqual([missing.code, missing.stderr], [3, "kbdb: Not stored: nowhere\n"]);
});

test("retrieve gives the section, the image and the document as stored", async () => {
  await using db = await reading();
  const kbid = await db.idOf("parcels");
  const content = "# Parcels\n\nBlue parcels go left.";
  const size = content.length;
  assert.deepEqual(await db.json("retrieve", kbid), [
    { kbid, sectionType: "text/markdown", content, size },
  ]);
  assert.equal((await db.run("retrieve", kbid)).stdout, `${content}\n`);
  const [image] = await db.json<{ content: string }[]>("retrieve", await db.idOf("hall"));
  assert.equal(image.content, PIXEL);
  const document = await db.json<{ sections: unknown[] }>("retrieve", "--docid", "post");
  assert.equal(document.sections.length, 2);
  for (const args of [["0".repeat(26)], ["--docid", "nowhere"]]) {
    assert.equal((await db.run("retrieve", ...args)).code, 3);
  }
});

test("list shows documents, sections and tags, filtered", async () => {
  await using db = await reading();
  const documents = await db.json<{ items: { docid: string }[] }>("list", "documents");
  assert.deepEqual(documents.items.map(({ docid }) => docid), ["hours", "plan", "post"]);
  const sections = await db.json<{ items: unknown[] }>("list", "sections", "--docid", "post");
  assert.equal(sections.items.length, 2);
  const images = await db.run("list", "sections", "--type", "image/*");
  assert.match(images.stdout, /^[0-9a-z]{26} {2}Plan of the hall {2}plan {2}image\/png\n$/);
  const { tags } = await db.json<{ tags: unknown[] }>("list", "tags");
  assert.deepEqual(tags, [{ tag: "desk", sections: 1 }, { tag: "work", sections: 1 }]);
  const page = await db.run("list", "documents", "--limit", "1");
  assert.match(page.stdout, /^hours .*\nMore with --cursor \S+\n$/);
});

test("watch prints what others change, as lines of JSON", async () => {
  await using db = await reading();
  const [program, ...args] = kbdbCommand();
  const child = spawn(program, [...args, "watch", "--json", "--db", db.path]);
  try {
    let error = "";
    const watching = new Promise<void>((resolve) =>
      child.stderr.on("data", (chunk) => {
        error += chunk;
        if (error.includes("Watching")) resolve();
      })
    );
    const told = new Promise<string>((resolve) =>
      child.stdout.once("data", (c) => resolve(`${c}`))
    );
    await watching;
    const input = "zebrafish";
    const { kbid } = await kbdbJson<{ kbid: string }>(["learn", "-", "--db", db.path], { input });
    const event = JSON.parse(await told);
    assert.deepEqual(event.sections, { added: [kbid], updated: [], removed: [] });
    const ended = new Promise((resolve) =>
      child.once("exit", (code, signal) => resolve(code ?? signal))
    );
    child.kill("SIGINT");
    // Deno tells of 130 as if the signal had ended the process.
    assert.ok([130, "SIGINT"].includes(await ended as number | string));
  } finally {
    child.kill("SIGKILL");
  }
});
