import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { kbid as kbidOf } from "../../core/text.ts";
import type { MemoryFiles } from "../../platform/memory_files.ts";
import { encodeDocument } from "../../store/document_store.ts";
import { decodeSection, encodeSection, type SectionMeta } from "../../store/section_file.ts";
import { bytesOf, documentOf, sectionOf } from "../../store/testing.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import { agentCreate } from "../prompts/agents.ts";
import { skillDelete, skillLearn } from "../prompts/skills.ts";
import {
  checkOf,
  find,
  idOfText,
  learn,
  newBase,
  newKey,
  openBase,
  paths,
  restoreIds,
  reviseText,
  sweep,
  unlearnOne,
} from "../testing.ts";

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
    unresolved_links: 0,
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
    detail: "no document holds it, no marker names it and it was not learned alone",
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

/** Markers that name nothing, or something of another type. */
const MARKERS: [marker: string, type: string, detail: RegExp][] = [
  ["$(link:nowhere)", "broken_reference", /^\$\(link:nowhere\) names nothing that is stored$/],
  ["$(include:one#x#y)", "broken_reference", /^\$\(include:one#x#y\) names nothing/],
  [`$(code:${idOfText("absent")})`, "broken_reference", /names nothing that is stored$/],
  ["$(image:one)", "type_mismatch", /^\$\(image:one\) names text\/markdown, which is no image$/],
  [`$(code:${idOfText("alone")})`, "type_mismatch", /names text\/markdown, which is no code$/],
];

for (const [marker, type, detail] of MARKERS) {
  test(`check() names ${marker} as ${type} (D48)`, async () => {
    const { base } = await filled();
    const { kbid } = await learn(base, { content: `see ${marker} there` });
    const { ok, errors, references_checked } = await checkOf(base);
    assert.deepEqual([ok, references_checked], [false, 4]);
    assert.deepEqual(errors.map(({ type, entity }) => [type, entity]), [[type, kbid]]);
    assert.match(errors[0].detail, detail);
  });
}

test("check() names the way back of what a marker misses", async () => {
  const { base } = await filled();
  const { kbid } = await learn(base, { content: "the target" });
  await learn(base, { content: `see $(link:${kbid})` });
  await unlearnOne(base, { kbid });
  const { errors } = await checkOf(base);
  assert.match(errors[0].detail, new RegExp(`. Bring it back with: kbdb restore ${kbid}$`));
  await restoreIds(base, kbid);
  assert.equal((await checkOf(base)).ok, true);
});

test("check() takes markers that lead somewhere", async () => {
  const { base } = await filled();
  const code = { content: "x = 1", type: "text/x-python", title: "x", docid: "x.py" };
  await learn(base, { ...code, document: true });
  const json = await learn(base, { content: "[1]", type: "application/json" });
  const markers = [
    "$(link:one)",
    "$(link:one#b)",
    "$(include:two)",
    "$(code:x.py)",
    `$(code:${json.kbid})`,
    `$(link:${idOfText("alone")}|x)`,
  ];
  await learn(base, { content: markers.join(" ") });
  const { ok, errors, references_checked } = await checkOf(base);
  assert.deepEqual([ok, errors, references_checked], [true, [], 4 + markers.length]);
});

test("check() names a damaged document, not those who refer to it", async () => {
  const { base, files } = await filled();
  await learn(base, { content: "$(link:two) $(link:two#b)" });
  files.write(paths.document("two"), new Uint8Array(60));
  const { errors } = await checkOf(base);
  assert.deepEqual(errors.map(({ type }) => type), [DAMAGED]);
});

test("check() counts links that lead nowhere, which are no fault (D48)", async () => {
  const { base } = await newBase();
  const links =
    "[a](b.md) [b](gone.md) [c](../../up.md) [d](https://x.y) [e](#here) [f](b.md#gone)";
  const wikis = "[[b]] [[Gone]] [[B heading]] [[gone]] [[#here]]";
  await learn(base, { content: `${links}\n\n${wikis}`, docid: "n/a.md", document: true });
  await learn(base, { content: "# B\n\n# B heading", docid: "n/b.md", document: true });
  const { ok, unresolved_links } = await checkOf(base);
  assert.deepEqual([ok, unresolved_links], [true, 4]);
});

test("check() names each circle of includes once", async () => {
  const { base } = await filled();
  const texts = {
    a: "A $(include:b)",
    b: "B $(include:c)",
    c: "C $(include:a)",
    d: "D $(include:a)",
  };
  for (const [docid, content] of Object.entries(texts)) {
    await learn(base, { content, docid, document: true });
  }
  await learn(base, { content: "self $(include:e)", docid: "e", document: true });
  const { errors } = await checkOf(base);
  const ring = [texts.a, texts.b, texts.c].map(idOfText);
  const first = ring.indexOf(ring.toSorted()[0]);
  const [x, y, z] = [0, 1, 2].map((i) => ring[(first + i) % 3]);
  const docids = new Map(ring.map((kbid, i) => [kbid, "abc"[i]]));
  const self = idOfText("self $(include:e)");
  assert.deepEqual(errors.toSorted((a, b) => b.detail.length - a.detail.length), [
    {
      type: "circular_reference",
      entity: x,
      detail: "it includes itself: " +
        [x, docids.get(y), y, docids.get(z), z, docids.get(x), x].join(" -> "),
    },
    {
      type: "circular_reference",
      entity: self,
      detail: `it includes itself: ${self} -> e -> ${self}`,
    },
  ]);
});

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("check() names types that the bytes contradict", async () => {
  const { base, files } = await newBase();
  const seed = (type: string, content: Uint8Array) => {
    const kbid = kbidOf(content);
    const { meta } = sectionOf("", { kbid, type });
    files.makeDir(paths.sectionFolder(kbid));
    files.write(paths.section(kbid), encodeSection({ meta, content }));
    return kbid;
  };
  const wrong = new Map([
    [
      seed("text/x-log", Uint8Array.of(0xff, 0xfe, 0x20)),
      /text\/x-log, and its bytes are no UTF-8/,
    ],
    [seed("application/json", bytesOf("{},")), /application\/json, and it cannot be/],
    [seed("skill", bytesOf("{}")), /./],
  ]);
  seed("application/json", bytesOf('{"a": 1}'));
  const { errors } = await checkOf(base);
  assert.deepEqual(errors.map(({ type }) => type), [
    "type_mismatch",
    "type_mismatch",
    "type_mismatch",
  ]);
  for (const { entity, detail } of errors) assert.match(detail, wrong.get(entity)!);
});

test("check() names an image whose bytes are none", async () => {
  const { base, files } = await newBase();
  const { kbid } = await learn(base, { content: PIXEL, type: "image/png", title: "Dot" });
  assert.equal((await checkOf(base)).ok, true);
  const sidecar = paths.section(kbid).replace(/md$/, "toml");
  const text = new TextDecoder().decode(files.read(sidecar)).replace("image/png", "image/jpeg");
  files.write(sidecar, bytesOf(text));
  files.write(paths.section(kbid).replace(/md$/, "jpg"), Buffer.from(PIXEL, "base64"));
  const { errors } = await checkOf(base);
  assert.deepEqual(errors.map(({ type, entity }) => [type, entity]), [["type_mismatch", kbid]]);
  assert.match(errors[0].detail, /not those of image\/jpeg but of image\/png/);
});

test("check() takes what a marker names, and skills, for no orphans (D13, D14)", async () => {
  const { base, files } = await filled();
  await learn(base, { content: `see $(link:${idOfText("alone")})` });
  edit(files, "alone", (meta) => ({ ...meta, standalone: false }));
  assert.equal((await checkOf(base)).ok, true);
});

test("check() warns of skills that an agent misses", async () => {
  const { base } = await newBase();
  const given = { name: "helper", description: "Helps", body: "Help" };
  const { kbid } = await base.run((parts) => skillLearn(parts, { key: newKey(), ...given }));
  const agent = { name: "clerk", description: "d", persona: "You help.", skills: [kbid] };
  await base.run((parts) => agentCreate(parts, { key: newKey(), ...agent }));
  assert.deepEqual(await checkOf(base), {
    ok: true,
    errors: [],
    sections_checked: 1,
    documents_checked: 1,
    references_checked: 1,
    unresolved_links: 0,
  });
  await base.run((parts) => skillDelete(parts, { key: newKey(), kbid }));
  const { ok, warnings } = await checkOf(base);
  assert.deepEqual([ok, warnings], [
    true,
    [`Agent agent-clerk names skill ${kbid}, which is not stored`],
  ]);
});

test("check() looks at retired sections for damage only", async () => {
  const { base, files } = await newBase();
  const { kbid } = await learn(base, { content: "$(link:nowhere) $(image:nowhere)" });
  await reviseText(base, kbid, { content: "better" });
  assert.equal((await checkOf(base)).ok, true);
  const path = paths.section(kbid);
  files.write(path, bytesOf(new TextDecoder().decode(files.read(path)) + "!"));
  const { errors } = await checkOf(base);
  assert.deepEqual(errors.map(({ type, entity }) => [type, entity]), [[DAMAGED, kbid]]);
  await sweep(base);
  assert.equal((await checkOf(base)).ok, true);
});

test("check() of references is ok while writes go on", async () => {
  const { base } = await newBase();
  const documents = (text: string) =>
    Array.from({ length: 300 }, (_, i) => ({
      content: `# ${i} ${text}\n\n$(link:d${(i + 1) % 300}) [next](d${(i + 1) % 300})`,
      docid: `d${i}`,
      document: true,
    }));
  await base.learn({ key: "k", items: documents("first") }, () => {});
  const writing = base.learn({ key: "m", items: documents("second") }, () => {});
  const checks = await Promise.all([1, 2].map(() => checkOf(base)));
  await writing;
  for (const { errors, unresolved_links } of [...checks, await checkOf(base)]) {
    assert.deepEqual([errors, unresolved_links], [[], 0]);
  }
});
