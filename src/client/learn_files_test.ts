import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { type TempDir, tempDir } from "../../tests/support/temp_dir.ts";
import { platform } from "../platform/host.ts";
import { FileError, type Files } from "../platform/types.ts";
import type { Params } from "../rpc/protocol.ts";
import type { LearnItem } from "../rpc/writing.ts";
import type { LearnFilesOptions } from "./items.ts";
import { learnFile, learnFiles } from "./learn_files.ts";
import { fakeClient, taken } from "./testing.ts";

/** A database that remembers what it was given, and what was taken out of it. */
class Remembering {
  readonly items: LearnItem[] = [];
  readonly removed: string[] = [];
  readonly documents = new Map<string, string | null>();
  readonly client;

  constructor(private readonly files: Files = platform.files) {
    this.client = fakeClient({ ...platform, files }, (method, params) => {
      if (method === "learn") return this.#learn(params as Params<"learn">);
      if (method === "listDocuments") return this.#list(params as Params<"listDocuments">);
      const { docid } = params as { docid: string };
      this.removed.push(docid);
      return { removed: this.documents.delete(docid), elapsed_ms: 1 };
    });
  }

  learn(paths: string[], options: LearnFilesOptions = {}) {
    const parts = { platform: { ...platform, files: this.files }, client: this.client };
    return learnFiles(parts, { paths, options });
  }

  #learn({ items }: Params<"learn">) {
    this.items.push(...items);
    for (const { docid, source } of items) this.documents.set(docid!, source ?? null);
    return { results: items.map((item) => taken(item)) };
  }

  /** Two documents a page. */
  #list({ prefix = "", cursor = "" }: Params<"listDocuments">) {
    const all = [...this.documents].filter(([docid]) => docid.startsWith(prefix) && docid > cursor)
      .sort(([a], [b]) => a < b ? -1 : 1);
    const items = all.slice(0, 2).map(([docid, source]) => ({ docid, source }));
    return { items, ...(all.length > 2 ? { cursor: items[1].docid } : {}) };
  }
}

/** Writes files below a folder. */
function write(folder: TempDir, files: Record<string, string>): string {
  for (const [name, text] of Object.entries(files)) {
    const path = folder.join(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return platform.files.realPath(folder.path);
}

test("learnFiles() prunes documents whose files are gone (D42)", async () => {
  using folder = tempDir();
  const files = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`notes/${n}.md`, `# ${n}`]));
  const notes = join(write(folder, files), "notes");
  const database = new Remembering();
  database.documents.set("notes/by-hand", null);
  database.documents.set("notes/elsewhere.md", "/elsewhere/notes/elsewhere.md");
  database.documents.set("other/1.md", join(notes, "gone.md"));
  await database.learn([notes]);
  for (const n of [1, 4]) rmSync(join(notes, `${n}.md`));
  assert.equal((await database.learn([notes])).pruned, 0);
  const { pruned, warnings } = await database.learn([notes], { prune: true });
  assert.deepEqual([pruned, database.removed, warnings], [2, ["notes/1.md", "notes/4.md"], []]);
});

test("learnFiles() prunes under the prefix that it was given (D42)", async () => {
  using folder = tempDir();
  const notes = join(write(folder, { "notes/a.md": "# A" }), "notes");
  for (const prefix of ["mine", ""]) {
    const database = new Remembering();
    const gone = prefix === "" ? "gone.md" : "mine/gone.md";
    database.documents.set(gone, join(notes, "gone.md"));
    const { pruned } = await database.learn([notes], { prune: true, prefix });
    assert.deepEqual([pruned, database.removed], [1, [gone]]);
  }
});

test("learnFiles() keeps what is there, though it is not learned any more (D42)", async () => {
  using folder = tempDir();
  const notes = join(write(folder, { "notes/a.md": "# A", "notes/b.md": "# B" }), "notes");
  const database = new Remembering();
  await database.learn([notes]);
  write(folder, { "notes/.gitignore": "b.md\n" });
  const { pruned, skipped } = await database.learn([notes], { prune: true });
  assert.deepEqual([pruned, skipped.ignored], [0, 1]);
});

test("learnFiles() prunes nothing of a folder that lost all its files (B47)", async () => {
  using folder = tempDir();
  const notes = join(write(folder, { "notes/a.md": "# A" }), "notes");
  const database = new Remembering();
  await database.learn([notes]);
  rmSync(join(notes, "a.md"));
  const { pruned, warnings } = await database.learn([notes], { prune: true });
  assert.deepEqual([pruned, database.removed], [0, []]);
  assert.match(warnings[0], /notes: nothing was pruned, since no file was found in it/);
  rmSync(notes, { recursive: true });
  await assert.rejects(database.learn([notes], { prune: true }), { code: "not_found" });
  assert.deepEqual(database.removed, []);
});

test("learnFiles() prunes nothing where a folder cannot be read (B47)", async () => {
  using folder = tempDir();
  const notes = join(write(folder, { "notes/a.md": "# A", "notes/sub/b.md": "# B" }), "notes");
  const closed: Files = new Proxy(platform.files, {
    get(target, name: keyof Files) {
      if (name !== "list") return (target[name] as unknown as () => void).bind(target);
      return (path: string) => {
        if (!path.endsWith("sub")) return target.list(path);
        throw new FileError("permission", "list", path, "permission denied");
      };
    },
  });
  const database = new Remembering(closed);
  database.documents.set("notes/gone.md", join(notes, "gone.md"));
  const { pruned, warnings, failed } = await database.learn([notes], { prune: true });
  assert.deepEqual([pruned, failed.length, database.removed], [0, 1, []]);
  assert.match(warnings[0], /nothing was pruned, since a folder in it could not be read/);
});

test("learnFiles() learns an image that is named, and passes over those in folders", async () => {
  using folder = tempDir();
  const root = write(folder, { "pics/Map.PNG": "\x89PNG", "pics/a.md": "# A" });
  const database = new Remembering();
  const { skipped } = await database.learn([join(root, "pics")]);
  assert.equal(skipped.type, 1);
  await database.learn([join(root, "pics/Map.PNG")]);
  const image = database.items.at(-1);
  assert.deepEqual(image, {
    content: btoa("\xc2\x89PNG"),
    base64: true,
    docid: "Map.PNG",
    document: true,
    source: join(root, "pics/Map.PNG"),
    type: "image/png",
    title: "Map.PNG",
  });
});

test("learnFile() passes on title, tags, type and replace", async () => {
  using folder = tempDir();
  const path = join(write(folder, { "a.svg": "<svg/>" }), "a.svg");
  const database = new Remembering();
  const options = { title: "Plan", tags: ["x"], type: "text/xml", replace: true };
  await learnFile({ platform, client: database.client }, { path, options });
  const [{ source: _, ...item }] = database.items;
  assert.deepEqual(item, {
    content: "<svg/>",
    docid: "a.svg",
    document: true,
    type: "text/xml",
    title: "Plan",
    tags: ["x"],
    replace: true,
  });
});
