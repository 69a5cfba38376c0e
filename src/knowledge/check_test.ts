import assert from "node:assert/strict";
import { test } from "node:test";
import type { MemoryFiles } from "../platform/memory_files.ts";
import { encodeDocument } from "../store/document_store.ts";
import { decodeSection, encodeSection, type SectionMeta } from "../store/section_file.ts";
import { bytesOf, documentOf } from "../store/testing.ts";
import type { KnowledgeBase } from "./knowledge_base.ts";
import { checkOf, find, idOfText, learn, newBase, openBase, paths } from "./testing.ts";

/** Two documents that share a section, a retired section, and a standalone one. */
async function filled(): Promise<{ base: KnowledgeBase; files: MemoryFiles }> {
  const { base, files } = await newBase();
  await learn(base, { content: "# A\n\n# B", docid: "one", document: true });
  await learn(base, { content: "# B\n\n# C", docid: "two", document: true });
  await learn(base, { content: "# B", docid: "two", document: true });
  await learn(base, { content: "alone" });
  return { base, files };
}

function edit(files: MemoryFiles, text: string, change: (meta: SectionMeta) => SectionMeta): void {
  const path = paths.section(idOfText(text));
  const { meta, content } = decodeSection(files.read(path));
  files.write(path, encodeSection({ meta: change(meta), content }));
}

test("check() of a clean database is ok, with counts", async () => {
  const { base, files } = await filled();
  const clean = {
    ok: true,
    errors: [],
    sections_checked: 4,
    documents_checked: 2,
    references_checked: 3,
  };
  assert.deepEqual(await checkOf(base), clean);
  await base.rebuild(() => {});
  assert.deepEqual(await checkOf(base), clean);
  await base.close();
  assert.deepEqual(await checkOf(await openBase(files)), clean);
});

test("check() of an empty database is ok", async () => {
  const { base } = await newBase();
  assert.equal((await checkOf(base)).ok, true);
});

test("check() changes nothing", async () => {
  const { base, files } = await filled();
  await base.close();
  const second = await openBase(files);
  await find(second, "alone");
  files.beforeChange = (change) => assert.fail(JSON.stringify(change));
  await checkOf(second);
  files.beforeChange = undefined;
});

const DAMAGED = "checksum_mismatch";
type Seed = (files: MemoryFiles) => void;
const FAULTS: [what: string, seed: Seed, type: string, entity: string, detail: RegExp][] = [
  [
    "a section of zero bytes",
    (files) => files.write(paths.section(idOfText("alone")), new Uint8Array(99)),
    DAMAGED,
    idOfText("alone"),
    /does not begin with \+\+\+/,
  ],
  [
    "a section whose text was edited (D47)",
    (files) => {
      const path = paths.section(idOfText("# A"));
      files.write(path, bytesOf(new TextDecoder().decode(files.read(path)) + "!"));
    },
    DAMAGED,
    idOfText("# A"),
    /its bytes no longer give its id/,
  ],
  [
    "a section under another's name",
    (files) =>
      files.write(paths.section(idOfText("# A")), files.read(paths.section(idOfText("alone")))),
    DAMAGED,
    idOfText("# A"),
    /it names kbid/,
  ],
  [
    "a standalone section whose file is gone",
    (files) => files.remove(paths.section(idOfText("alone"))),
    DAMAGED,
    idOfText("alone"),
    /its file is missing/,
  ],
  [
    "a manifest that is half there (B04)",
    (files) => {
      const path = paths.document("two");
      files.write(path, files.read(path).subarray(0, 60));
    },
    DAMAGED,
    paths.document("two").slice(paths.root.length + 1),
    /./,
  ],
  [
    "a manifest with an id that is a path (B44)",
    (files) => {
      const text = new TextDecoder().decode(files.read(paths.document("two")));
      files.write(paths.document("two"), bytesOf(text.replace(idOfText("# B"), "../../x")));
    },
    DAMAGED,
    paths.document("two").slice(paths.root.length + 1),
    /a section has no valid kbid/,
  ],
  [
    "a copy of a manifest",
    (files) => {
      const path = `${paths.document("one").slice(0, -5)} (1).toml`;
      files.write(path, files.read(paths.document("one")));
    },
    DAMAGED,
    `${paths.document("one").slice(paths.root.length + 1, -5)} (1).toml`,
    /the file of its docid has another name/,
  ],
  [
    "a manifest that lists a missing section",
    (files) => files.remove(paths.section(idOfText("# A"))),
    DAMAGED,
    idOfText("# A"),
    /its file is missing, and document one lists it/,
  ],
  [
    "a manifest none of whose sections exists",
    (files) => {
      files.makeDir(paths.document("ghost").replace(/[^/]*$/, ""));
      const ghost = documentOf("ghost", { sections: [{ kbid: idOfText("nowhere"), gap: "" }] });
      files.write(paths.document("ghost"), encodeDocument(ghost));
    },
    "orphan_document",
    "ghost",
    /none of its sections exists/,
  ],
];

for (const [what, seed, type, entity, detail] of FAULTS) {
  test(`check() names ${what}, and goes on`, async () => {
    const { base, files } = await filled();
    seed(files);
    const { ok, errors } = await checkOf(base);
    assert.equal(ok, false);
    const found = errors.filter((error) => error.type === type && error.entity === entity);
    assert.equal(found.length, 1, JSON.stringify(errors));
    assert.match(found[0].detail, detail);
    assert.equal(errors.length, 1, JSON.stringify(errors));
  });
}

test("check() names a section that nothing holds (D14)", async () => {
  const { base, files } = await filled();
  edit(files, "alone", (meta) => ({ ...meta, standalone: false }));
  assert.deepEqual((await checkOf(base)).errors, [{
    type: "orphan_section",
    entity: idOfText("alone"),
    detail: "no document holds it and it was not learned alone",
  }]);
});

test("check() warns of strays without failing (B04)", async () => {
  const { base, files } = await filled();
  files.write(`${paths.sections}/notes.bak`, bytesOf("x"));
  files.write(`${paths.sectionFolder(idOfText("# A"))}/.x.md.abc.tmp`, bytesOf("x"));
  const { ok, warnings } = await checkOf(base);
  assert.equal(ok, true);
  assert.deepEqual(
    warnings?.filter((text) => text.startsWith("Not a section: sections/")).length,
    2,
  );
});

test("check() warns of a section that search does not know", async () => {
  const { base, files } = await filled();
  const other = await newBase();
  const { kbid } = await learn(other.base, { content: "brought along" });
  files.makeDir(paths.sectionFolder(kbid));
  files.write(paths.section(kbid), other.files.read(paths.section(kbid)));
  assert.deepEqual((await checkOf(base)).warnings, [
    `Section ${kbid} is not in the index. Run: kbdb rebuild`,
  ]);
});

test("check() repeats what search had noticed", async () => {
  const { base, files } = await filled();
  await base.close();
  files.remove(paths.section(idOfText("alone")));
  const second = await openBase(files);
  assert.deepEqual(await find(second, "alone"), []);
  assert.match((await checkOf(second)).warnings?.join() ?? "", /is left out: its file is missing/);
});

test("check() is ok while writes go on", async () => {
  const { base } = await newBase();
  const contents = Array.from({ length: 1500 }, (_, i) => `# Title ${i}\n\ntext ${i}`);
  await base.learn({ key: "k", items: contents.map((content) => ({ content })) }, () => {});
  const more = contents.map((text, i) => ({
    content: `${text}!\n\n# More`,
    docid: `d${i % 40}`,
    document: true,
  }));
  const writing = base.learn({ key: "m", items: more }, () => {});
  const checks = await Promise.all([1, 2, 3].map(() => checkOf(base)));
  await writing;
  for (const { errors } of [...checks, await checkOf(base)]) assert.deepEqual(errors, []);
});

test("check() reports progress up to the end", async () => {
  const { base } = await filled();
  const seen: string[] = [];
  await base.check(({ done, total, message }) => seen.push(`${message} ${done}/${total}`));
  assert.deepEqual(seen, ["checking 0/4", "checking 4/4"]);
});
