import assert from "node:assert/strict";
import { test } from "node:test";
import { SearchIndex } from "../../core/search_index.ts";
import type { MemoryFiles } from "../../platform/memory_files.ts";
import { newDisk, ROOT } from "../../store/testing.ts";
import { fillFromTruth } from "../index/fill.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import { DOCUMENT_KINDS } from "./documents.ts";
import { SECTION_KINDS } from "./sections.ts";
import { learn, learnItem, openBase } from "../testing.ts";

const KINDS = [...SECTION_KINDS, ...DOCUMENT_KINDS];

/** Numbers that a seed gives: a multiply-with-carry generator. */
function randomOf(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

/** Paths of all files of a part. */
function filesOf(files: MemoryFiles, part: "sections" | "documents"): string[] {
  return files.list(`${ROOT}/${part}`).flatMap(({ name: folder }) =>
    files.list(`${ROOT}/${part}/${folder}`).map(({ name }) => `${ROOT}/${part}/${folder}/${name}`)
  );
}

function textOf(files: MemoryFiles, path: string): string {
  return new TextDecoder().decode(files.read(path));
}

function save(files: MemoryFiles, path: string, text: string): void {
  files.replace(path, new TextEncoder().encode(text));
}

/** Edits that people and their tools make. */
class Editor {
  readonly #saved = new Map<string, string>();

  constructor(private readonly files: MemoryFiles, private readonly random: (n: number) => number) {
    this.#save();
  }

  /** One edit; its name. */
  edit(): string {
    const edits = [
      this.#tag,
      this.#retire,
      this.#spoil,
      this.#removeSection,
      this.#removeDocument,
      this.#dropEntry,
      this.#addEntry,
      this.#bringBack,
      this.#bringBack,
      this.#bringBackAll,
    ];
    const edit = edits[this.random(edits.length)];
    this.#save();
    edit.call(this);
    return edit.name;
  }

  /** Remembers what files were like when they were first seen. */
  #save(): void {
    for (const part of ["sections", "documents"] as const) {
      for (const path of filesOf(this.files, part)) {
        if (!this.#saved.has(path)) this.#saved.set(path, textOf(this.files, path));
      }
    }
  }

  #tag(): void {
    const tags = `tags = [ "t${this.random(9)}" ]\ncreated`;
    this.#change("sections", (text) => text.replace(/(tags = .*\n)?created/, tags));
  }

  #retire(): void {
    const retired = 'retired = "2026-03-04T12:00:00.000Z"\nseq';
    this.#change("sections", (text) => /retired/.test(text) ? text : text.replace("seq", retired));
  }

  #spoil(): void {
    this.#change("sections", (text) => `${text}x`);
  }

  #removeSection(): void {
    const path = this.#any("sections");
    if (path) this.files.remove(path);
  }

  #removeDocument(): void {
    const path = this.#any("documents");
    if (path) this.files.remove(path);
  }

  #dropEntry(): void {
    this.#change("documents", (text) => text.replace(/ {2}\{ kbid.*\n/, ""));
  }

  #addEntry(): void {
    const kbid = this.#any("sections")?.match(/(\w{26})\.md$/)?.[1];
    if (!kbid) return;
    this.#change("documents", (text) => text.replace("[\n", `[\n  { kbid = "${kbid}" },\n`));
  }

  #bringBack(): void {
    const all = [...this.#saved];
    const [path, text] = all[this.random(all.length)];
    save(this.files, path, text);
  }

  #bringBackAll(): void {
    for (const [path, text] of this.#saved) if (this.random(2)) save(this.files, path, text);
  }

  #any(part: "sections" | "documents"): string | undefined {
    const paths = filesOf(this.files, part);
    return paths[this.random(Math.max(1, paths.length))];
  }

  #change(part: "sections" | "documents", change: (text: string) => string): void {
    const path = this.#any(part);
    if (path) save(this.files, path, change(textOf(this.files, path)));
  }
}

function dump(index: SearchIndex) {
  return KINDS.flatMap((kind) => index.list(kind));
}

/** Makes sure that the index is what the files give. */
async function assertCurrent(base: KnowledgeBase, what: string): Promise<void> {
  await base.run(async ({ store, keeper }) => {
    const index = new SearchIndex({ language: store.config.language });
    await fillFromTruth(store, { index, report: () => {}, pause: () => {} });
    assert.deepEqual(dump(keeper.index), dump(index), what);
    index.free();
  });
}

async function write(base: KnowledgeBase, random: (n: number) => number): Promise<string> {
  const [a, b] = [random(12), random(12)];
  const docid = `doc ${random(4)}`;
  const content = `# A${a}\n\nalpha ${a}\n\n# B${b}\n\nbeta ${b}`;
  const item = random(2) ? { content, docid, document: true } : { content: `alone ${a}` };
  // What a person has spoiled may be refused.
  await learnItem(base, item);
  return `learn ${item.content} ${docid}`;
}

for (let seed = 1; seed <= 4; seed++) {
  test(`look() makes the index what random edits made of the files (seed ${seed})`, async () => {
    const random = randomOf(seed);
    const files = await newDisk();
    let base = await openBase(files, { now: () => new Date() });
    for (let i = 0; i < 6; i++) await write(base, random);
    await learn(base, { content: "stays" });
    await base.scan();
    const editor = new Editor(files, random);
    const steps: string[] = [];
    for (let round = 0; round < 20; round++) {
      for (let i = random(4); i >= 0; i--) {
        steps.push(random(4) ? editor.edit() : await write(base, random));
      }
      if (random(8) === 0) {
        steps.push("restart");
        await base.close();
        base = await openBase(files, { now: () => new Date() });
        await base.scan();
      } else {
        await base.look();
      }
      await assertCurrent(base, steps.join("\n"));
    }
    await base.close();
  });
}
