/**
 * Doing a model's steps in a database, and seeing the database as the model shows itself.
 *
 * @module
 */

import assert from "node:assert/strict";
import { KbdbError } from "../../rpc/errors.ts";
import type { RecalledSection } from "../../rpc/reading.ts";
import type { KnowledgeBase } from "../knowledge_base.ts";
import { idOf, type Picture, type ShownText, type Step, textOf, texts } from "../model/testing.ts";
import {
  entriesOf,
  historyOf,
  learnItem,
  restoreIds,
  reviseText,
  sweep,
  unlearnOne,
} from "../testing.ts";
import { emptyTrash, listTrash } from "../write/trash_list.ts";

/** Does a step in the database; tells whether it was refused. */
export async function take(base: KnowledgeBase, step: Step): Promise<{ refused: boolean }> {
  if (step.do === "learn") {
    const { text, docid, tags } = step;
    return { refused: !(await learnItem(base, { content: textOf(text), docid, tags })).ok };
  }
  if (step.do === "replace") {
    const { docid, tags, document } = step;
    const content = step.texts.map(textOf).join("\n\n");
    const item = { content, docid, tags, document, replace: !document };
    return { refused: !(await learnItem(base, item)).ok };
  }
  try {
    await change(base, step);
    return { refused: false };
  } catch (error) {
    if (!(error instanceof KbdbError)) throw error;
    assert.ok(["conflict", "not_found"].includes(error.code), `${error.code}: ${error.message}`);
    return { refused: true };
  }
}

async function change(
  base: KnowledgeBase,
  step: Exclude<Step, { do: "learn" | "replace" }>,
): Promise<void> {
  if (step.do === "revise") {
    await reviseText(base, idOf(step.text), { content: textOf(step.by) });
  } else if (step.do === "unlearn") await unlearnOne(base, { kbid: idOf(step.text) });
  else if (step.do === "unlearn document") await unlearnOne(base, { docid: step.docid });
  else if (step.do === "restore") await restoreIds(base, ...step.ids);
  else if (step.do === "empty trash") await base.run((parts) => emptyTrash(parts, {}));
  else {
    const params = { include_standalone: step.standalone };
    const told = await sweep(base, { ...params, dry_run: true });
    assert.deepEqual((await sweep(base, params)).sections, told.sections);
  }
}

/** What the database shows, in the form of the model's picture. */
export async function pictureOf(base: KnowledgeBase): Promise<Picture> {
  const picture: Picture = {
    texts: {},
    documents: {},
    histories: {},
    trash: [],
    unneeded: (await sweep(base, { dry_run: true })).sections!.map(({ kbid }) => kbid),
    counts: { sections: base.status().sections, documents: base.status().documents },
  };
  for (const n of texts()) {
    picture.texts[`T${n}`] = await shown(base, n);
    picture.histories[`T${n}`] = await shortHistory(base, idOf(n));
  }
  const trash = await base.run((parts) => listTrash(parts, { limit: 1000 }));
  picture.trash = [...new Set(trash.items.map(({ id }) => id))].sort();
  const { total } = await base.search({ query: "shared" });
  assert.equal(total, picture.counts.sections);
  return { ...picture, documents: await documentsOf(base) };
}

async function shown(base: KnowledgeBase, n: number): Promise<Picture["texts"][string]> {
  const { items: [recalled] } = await base.recall({ kbids: [idOf(n)] });
  const { items } = await base.search({ query: `word${n}` });
  if ("error" in recalled) {
    assert.equal(recalled.error.code, "not_found");
    assert.deepEqual(items, []);
    return "missing";
  }
  assert("content" in recalled);
  assert.deepEqual([recalled.content, recalled.heading], [textOf(n), `T${n}`]);
  const state = stateOf(recalled);
  const found = state === "live" ? [{ kbid: idOf(n), docids: recalled.docids }] : [];
  assert.deepEqual(items.map(({ kbid, docids }) => ({ kbid, docids })), found);
  const standalone = await base.run(({ store }) => {
    const stored = store.readSection(idOf(n));
    return stored.state === "found" && stored.value.meta.standalone;
  });
  const [docids, tags] = [recalled.docids.toSorted(), recalled.tags.toSorted()];
  return { state, docids, tags, standalone };
}

function stateOf({ retired, superseded_by }: RecalledSection): ShownText["state"] {
  if (retired === undefined) return "live";
  return superseded_by === undefined ? "retired" : `superseded by ${superseded_by}`;
}

async function shortHistory(base: KnowledgeBase, kbid: string): Promise<string> {
  try {
    const { revisions } = await historyOf(base, kbid);
    return revisions.map(({ kbid, current, removed }) =>
      kbid + (current ? "*" : "") + (removed ? "-" : "")
    ).join(" ");
  } catch (error) {
    assert(error instanceof KbdbError && error.code === "not_found", String(error));
    return "unknown";
  }
}

async function documentsOf(base: KnowledgeBase): Promise<Picture["documents"]> {
  const docids = await base.run(({ store }) =>
    [...store.allDocuments()].map(({ outcome }) => {
      assert(outcome.state === "found");
      return outcome.value.docid;
    })
  );
  const documents: Picture["documents"] = {};
  for (const docid of docids.sort()) {
    const entries = (await entriesOf(base, docid))!;
    assert.ok(entries.every(({ gap }, i) => i === 0 || gap !== ""), "sections stand apart");
    documents[docid] = entries.map(({ kbid }) => kbid);
  }
  return documents;
}
