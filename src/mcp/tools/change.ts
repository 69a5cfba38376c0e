/**
 * Tools that store, correct and remove.
 *
 * @module
 */

import type { AddedSection, AddSectionParams } from "../worker_client.ts";
import { withListsCut } from "./budget.ts";
import { defineTool, flag, needed, pick, text, texts, type ToolContext } from "./tool.ts";

/** `learn`. */
export const learn = defineTool({
  name: "learn",
  title: "Import Content",
  hints: "i",
  description:
    "Store a text, or a small image as base64 (large files: use the command kbdb learn). " +
    "Markdown with several headings is split into sections and becomes a document. Store one fact " +
    "a call, in words that a later search would use; search first, and correct what is there with " +
    "revise. Content that is stored already is not stored twice. Do not store secrets.",
  args: {
    "content!": text("The text, or base64 of an image"),
    type: text('MIME type: "text/markdown" (default), another text/*, "application/json", image/*'),
    title: text("Title; required for images"),
    description: text("What it is, searchable"),
    docid: text("Document that the content joins"),
    tags: texts("Tags to find it by"),
    replace: flag("Whether it takes the place of all that the document held (default false)"),
    source: text("Where it came from, such as an address"),
  },
  run: async (args, { client, room, onProgress, log }) => {
    const { type, ...rest } = args;
    refuseBadType(type as string | undefined, args.title as string | undefined);
    const params = {
      ...rest,
      ...(type === undefined ? {} : { sectionType: type }),
    } as unknown as AddSectionParams;
    const added = await client.addSection(params, onProgress ? { onProgress } : {});
    for (const warning of added.warnings ?? []) log("warning", warning);
    log("info", `Indexed ${added.indexed_terms_count} terms for section ${added.kbid}`);
    return withListsCut(withSourceTold(added, rest), { ways: WAYS, room, indent: 0 });
  },
});

/** How to see what a reply has no room for. */
const WAYS = {
  sections: "retrieve with the docid lists all.",
  documents: "They are in the trash: the command kbdb trash lists all.",
  warnings: "They are alike.",
};

function refuseBadType(type = "", title = ""): void {
  if (type === "skill") throw new Error("Cannot learn as skill: use skill-learn, which checks it.");
  if (!/^image\//i.test(type) || title.trim() !== "") return;
  throw new Error("Cannot learn an image: its title is missing. Give title.");
}

/** Only documents keep where they came from. */
function withSourceTold(added: AddedSection, { source }: { source?: unknown }): AddedSection {
  if (source === undefined || added.docid !== undefined) return added;
  const remark = "The source was not kept: only documents have one. Give a docid, too.";
  return { ...added, warnings: [...added.warnings ?? [], remark] };
}

/** `revise`. */
export const revise = defineTool({
  name: "revise",
  title: "Correct Section",
  hints: "",
  description: "Correct a section: the new text is stored and takes its place in search and " +
    "documents; the old one stays readable and is linked (see history). Use it whenever a stored " +
    "fact has changed.",
  args: {
    "kbid!": text("Id of the section to correct; it must be the current revision"),
    "content!": text("The whole new text, or base64 of the new image"),
    title: text("New title (default: kept)"),
    description: text("New description (default: kept)"),
    tags: texts("New tags (default: kept)"),
  },
  run: async (args, { client, room, log }) => {
    const names = ["kbid", "content", "title", "description", "tags"];
    const params = pick(args, names) as { kbid: string; content: string };
    const revised = await needed(client, "revise")(params);
    for (const warning of revised.warnings ?? []) log("warning", warning);
    log("info", `Section ${revised.kbid} supersedes ${revised.supersedes}`);
    return withListsCut(revised, { ways: WAYS, room });
  },
});

/** `unlearn`. */
export const unlearn = defineTool({
  name: "unlearn",
  title: "Remove Section",
  hints: "di",
  description:
    "Remove a section (kbid), or a document and the sections that only it holds (docid). " +
    "It goes to the trash, from which the command kbdb restore brings it back.",
  args: {
    kbid: text("Id of the section"),
    docid: text("Id of the document"),
  },
  run: async (args, context) => {
    const result = await removed(args, context);
    if (result.removed) context.log("notice", `Moved ${args.kbid ?? args.docid} to the trash`);
    return withListsCut(result, { ways: WAYS, room: context.room, indent: 0 });
  },
  empty: () => ({ removed: false, elapsed_ms: 0 }),
});

function removed(
  { kbid, docid }: { kbid?: unknown; docid?: unknown },
  { client }: ToolContext,
) {
  if (kbid !== undefined && docid !== undefined) {
    throw new Error("Cannot unlearn: give kbid or docid, not both");
  }
  if (kbid !== undefined) return client.removeSection(kbid as string);
  if (docid === undefined) throw new Error("Provide kbid or docid");
  return needed(client, "removeDocument")(docid as string);
}
