import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reference } from "../../rpc/reading.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import { backReferences, forwardReferences, Neighbourhood } from "./neighbourhood.ts";
import {
  idOfText,
  learn,
  newBase,
  openBase,
  restoreIds,
  reviseText,
  unlearnOne,
} from "../testing.ts";

/** Stores documents by docid. */
async function filled(documents: Record<string, string>): Promise<KnowledgeBase> {
  const { base } = await newBase();
  for (const [docid, content] of Object.entries(documents)) {
    await learn(base, { content, docid, document: true });
  }
  return base;
}

const backTo = (base: KnowledgeBase, text: string): Promise<Reference[]> =>
  base.run((parts) => backReferences(parts, idOfText(text)));

const forwardFrom = (base: KnowledgeBase, text: string): Promise<Reference[]> =>
  base.run((parts) => forwardReferences(parts, idOfText(text)));

/** Texts of the sections that refer to one, with how they do. */
async function referrers(base: KnowledgeBase, text: string, texts: string[]) {
  const names = new Map(texts.map((text) => [idOfText(text), text]));
  const found = await backTo(base, text);
  return found.map(({ kbid, marker_type }) => `${marker_type} ${names.get(kbid!)}`).sort();
}

test("backReferences() shows who refers, how and where", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "the target" });
  const content = `# Reader\n\nFor details, see $(link:${kbid}|this) there.`;
  await learn(base, { content });
  assert.deepEqual(await backTo(base, "the target"), [{
    kbid: idOfText(content),
    heading: "Reader",
    type: "text/markdown",
    marker_type: "link",
    context_snippet: `For details, see $(link:${kbid}|this) there.`,
    direction: "back",
  }]);
});

test("backReferences() shows a heading that refers itself", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "the target" });
  await learn(base, { content: `# See $(link:${kbid})\n\ntext` });
  const [found] = await backTo(base, "the target");
  assert.equal(found.context_snippet, `# See $(link:${kbid}) text`);
});

test("references find the section that sets an anchor in HTML", async () => {
  const base = await filled({
    "docs/errors.md": '# Errors\n\nAll of them.\n\n## Codes\n\n<a id="too-large"></a> Too large.',
    "docs/server.md": "See [the code](errors.md#too-large) and [none](errors.md#gone).",
  });
  const from = "See [the code](errors.md#too-large) and [none](errors.md#gone).";
  const codes = '## Codes\n\n<a id="too-large"></a> Too large.';
  assert.deepEqual(await referrers(base, codes, [from]), [`mdlink ${from}`]);
  assert.deepEqual(await referrers(base, "# Errors\n\nAll of them.", [from]), [`mdlink ${from}`]);
  const places = (await forwardFrom(base, from)).map(({ target, heading }) => [target, heading]);
  assert.deepEqual(places, [["errors.md#too-large", "Codes"], ["errors.md#gone", "Errors"]]);
});

test("backReferences() is ordered by kbid, then position, without repeats", async () => {
  const { base } = await newBase();
  const { kbid } = await learn(base, { content: "the target" });
  const texts = [1, 2, 3].map((n) => `${n} $(include:${kbid}) $(link:${kbid}|a) $(link:${kbid}|b)`);
  for (const content of texts) await learn(base, { content });
  const found = await backTo(base, "the target");
  const ids = texts.map(idOfText).sort();
  assert.deepEqual(
    found.map(({ kbid, marker_type }) => [kbid, marker_type]),
    ids.flatMap((id) => [[id, "include"], [id, "link"]]),
  );
});

test("backReferences() counts a reference to a document for its first section", async () => {
  const sources = {
    "n/a.md": "# One\n\nfirst\n\n# Two\n\nsecond\n\n# Two\n\nthird",
    "n/marker.md": "$(link:n/a.md)",
    "n/link.md": "[x](a.md)",
    "n/anchor.md": "[x](a.md#two)",
    "n/second.md": "[x](../n/a.md#Two-1)",
    "n/marked.md": "$(link:n/a.md#Two)",
    "n/nowhere.md": "[x](a.md#gone)",
    "other/link.md": "[x](a.md) other",
  };
  const base = await filled(sources);
  const texts = Object.values(sources);
  assert.deepEqual(await referrers(base, "# One\n\nfirst", texts), [
    "link $(link:n/a.md)",
    "mdlink [x](a.md#gone)",
    "mdlink [x](a.md)",
  ]);
  assert.deepEqual(await referrers(base, "# Two\n\nsecond", texts), [
    "link $(link:n/a.md#Two)",
    "mdlink [x](a.md#two)",
  ]);
  assert.deepEqual(await referrers(base, "# Two\n\nthird", texts), ["mdlink [x](../n/a.md#Two-1)"]);
});

test("backReferences() follows wiki links by docid, file name, title and heading", async () => {
  const sources = {
    "vault/My Plan.md": "---\ntitle: The Grand Plan\n---\n\n# Goals\n\ng\n\n# Steps\n\ns",
    "a.md": "[[vault/my plan.md]]",
    "b.md": "[[My plan.md]]",
    "c.md": "[[MY  PLAN|that]]",
    "d.md": "[[the grand plan]]",
    "e.md": "[[My Plan#Steps]]",
    "f.md": "[[Steps]]",
    "g.md": "[[Other]]",
    "h.md": "[[My Plan#Nowhere]]",
  };
  const base = await filled(sources);
  const texts = Object.values(sources);
  const first = "---\ntitle: The Grand Plan\n---";
  assert.deepEqual(await referrers(base, first, texts), [
    "wikilink [[MY  PLAN|that]]",
    "wikilink [[My Plan#Nowhere]]",
    "wikilink [[My plan.md]]",
    "wikilink [[the grand plan]]",
    "wikilink [[vault/my plan.md]]",
  ]);
  assert.deepEqual(await referrers(base, "# Steps\n\ns", texts), [
    "wikilink [[My Plan#Steps]]",
    "wikilink [[Steps]]",
  ]);
  assert.deepEqual(await referrers(base, "# Goals\n\ng", texts), []);
});

test("backReferences() leaves out the section itself, not its neighbours", async () => {
  const text = "# A\n\n[x](a.md#a) [y](a.md#b)\n\n# B\n\n[z](a.md#a)";
  const base = await filled({ "a.md": text });
  assert.deepEqual(await referrers(base, "# A\n\n[x](a.md#a) [y](a.md#b)", []), [
    "mdlink undefined",
  ]);
  assert.equal((await backTo(base, "# B\n\n[z](a.md#a)")).length, 1);
});

test("backReferences() counts who refers to an earlier revision (D12)", async () => {
  const { base } = await newBase();
  const { kbid: old } = await learn(base, { content: "first text" });
  await learn(base, { content: `see $(link:${old})` });
  const { kbid: second } = await reviseText(base, old, { content: "second text" });
  await learn(base, { content: `also $(link:${second})` });
  await reviseText(base, second, { content: "third text" });
  const found = await backTo(base, "third text");
  assert.deepEqual(
    found.map(({ kbid }) => kbid),
    [idOfText(`see $(link:${old})`), idOfText(`also $(link:${second})`)].sort(),
  );
});

test("backReferences() counts only sections in use", async () => {
  const base = await filled({ "a.md": "# A\n\na", "b.md": "[x](a.md)", "c.md": "see [x](a.md)" });
  const target = "# A\n\na";
  assert.equal((await backTo(base, target)).length, 2);
  await learn(base, { content: "nothing", docid: "b.md", document: true });
  assert.equal((await backTo(base, target)).length, 1);
  await unlearnOne(base, { docid: "c.md" });
  assert.equal((await backTo(base, target)).length, 0);
  await restoreIds(base, "c.md");
  assert.equal((await backTo(base, target)).length, 1);
});

test("backReferences() is the same after a rebuild and a restart", async () => {
  const { base, files } = await newBase();
  await learn(base, { content: "# A\n\na", docid: "n/a.md", document: true });
  for (const text of ["[x](a.md)", "$(link:n/a.md)", "[[a]]"]) {
    await learn(base, { content: `${text} from a note`, docid: `n/${idOfText(text)}.md` });
  }
  const before = await backTo(base, "# A\n\na");
  assert.equal(before.length, 3);
  await base.rebuild(() => {});
  assert.deepEqual(await backTo(base, "# A\n\na"), before);
  await base.close();
  assert.deepEqual(await backTo(await openBase(files), "# A\n\na"), before);
});

test("backReferences() follows a section that joins another document", async () => {
  const base = await filled({ "a/x.md": "see [y](y.md)", "b/y.md": "# Y\n\ny" });
  assert.deepEqual(await backTo(base, "# Y\n\ny"), []);
  await learn(base, { content: "see [y](y.md)", docid: "b/x.md" });
  assert.equal((await backTo(base, "# Y\n\ny")).length, 1);
});

test("forwardReferences() shows what is named and where it leads", async () => {
  const text = "# Map\n\n[b](b.md#two), $(link:b.md), [[B]], [gone](gone.md) and $(code:nothing)";
  const base = await filled({ "a.md": text, "b.md": "# One\n\n1\n\n# Two\n\n2" });
  const found = await forwardFrom(base, text);
  assert.deepEqual(
    found.map(({ context_snippet: _, direction, ...rest }) => {
      assert.equal(direction, "forward");
      return rest;
    }),
    [
      {
        kbid: idOfText("# Two\n\n2"),
        heading: "Two",
        type: "text/markdown",
        marker_type: "mdlink",
        target: "b.md#two",
        docid: "b.md",
      },
      {
        kbid: idOfText("# One\n\n1"),
        heading: "One",
        type: "text/markdown",
        marker_type: "link",
        target: "b.md",
        docid: "b.md",
      },
      {
        kbid: idOfText("# One\n\n1"),
        heading: "One",
        type: "text/markdown",
        marker_type: "wikilink",
        target: "B",
        docid: "b.md",
      },
      { kbid: null, heading: null, type: null, marker_type: "mdlink", target: "gone.md" },
      { kbid: null, heading: null, type: null, marker_type: "code", target: "nothing" },
    ],
  );
  assert.ok(found[0].context_snippet.startsWith("[b](b.md#two), $(link:b.md)"));
});

test("forwardReferences() of a wiki link takes the nearest document, else a heading", async () => {
  const base = await filled({
    "x/readme.md": "# X\n\nx",
    "y/readme.md": "# Y\n\ny",
    "y/z/note.md": "[[readme]]",
    "x/note.md": "[[README]]",
    "other.md": "see [[Some Heading]] and [[No such heading]]",
    "far.md": "# Far\n\nf\n\n# Some  heading\n\nfound",
  });
  const [near] = await forwardFrom(base, "[[readme]]");
  assert.equal(near.docid, "y/readme.md");
  const [other] = await forwardFrom(base, "[[README]]");
  assert.equal(other.docid, "x/readme.md");
  const [headed, nowhere] = await forwardFrom(base, "see [[Some Heading]] and [[No such heading]]");
  assert.deepEqual([headed.kbid, headed.docid], [
    idOfText("# Some  heading\n\nfound"),
    undefined,
  ]);
  assert.equal(nowhere.kbid, null);
});

test("forwardReferences() leaves out the section itself", async () => {
  const base = await filled({ "a.md": "# A\n\n[x](a.md) $(link:a.md) [y](b.md)" });
  const found = await forwardFrom(base, "# A\n\n[x](a.md) $(link:a.md) [y](b.md)");
  assert.deepEqual(found.map(({ target }) => target), ["b.md"]);
});

test("forwardReferences() finds docids with # / % ? and spaces", async () => {
  const docids = ["C# notes/a b.md", "100%.md", "what?.md", "a#b"];
  const text = docids.map((docid) => `$(link:${docid})`).join(" ");
  const base = await filled(Object.fromEntries(docids.map((docid) => [docid, `# ${docid}`])));
  await learn(base, { content: text });
  const found = await forwardFrom(base, text);
  assert.deepEqual(found.map(({ docid }) => docid), docids);
  for (const docid of docids) {
    assert.equal((await backTo(base, `# ${docid}`)).length, 1, docid);
  }
});

test("backReferences() reads many referring sections page by page", async () => {
  const { base } = await newBase();
  await learn(base, { content: "# A\n\na", docid: "a.md", document: true });
  const items = Array.from({ length: 500 }, (_, i) => ({
    content: i % 3 === 0 ? `${i} [x](a.md)` : i % 3 === 1 ? `${i} $(link:a.md)` : `${i} [[a]]`,
    docid: `n${i}.md`,
  }));
  await base.learn({ key: "many", items }, () => {});
  const ids = items.map(({ content }) => idOfText(content)).sort();
  const found = await backTo(base, "# A\n\na");
  assert.deepEqual(found.map(({ kbid }) => kbid), ids);
  const around = await base.run(async (parts) => {
    const neighbourhood = new Neighbourhood(parts);
    return await neighbourhood.back(neighbourhood.centreOf(idOfText("# A\n\na"))!, 300);
  });
  assert.deepEqual(around.items.map(({ kbid }) => kbid), ids.slice(0, 300));
  assert.ok(around.leftOut >= 1 && around.leftOut <= 200);
});
