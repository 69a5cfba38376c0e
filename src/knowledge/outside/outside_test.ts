import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import type { MemoryFiles } from "../../platform/memory_files.ts";
import type { Files } from "../../platform/types.ts";
import type { ChangeEvent } from "../../rpc/changes.ts";
import { platform } from "../../platform/host.ts";
import { DatabasePaths } from "../../store/paths.ts";
import { newDisk, ROOT, temporaryFolder } from "../../store/testing.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import { agentCreate } from "../prompts/agents.ts";
import { DOCUMENT_KINDS } from "./documents.ts";
import { SECTION_KINDS } from "./sections.ts";
import { skillLearn, skillList } from "../prompts/skills.ts";
import { checkOf, find, idOfText, learn, openBase, paths } from "../testing.ts";

/** Opens the database at the usual place, or another, by the clock that files have. */
function open(
  files: Files,
  options: { writable?: boolean; root?: string } = {},
): Promise<KnowledgeBase> {
  return openBase(files, { ...options, now: () => new Date() });
}

/** Changes a file as an editor does. */
function edit(files: Files, path: string, change: (text: string) => string): void {
  const text = new TextDecoder().decode(files.read(path));
  assert.notEqual(change(text), text, "the edit changes nothing");
  files.replace(path, new TextEncoder().encode(change(text)));
}

/** Everything in the index, in order. */
function indexed(base: KnowledgeBase) {
  return base.run(({ keeper }) =>
    [...SECTION_KINDS, ...DOCUMENT_KINDS].flatMap((kind) => keeper.index.list(kind))
  );
}

/** Makes sure that the index is what a rebuild makes of the files. */
async function assertCurrent(base: KnowledgeBase): Promise<void> {
  const before = await indexed(base);
  await base.rebuild(() => {});
  assert.deepEqual(before, await indexed(base));
}

/** Collects what listeners are told. */
function listen(base: KnowledgeBase): () => Promise<ChangeEvent[]> {
  const told: ChangeEvent[] = [];
  base.onChange((event) => told.push(event));
  return async () => {
    await base.run(() => {});
    base.changesSince({});
    return told.splice(0);
  };
}

/** Files that count reads of sections and manifests. */
function counting(files: Files): { files: Files; reads: () => number } {
  let reads = 0;
  const read = (path: string) => {
    if (/\/(sections|documents)\//.test(path)) reads += 1;
    return files.read(path);
  };
  const counted = new Proxy(files, {
    get: (target, key) => {
      const value = key === "read" ? read : Reflect.get(target, key, target);
      return typeof value === "function" && key !== "read" ? value.bind(target) : value;
    },
  });
  return { files: counted, reads: () => reads };
}

/** Copies sections and manifests between databases, in place of what the other one has. */
function copyTruth(files: Files, from: string, to: string): void {
  for (const part of ["sections", "documents"]) {
    files.removeTree(`${to}/${part}`);
    files.makeDir(`${to}/${part}`);
    for (const { name: folder } of files.list(`${from}/${part}`)) {
      files.makeDir(`${to}/${part}/${folder}`);
      for (const { name } of files.list(`${from}/${part}/${folder}`)) {
        files.write(
          `${to}/${part}/${folder}/${name}`,
          files.read(`${from}/${part}/${folder}/${name}`),
        );
      }
    }
  }
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const PAGE = "# One\n\nalpha\n\n# Two\n\nbeta\n\n# Three\n\ngamma";
const ONE = idOfText("# One\n\nalpha");
const TWO = idOfText("# Two\n\nbeta");
const THREE = idOfText("# Three\n\ngamma");

/** A database with a document of three sections and one that stands alone, closed. */
async function sample(): Promise<{ files: MemoryFiles; alone: string }> {
  const files = await newDisk();
  const base = await open(files);
  await learn(base, { content: PAGE, docid: "page", document: true });
  const { kbid: alone } = await learn(base, { content: "delta", tags: ["old"] });
  await base.close();
  return { files, alone };
}

test("scan() finds nothing where nobody edited anything", async () => {
  const { files } = await sample();
  const base = await open(files);
  const told = listen(base);
  assert.deepEqual(base.status().scan, { state: "waiting", done: 0, total: null, found: 0 });
  await base.scan();
  assert.deepEqual(base.status().scan, { state: "done", done: 5, total: 5, found: 0 });
  assert.deepEqual(await told(), []);
});

test("scan() takes edited front matter as it is", async () => {
  const { files, alone } = await sample();
  edit(files, paths.section(alone), (text) => text.replace('"old"', '"new", "other"'));
  const base = await open(files);
  const told = listen(base);
  assert.deepEqual(await find(base, "delta", { tag: ["new"] }), []);
  await base.scan();
  assert.deepEqual(await find(base, "delta", { tag: ["new"] }), [alone]);
  assert.deepEqual(await find(base, "delta", { tag: ["old"] }), []);
  const [{ sections }] = await told();
  assert.deepEqual(sections, { added: [], updated: [alone], removed: [] });
  assert.equal(base.status().scan.found, 1);
  await assertCurrent(base);
});

test("scan() takes an editor's last line break for no edit of the text", async () => {
  const { files, alone } = await sample();
  edit(files, paths.section(alone), (text) => text.replace('"old"', '"new"') + "\n");
  const base = await open(files);
  await base.scan();
  assert.deepEqual(await find(base, "delta", { tag: ["new"] }), [alone]);
  const { kbid, existing } = await learn(base, { content: "delta", tags: ["third"] });
  assert.deepEqual([kbid, existing], [alone, true]);
  assert.deepEqual((await checkOf(base)).errors, []);
  await assertCurrent(base);
});

test("scan() goes on above numbers of other databases", async () => {
  const { files, alone } = await sample();
  edit(files, paths.section(alone), (text) => text.replace(/seq = \d+/, "seq = 5000"));
  edit(files, paths.section(ONE), (text) => text.replace(/seq = \d+/, "seq = 9007199254740991"));
  const first = await open(files);
  await first.scan();
  await first.close();
  const base = await open(files);
  const seqs = await base.run(({ store }) => [store.seq, store.takeSeq(), store.takeSeq()]);
  assert.ok(seqs[0] >= 5000 && seqs[0] < 6000, `${seqs}`);
  assert.equal(seqs[2] - seqs[0], 2);
});

test("scan() takes what was retired by hand out of search", async () => {
  const { files, alone } = await sample();
  edit(
    files,
    paths.section(alone),
    (text) => text.replace("seq =", 'retired = "2026-03-04T12:00:00.000Z"\nseq ='),
  );
  const base = await open(files);
  const told = listen(base);
  await base.scan();
  assert.deepEqual(await find(base, "delta"), []);
  assert.deepEqual((await told())[0].sections.removed, [alone]);
  await assertCurrent(base);
});

test("scan() leaves out and names what no longer gives its id (D47)", async () => {
  const { files, alone } = await sample();
  edit(files, paths.section(alone), (text) => text.replace("delta", "epsilon"));
  const base = await open(files);
  const told = listen(base);
  await base.scan();
  assert.deepEqual(await find(base, "delta epsilon"), []);
  assert.deepEqual((await told())[0].sections.removed, [alone]);
  const { warnings } = base.status();
  assert.equal(warnings.filter((warning) => warning.includes(alone)).length, 1);
  const { items: [item] } = await base.recall({ kbids: [alone] });
  assert.ok("error" in item && item.error.code === "damaged");
  await assertCurrent(base);
});

test("look() takes back what is whole again", async () => {
  const { files, alone } = await sample();
  edit(files, paths.section(TWO), (text) => text.replace("beta", "zeta"));
  edit(files, paths.section(alone), (text) => text.replace("delta", "zeta"));
  const base = await open(files);
  await base.scan();
  assert.equal(base.status().warnings.length, 2);
  edit(files, paths.section(TWO), (text) => text.replace("zeta", "beta"));
  edit(files, paths.section(alone), (text) => text.replace("zeta", "delta"));
  await base.look();
  assert.deepEqual(base.status().warnings, []);
  assert.deepEqual(await find(base, "beta", { docid: ["page"] }), [TWO]);
  assert.deepEqual(await find(base, "delta"), [alone]);
  await assertCurrent(base);
});

test("scan() takes in files of another database", async () => {
  const { files } = await sample();
  const other = await open(files, { root: "/home/notes/other" });
  const { kbid } = await learn(other, { content: "eta", tags: ["far"] });
  await learn(other, { content: "# A\n\ntheta\n\n# B\n\niota", docid: "far page", document: true });
  await other.close();
  for (const part of ["sections", "documents"]) {
    const from = `/home/notes/other/${part}`;
    for (const { name: folder } of files.list(from)) {
      files.makeDir(`${ROOT}/${part}/${folder}`);
      for (const { name } of files.list(`${from}/${folder}`)) {
        const path = `${part}/${folder}/${name}`;
        files.write(`${ROOT}/${path}`, files.read(`/home/notes/other/${path}`));
      }
    }
  }
  const base = await open(files);
  const told = listen(base);
  await base.scan();
  assert.deepEqual(await find(base, "eta", { tag: ["far"] }), [kbid]);
  assert.equal((await find(base, "theta iota", { docid: ["far page"] })).length, 2);
  const [{ sections, documents }] = await told();
  assert.equal(sections.added.length, 3);
  assert.deepEqual(documents.added, ["far page"]);
  await assertCurrent(base);
});

test("scan() drops what is gone and names what is still needed", async () => {
  const { files, alone } = await sample();
  files.remove(paths.section(alone));
  files.remove(paths.section(TWO));
  const base = await open(files);
  const told = listen(base);
  await base.scan();
  assert.deepEqual(await find(base, "beta delta"), []);
  assert.deepEqual((await told())[0].sections.removed.sort(), [alone, TWO].sort());
  assert.equal(base.status().warnings.length, 2);
  await assertCurrent(base);
});

test("scan() says nothing of sections that went with their document", async () => {
  const { files } = await sample();
  for (const kbid of [ONE, TWO, THREE]) files.remove(paths.section(kbid));
  files.remove(paths.document("page"));
  const base = await open(files);
  const told = listen(base);
  await base.scan();
  const { sections, documents, warnings } = base.status();
  assert.deepEqual([sections, documents, warnings], [1, 0, []]);
  assert.deepEqual((await told())[0].documents.removed, ["page"]);
  assert.deepEqual((await checkOf(base)).errors, []);
  await assertCurrent(base);
});

test("scan() follows an edited manifest", async () => {
  const { files, alone } = await sample();
  edit(
    files,
    paths.document("page"),
    (text) =>
      text.replace(new RegExp(`.*${TWO}.*\n`), "").replace(
        "sections = [",
        `sections = [
  { kbid = "${alone}" },`,
      ),
  );
  const base = await open(files);
  const told = listen(base);
  await base.scan();
  assert.deepEqual(await find(base, "delta", { docid: ["page"] }), [alone]);
  assert.deepEqual(await find(base, "beta", { docid: ["page"] }), []);
  const [{ sections, documents }] = await told();
  assert.deepEqual(sections.updated.sort(), [alone, TWO].sort());
  assert.deepEqual(documents.updated, ["page"]);
  await assertCurrent(base);
});

test("scan() keeps what it knows of a manifest that it cannot read", async () => {
  const { files } = await sample();
  edit(files, paths.document("page"), (text) => text.replace("sections = [", "sections = "));
  const base = await open(files);
  await base.scan();
  assert.deepEqual(await find(base, "beta", { docid: ["page"] }), [TWO]);
  assert.match(base.status().warnings.join(), /documents\/.*counts as it was before/);
  edit(files, paths.document("page"), (text) => text.replace("sections = ", "sections = ["));
  await base.look();
  assert.deepEqual(base.status().warnings, []);
});

test("scan() leaves the sections of a removed manifest without a document", async () => {
  const { files } = await sample();
  files.remove(paths.document("page"));
  const base = await open(files);
  await base.scan();
  assert.deepEqual(await find(base, "beta", { docid: ["page"] }), []);
  assert.equal(base.status().documents, 0);
  assert.equal((await checkOf(base)).errors.length, 3);
  await assertCurrent(base);
});

test("scan() finds who holds a section that was gone before the start", async () => {
  const { files } = await sample();
  const bytes = files.read(paths.section(TWO));
  files.remove(paths.section(TWO));
  const first = await open(files);
  await first.scan();
  await first.close();
  files.write(paths.section(TWO), bytes);
  const base = await open(files);
  await base.scan();
  assert.deepEqual(await find(base, "beta", { docid: ["page"] }), [TWO]);
  await assertCurrent(base);
});

test("scan() takes images with what stands beside them", async () => {
  const files = await newDisk();
  const first = await open(files);
  const image = (byte: number) => Buffer.from([...PNG, byte]).toString("base64");
  const learnImage = (byte: number) =>
    learn(first, { content: image(byte), type: "image/png", title: `Picture ${byte}` });
  const { kbid: one } = await learnImage(1);
  const { kbid: two } = await learnImage(2);
  await first.close();
  const base = await open(files);
  await base.scan();
  assert.equal(base.status().scan.found, 0);
  const folder = (kbid: string) => paths.sectionFolder(kbid);
  edit(files, `${folder(one)}/${one}.toml`, (text) => text.replace("Picture 1", "Drawing"));
  files.remove(`${folder(two)}/${two}.png`);
  await base.look();
  assert.deepEqual(await find(base, "drawing"), [one]);
  assert.deepEqual(await find(base, "picture"), []);
  assert.equal(base.status().warnings.length, 1);
  await assertCurrent(base);
});

test("scan() takes in edited skills and agents", async () => {
  const files = await newDisk();
  const first = await open(files);
  const params = { key: "skill", name: "greet", description: "Greets", body: "Hello" };
  const { kbid } = await first.run((parts) => skillLearn(parts, params));
  const agent = { key: "agent", name: "host", description: "Hosts", persona: "", skills: [kbid] };
  await first.run((parts) => agentCreate(parts, agent));
  await first.close();
  files.remove(paths.document("agent-host"));
  edit(files, paths.section(kbid), (text) => text.replace('title = "greet"', 'title = "meet"'));
  const base = await open(files);
  const told = listen(base);
  await base.scan();
  const [event] = await told();
  assert.equal(event.prompts, true);
  assert.deepEqual(event.documents.removed, ["agent-host"]);
  assert.equal((await base.run(skillList)).skills.length, 1);
  await assertCurrent(base);
});

test("what a scan found lasts over restarts without another scan", async () => {
  const { files, alone } = await sample();
  edit(files, paths.section(alone), (text) => text.replace('"old"', '"new"'));
  edit(files, paths.section(ONE), (text) => text.replace("alpha", "omega"));
  const first = await open(files);
  await first.scan();
  const after = await indexed(first);
  await first.close();
  assert.deepEqual(await indexed(await open(files)), after);
});

test("what a scan found is found again where it was not put on disk", async () => {
  const { files, alone } = await sample();
  edit(files, paths.section(alone), (text) => text.replace('"old"', '"new"'));
  edit(files, paths.document("page"), (text) => text.replace(new RegExp(`.*${TWO}.*\n`), ""));
  const first = await open(files);
  files.beforeChange = () => {
    throw new Error("The disk is full");
  };
  await first.scan();
  assert.deepEqual(await find(first, "delta", { tag: ["new"] }), [alone]);
  assert.match(first.status().warnings.join(), /The disk is full/);
  await first.close().catch(() => {});
  files.beforeChange = undefined;
  const base = await open(files);
  await base.scan();
  assert.deepEqual(await find(base, "delta", { tag: ["new"] }), [alone]);
  assert.deepEqual(await find(base, "beta", { docid: ["page"] }), []);
  await assertCurrent(base);
});

test("scan() works on a database that cannot be written", async () => {
  const { files, alone } = await sample();
  edit(files, paths.section(alone), (text) => text.replace('"old"', '"new"'));
  files.beforeChange = ({ action, path }) => assert.fail(`${action} ${path}`);
  const base = await open(files, { writable: false });
  await base.scan();
  assert.deepEqual(await find(base, "delta", { tag: ["new"] }), [alone]);
  await base.close();
});

test("scan() overtakes no write and calls none an edit", async () => {
  const { files } = await sample();
  const base = await open(files);
  const told = listen(base);
  const scan = base.scan();
  const items = Array.from(
    { length: 300 },
    (_, i) => ({ content: `text ${i}`, docid: `d${i % 7}` }),
  );
  const learned = base.learn({ key: "many", items }, () => {});
  await Promise.all([scan, learned]);
  await base.look();
  assert.equal(base.status().scan.found, 0);
  const added = new Set((await told()).flatMap(({ sections }) => sections.added));
  assert.equal(added.size, 300);
  await assertCurrent(base);
});

test("close() ends a scan and keeps what it found", async () => {
  const files = await newDisk();
  const first = await open(files);
  const items = Array.from({ length: 400 }, (_, i) => ({ content: `text ${i}` }));
  await first.learn({ key: "many", items }, () => {});
  await first.close();
  for (const { content } of items) {
    edit(
      files,
      paths.section(idOfText(content)),
      (text) => text.replace("created", 'title = "T"\n$&'),
    );
  }
  const base = await open(files);
  const scan = base.scan();
  while (base.status().scan.done < 100) await new Promise((resolve) => setTimeout(resolve, 0));
  await base.close();
  await scan;
  const again = await open(files);
  assert.ok((await again.search({ query: "T", limit: 1 })).total >= 50);
  await again.scan();
  assert.equal((await again.search({ query: "T", limit: 1 })).total, 400);
});

test("look() waits for the scan", async () => {
  const { files, alone } = await sample();
  const base = await open(files);
  files.remove(paths.section(alone));
  await base.look();
  assert.deepEqual(base.status().scan.state, "waiting");
});

test("look() follows a checkout of another state, there and back", async () => {
  const { files } = await sample();
  files.makeDir("/home/notes/before");
  copyTruth(files, ROOT, "/home/notes/before");
  const base = await open(files);
  await base.scan();
  const before = await indexed(base);
  await learn(base, { content: PAGE.replace("beta", "kappa"), docid: "page", document: true });
  await learn(base, { content: "# X\n\nlambda\n\n# Y\n\nmu", docid: "other", document: true });
  await learn(base, { content: "delta", tags: ["more"] });
  const later = await indexed(base);
  files.makeDir("/home/notes/after");
  await base.close();
  copyTruth(files, ROOT, "/home/notes/after");

  const again = await open(files);
  const told = listen(again);
  await again.scan();
  copyTruth(files, "/home/notes/before", ROOT);
  await again.look();
  assert.deepEqual(await indexed(again), before);
  const [event] = await told();
  assert.deepEqual(event.documents, { added: [], updated: ["page"], removed: ["other"] });
  assert.deepEqual(again.status().warnings, []);
  copyTruth(files, "/home/notes/after", ROOT);
  await again.look();
  assert.deepEqual(await indexed(again), later);
  await assertCurrent(again);
});

test("look() scans again where the scan failed", async () => {
  const { files, alone } = await sample();
  edit(files, paths.section(alone), (text) => text.replace('"old"', '"new"'));
  const failing = new Proxy(files, {
    get: (target, key) => {
      const value = Reflect.get(target, key, target);
      if (key !== "list" || !isFailing) {
        return typeof value === "function" ? value.bind(target) : value;
      }
      return (path: string) => {
        throw new Error(`no access to ${path}`);
      };
    },
  });
  let isFailing = false;
  const base = await open(failing);
  await base.run(() => {});
  isFailing = true;
  await base.scan();
  assert.match(base.status().warnings.join(), /could not be looked for: no access/);
  isFailing = false;
  await base.look();
  assert.deepEqual(base.status().warnings, []);
  assert.deepEqual(await find(base, "delta", { tag: ["new"] }), [alone]);
});

test("scan() reads everything where the clock had gone wrong", async () => {
  const { files, alone } = await sample();
  const later = () => new Date(Date.now() + 3_600_000);
  const first = await openBase(files, { now: later });
  await first.scan();
  await learn(first, { content: "iota" });
  await first.close();
  edit(files, paths.section(alone), (text) => text.replace('"old"', '"new"'));
  const base = await open(files);
  await base.scan();
  assert.deepEqual(await find(base, "delta", { tag: ["new"] }), [alone]);
});

test("look() stops where the database is gone", async () => {
  const { files } = await sample();
  const base = await open(files);
  await base.scan();
  const before = await indexed(base);
  files.rename(ROOT, "/home/notes/moved");
  await base.look();
  assert.deepEqual(await indexed(base), before);
  files.rename("/home/notes/moved", ROOT);
});

test("look() finds on a real disk what was renamed into place", async () => {
  const root = `${temporaryFolder()}/.kbdb`;
  const { files } = platform;
  const base = await open(files, { root });
  const { kbid } = await learn(base, { content: "delta" });
  await base.scan();
  await base.look();
  // What changed just now may change again within the same tick of the disk's clock.
  await new Promise((resolve) => setTimeout(resolve, 2100));
  await base.look();
  const path = new DatabasePaths(root).section(kbid);
  edit(files, path, (text) => text.replace("created", 'tags = [ "new" ]\ncreated'));
  await base.look();
  assert.deepEqual(await find(base, "delta", { tag: ["new"] }), [kbid]);
  files.remove(path);
  await base.look();
  assert.deepEqual(await find(base, "delta"), []);
  assert.equal(base.status().scan.found, 2);
});

test("scan() reads only what changed since the last one", async () => {
  const files = await newDisk();
  const first = await open(files);
  const page = (n: number) =>
    Array.from({ length: 100 }, (_, i) => `# ${n} ${i}\n\nword${n * 100 + i}`).join("\n\n");
  const items = Array.from({ length: 100 }, (_, n) => ({
    content: page(n),
    docid: `page ${n}`,
    document: true,
  }));
  await first.learn({ key: "many", items }, () => {});
  await first.scan();
  await first.close();
  // Files that are this new are read once more.
  await new Promise((resolve) => setTimeout(resolve, 2100));
  const second = await open(files);
  await second.scan();
  await second.close();

  const counted = counting(files);
  const base = await open(counted.files);
  await base.scan();
  assert.deepEqual(base.status().scan, { state: "done", done: 10_100, total: 10_100, found: 0 });
  assert.equal(counted.reads(), 0);
  const [kbid] = await find(base, "word4711");
  const before = counted.reads();
  edit(files, paths.section(kbid), (text) => text.replace("created", 'tags = [ "x" ]\ncreated'));
  await base.look();
  assert.equal(base.status().scan.found, 1);
  assert.ok(counted.reads() - before < 10, `${counted.reads() - before} reads`);
});
