import assert from "node:assert/strict";
import { test } from "node:test";
import type { Files } from "../../platform/types.ts";
import { countChanges, newDisk, processOn } from "../../store/testing.ts";
import { adoptEdits } from "./adopt.ts";
import { agentCreate, agentGet } from "../prompts/agents.ts";
import { history } from "./history.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import { skillGet, skillLearn } from "../prompts/skills.ts";
import { checkOf, find, idOfText, learn, openBase, paths } from "../testing.ts";

/** Opens the database at the usual place, by the clock that files have. */
function open(files: Files, options: { writable?: boolean } = {}): Promise<KnowledgeBase> {
  return openBase(files, { ...options, now: () => new Date() });
}

/** Changes a file as an editor does. */
function edit(files: Files, path: string, change: (text: string) => string): void {
  const text = new TextDecoder().decode(files.read(path));
  assert.notEqual(change(text), text, "the edit changes nothing");
  files.replace(path, new TextEncoder().encode(change(text)));
}

function adopt(base: KnowledgeBase) {
  return base.rebuild(() => {}, { adopt: true });
}

/** Adopts without making the index again. */
function adoptAlone(base: KnowledgeBase) {
  return base.run((parts) => adoptEdits(parts, () => {}));
}

/** Ids of a document's sections, in order. */
function sectionsOf(base: KnowledgeBase, docid: string): Promise<string[]> {
  return base.run(({ store }) => {
    const outcome = store.readDocument(docid);
    assert.ok(outcome.state === "found");
    return outcome.value.sections.map(({ kbid }) => kbid);
  });
}

const PAGE = "# One\n\nalpha\n\n# Two\n\nbeta\n\n# Three\n\ngamma";
const ONE = idOfText("# One\n\nalpha");
const TWO = idOfText("# Two\n\nbeta");
const THREE = idOfText("# Three\n\ngamma");
const EDITED = idOfText("# Second\n\nbeta and more");

/** A database with a page whose second section was edited. */
async function editedPage() {
  const files = await newDisk();
  const base = await open(files);
  await learn(base, { content: PAGE, docid: "page", document: true, tags: ["t"] });
  await base.close();
  edit(
    files,
    paths.section(TWO),
    (text) => text.replace("# Two\n\nbeta", "# Second\r\n\r\nbeta and more \n"),
  );
  return files;
}

test("adopt stores an edit as a revision in the old one's place (D47)", async () => {
  const files = await editedPage();
  const base = await open(files);
  const { adopted, skipped } = await adopt(base);
  assert.deepEqual(adopted, [{ kbid: EDITED, supersedes: TWO }]);
  assert.equal(skipped, undefined);
  assert.deepEqual(await sectionsOf(base, "page"), [ONE, EDITED, THREE]);
  assert.deepEqual(await find(base, "more", { tag: ["t"], docid: ["page"] }), [EDITED]);
  const { items: [item] } = await base.recall({ kbids: [EDITED] });
  assert.ok("content" in item);
  assert.deepEqual([item.heading, item.content], ["Second", "# Second\n\nbeta and more"]);
  assert.deepEqual((await checkOf(base)).errors, []);
  assert.deepEqual(await base.run(({ store }) => store.trash.list()), []);
  assert.deepEqual(base.status().warnings, []);
});

test("adopt keeps the history of a section whose text is gone", async () => {
  const files = await editedPage();
  const base = await open(files);
  await adopt(base);
  for (const kbid of [TWO, EDITED]) {
    const { current, revisions } = await base.run((parts) => history(parts, { kbid }));
    assert.equal(current, EDITED);
    assert.deepEqual(revisions.map(({ kbid, removed }) => [kbid, removed]), [
      [TWO, true],
      [EDITED, false],
    ]);
  }
});

test("adopt changes nothing where nothing was edited", async () => {
  const files = await newDisk();
  const base = await open(files);
  const { kbid } = await learn(base, { content: "delta" });
  edit(
    files,
    paths.section(kbid),
    (text) => text.replace("created", 'title = "D"\ncreated') + "\n",
  );
  const { adopted } = await adopt(base);
  assert.deepEqual(adopted, []);
  const { items: [item] } = await base.recall({ kbids: [kbid] });
  assert.ok("content" in item);
  assert.deepEqual([item.heading, item.content], ["D", "delta"]);
});

test("adopt takes title and tags as they were edited", async () => {
  const files = await newDisk();
  const base = await open(files);
  const { kbid } = await learn(base, { content: "# A\n\ndelta", title: "Old", tags: ["a"] });
  await base.close();
  edit(
    files,
    paths.section(kbid),
    (text) => text.replace('"Old"', '"New"').replace('"a"', '"b"').replace("delta", "epsilon"),
  );
  const again = await open(files);
  await again.scan();
  const { adopted } = await adopt(again);
  const { items: [item] } = await again.recall({ kbids: [adopted![0].kbid] });
  assert.ok("content" in item);
  assert.deepEqual([item.heading, item.tags, item.docids], ["New", ["b"], []]);
  assert.deepEqual((await checkOf(again)).errors, []);
});

test("adopt leaves and names what is no text that can be stored", async () => {
  const files = await newDisk();
  const base = await open(files);
  const { kbid } = await learn(base, { content: "delta" });
  const { kbid: other } = await learn(base, { content: "epsilon" });
  const bytes = files.read(paths.section(kbid));
  files.replace(paths.section(kbid), new Uint8Array([...bytes.subarray(0, -2), 0xff, 0xfe, 0x41]));
  edit(files, paths.section(other), (text) => text.replace("epsilon", " \n"));
  const { adopted, skipped } = await adopt(base);
  assert.deepEqual(adopted, []);
  assert.equal(skipped?.length, 2);
  assert.ok(skipped.some((name) => name.includes(kbid)));
  assert.equal(files.read(paths.section(kbid)).at(-1), 0x41);
});

test("adopt takes a text that is stored already for the revision", async () => {
  const files = await newDisk();
  const base = await open(files);
  await learn(base, { content: PAGE, docid: "page", document: true });
  edit(files, paths.section(TWO), (text) => text.replace("# Two\n\nbeta", "# Three\n\ngamma"));
  const { adopted } = await adopt(base);
  assert.deepEqual(adopted, [{ kbid: THREE, supersedes: TWO }]);
  assert.deepEqual(await sectionsOf(base, "page"), [ONE, THREE, THREE]);
  assert.deepEqual((await checkOf(base)).errors, []);
});

test("adopt follows an edited skill into its agents", async () => {
  const files = await newDisk();
  const base = await open(files);
  const params = { key: "s", name: "greet", description: "Greets", body: "Hello {{ who }}" };
  const { kbid } = await base.run((parts) => skillLearn(parts, params));
  const agent = { key: "a", name: "host", description: "Hosts", persona: "p", skills: [kbid] };
  await base.run((parts) => agentCreate(parts, agent));
  edit(files, paths.section(kbid), (text) => text.replace("Hello", "Good morning"));
  const { adopted } = await adopt(base);
  const { skills } = await base.run((parts) => agentGet(parts, { docid: "agent-host" }));
  assert.deepEqual(skills, [{ kbid: adopted![0].kbid, name: "greet", position: 0 }]);
  const { body } = await base.run((parts) => skillGet(parts, { name: "greet" }));
  assert.equal(body, "Good morning {{ who }}");
});

test("adopt refuses a database that cannot be written", async () => {
  const files = await editedPage();
  const base = await open(files, { writable: false });
  await assert.rejects(adopt(base), { code: "read_only" });
});

test("adopt changes nothing where a manifest cannot be read", async () => {
  const files = await editedPage();
  edit(files, paths.document("page"), (text) => text.replace("sections = [", "sections = "));
  const base = await open(files);
  const before = files.read(paths.section(TWO));
  await assert.rejects(adopt(base), {
    code: "damaged",
    message: /^Cannot adopt edits: the manifest/,
  });
  assert.deepEqual(files.read(paths.section(TWO)), before);
});

test("adopt loses neither text nor place wherever it is cut off", async () => {
  const files = await editedPage();
  const probe = await open(files);
  await probe.run(() => {});
  const changes = await countChanges(files, () => adoptAlone(probe));
  assert.ok(changes > 5, `only ${changes} changes`);
  await probe.close();
  for (let i = 0; i < changes; i++) await assertSurvives(i);
});

/** Kills an adoption after so many changing calls and looks at what is left. */
async function assertSurvives(changes: number): Promise<void> {
  const files = await editedPage();
  const victim = processOn(files);
  const base = await open(victim.files);
  await base.run(() => {});
  let left = changes;
  files.beforeChange = () => {
    if (left-- === 0) victim.kill();
  };
  await adoptAlone(base).catch(() => {});
  await base.close().catch(() => {});
  files.beforeChange = undefined;
  const again = await open(files);
  const { adopted } = await adopt(again);
  assert.ok(adopted!.length <= 1);
  assert.deepEqual(
    await sectionsOf(again, "page"),
    [ONE, EDITED, THREE],
    `after ${changes} changes`,
  );
  assert.deepEqual(await find(again, "more"), [EDITED]);
  assert.deepEqual((await checkOf(again)).errors, []);
  await again.close();
}
