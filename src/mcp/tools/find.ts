/**
 * Tools that find and read.
 *
 * @module
 */

import { KbdbError } from "../../rpc/errors.ts";
import type { RecallItem, RecallParams, RecallResult } from "../../rpc/reading.ts";
import { recallJson, toolResult } from "../../rpc/results.ts";
import type { SearchParams } from "../../rpc/searching.ts";
import type { Section } from "../worker_client.ts";
import { asData, bytesOf, DATA_NOTICE, fitting, noticeOf, withListsCut } from "./budget.ts";
import { shortText } from "./shortened.ts";
import {
  defineAnsweringTool,
  defineTool,
  flag,
  needed,
  number,
  pick,
  text,
  texts,
  type ToolAnswer,
  type ToolArguments,
  type ToolContext,
} from "./tool.ts";

/** A frame of a reply has no more bytes than this (D28). */
const FRAME_BYTES = 1_000_000;
/** Images are given up to this many bytes: as base64 they leave room for what is said of them. */
const IMAGE_BYTES = 700_000;

/** `search`. */
export const search = defineTool({
  name: "search",
  title: "Search KB",
  hints: "ri",
  description: "Search the knowledge base. Finds sections that hold any word of the query, best " +
    "first, each with its title, a snippet, tags and documents. Read a result in full with recall " +
    "and its kbid. An empty list means that the base holds nothing about it: do not guess. mode " +
    '"documents" finds documents, "stats" only counts matches.',
  args: {
    "query!": text("Words to look for"),
    mode: text('"sections" (default), "documents" or "stats"', ["sections", "documents", "stats"]),
    limit: number("Most results, 1 to 100 (default 20)"),
    offset: number("Results to pass over (default 0)"),
    content: flag("Whether each result carries its full text (default false)"),
    match: text('"any" word (default) or "all" words', ["any", "all"]),
    tag: texts("Only sections with all of these tags"),
    type: texts('Only these types, such as "text/markdown", "image/*" or "skill"'),
    docid: texts("Only sections of these documents"),
    cursor: text("Cursor of the page before, for the next one; other arguments as before"),
  },
  run: async (args, { client, room }) => {
    const params = pick(args, PARAMS_OF_SEARCH) as unknown as SearchParams;
    if (params.mode === "stats") return await stats(params, { client, room });
    const page = async (max_bytes: number) => asData(await client.search({ ...params, max_bytes }));
    return await fitting(room, page, { shorten: true });
  },
  empty: ({ mode, offset = 0, limit = 20 }) =>
    mode === "stats"
      ? { total: 0, documents: 0, terms: [] }
      : { items: [], total: 0, offset, limit, has_more: false },
});

/** Counts show no stored text, only the words of the query. */
async function stats(
  params: SearchParams,
  { client, room }: Pick<ToolContext, "client" | "room">,
): Promise<unknown> {
  const ways = { terms: "Search for fewer words." };
  return withListsCut(await client.search(params), { ways, room });
}

const PARAMS_OF_SEARCH = [
  "query",
  "mode",
  "limit",
  "offset",
  "content",
  "match",
  "tag",
  "type",
  "docid",
  "cursor",
];

/** `retrieve`. */
export const retrieve = defineTool({
  name: "retrieve",
  title: "Fetch Content",
  hints: "ri",
  description:
    "Fetch one section (kbid) or the record of one document (docid) as it is stored. To " +
    "read what search found, prefer recall, which adds title, documents and references.",
  args: {
    kbid: text("Id of a section"),
    docid: text("Id of a document: its title, type, source and ordered sections"),
    cursor: text("Of a document with many sections: cursor of the reply before"),
  },
  run: async ({ kbid, docid, cursor }, context) => {
    if (kbid !== undefined) return await storedSection(kbid as string, context);
    if (docid === undefined) throw new Error("Provide kbid or docid");
    return await documentPage(docid as string, cursor as string | undefined, context);
  },
  empty: ({ kbid, docid }) => {
    if (kbid === undefined && docid === undefined) throw new Error("Provide kbid or docid");
    return kbid === undefined ? {} : [];
  },
});

async function storedSection(kbid: string, { client, room }: ToolContext): Promise<unknown> {
  const [section] = await client.readSections([kbid]);
  if ("error" in section) throw new Error(section.error.message);
  if (bytesOf([section]) <= room) return [section];
  const { items: [item] } = await client.recall({ kbids: [kbid], max_bytes: room });
  const heading = "error" in item || item.heading === null ? null : shortText(item.heading);
  return [stubOf(section, heading)];
}

/** A large section is given by another tool. */
function stubOf({ kbid, sectionType: type, size }: Section, heading: string | null) {
  const way = type.startsWith("image/") ? wayToImage(kbid, size) : "Read it in parts with content.";
  return { kbid, heading, type, sectionType: type, bytes: size, size, omitted: true, way };
}

function wayToImage(kbid: string, bytes: number): string {
  return bytes <= IMAGE_BYTES
    ? "See it with recall."
    : `Save it with the command: kbdb retrieve ${kbid} > FILE`;
}

async function documentPage(
  docid: string,
  cursor: string | undefined,
  { client, room }: ToolContext,
): Promise<unknown> {
  const { sections, ...record } = await client.retrieveDocument(docid);
  const first = cursor === undefined ? 0 : Number(cursor);
  if (cursor !== undefined && !(/^\d+$/.test(cursor) && first < sections.length)) {
    throw new KbdbError("bad_request", "Cannot retrieve: cursor is none that a reply gave");
  }
  const rest = asData({ ...record, sections: sections.slice(first) });
  const cut = withListsCut(rest, { ways: { sections: "Go on with the cursor." }, room });
  const next = first + cut.sections.length;
  return next < sections.length ? { ...cut, cursor: String(next) } : cut;
}

/** `recall`. */
export const recall = defineAnsweringTool({
  name: "recall",
  title: "Recall Context",
  hints: "ri",
  description:
    "Read sections in full, by kbid as search gives it. depth 1 adds the documents they " +
    "belong to and who refers to them, 2 the sections beside them and what they refer to, 3 the " +
    "texts of that. What does not fit is left as a stub with omitted: true; recall it by itself, or " +
    "go on with the cursor.",
  args: {
    kbid: text("Id of a section"),
    kbids: texts("Ids of several sections; the reply is an array"),
    depth: number("How much around them: 0 (default) to 3"),
    cursor: text("Cursor of the reply before, to go on"),
  },
  run: async (args, context) => {
    const { kbids, isBatch } = idsOf(args);
    const depth = Math.min(3, Math.max(0, Math.trunc(args.depth as number ?? 0)));
    return await recalled({ kbids, depth, ...pick(args, ["cursor"]) }, { isBatch, context });
  },
  empty: (args) => idsOf(args).isBatch ? [] : {},
});

/** One id alone is answered with an object, a list with an array. */
function idsOf({ kbid, kbids }: ToolArguments): { kbids: string[]; isBatch: boolean } {
  const list = kbids as string[] | undefined ?? [];
  const all = kbid === undefined ? list : [...list, kbid as string];
  if (all.length === 0) throw new Error("Provide kbid or kbids");
  return { kbids: all, isBatch: kbids !== undefined };
}

async function recalled(
  params: RecallParams,
  { isBatch, context }: { isBatch: boolean; context: ToolContext },
): Promise<ToolAnswer> {
  const { client, room } = context;
  const ask = (max_bytes: number) => client.recall({ ...params, max_bytes });
  if (isBatch) return { result: batch(await fitting(room, ask)) };
  const value = await fitting(room, async (bytes) => single(await ask(bytes)))
    .catch((error) => Promise.reject(withWayOut(error, params.kbids[0])));
  return await imageAnswer(value, { params, context }) ?? { value };
}

/** Of a single section less cannot be recalled, but its text comes in parts. */
function withWayOut(error: unknown, kbid: string): unknown {
  if (!(error instanceof KbdbError) || error.code !== "too_large") return error;
  const reason = "what is known of it does not fit into a reply. Read its text with content.";
  return new KbdbError("too_large", `Cannot recall ${shortText(kbid, 64)}: ${reason}`);
}

/** One section as the reply shows it. */
type Single = Exclude<RecallItem, { error: unknown }> & { cursor?: string; notice?: string };

function single({ items, cursor, notice }: RecallResult): Single {
  const item = recallJson(items, false) as RecallItem;
  if ("error" in item) throw new Error(item.error.message);
  const next = cursor === undefined ? {} : { cursor };
  return { ...item, ...next, ...noticeOf(DATA_NOTICE, notice) };
}

/** An image that is recalled by itself is shown as one, with room for what is said of it. */
async function imageAnswer(
  item: Single,
  { params, context: { client, room } }: { params: RecallParams; context: ToolContext },
): Promise<ToolAnswer | null> {
  if (!item.type.startsWith("image/")) return null;
  if (!("omitted" in item)) return { result: toolResult("recall", item) };
  if (item.bytes > IMAGE_BYTES) {
    return { value: { ...item, ...noticeOf(item.notice, wayToImage(item.kbid, item.bytes)) } };
  }
  const base64 = Math.ceil(item.bytes / 3) * 4;
  // Quotes and line ends of a text double in a frame.
  const max_bytes = base64 + Math.min(room, Math.floor((FRAME_BYTES - base64) / 2));
  const whole = single(await client.recall({ ...params, max_bytes }));
  return "omitted" in whole ? null : { result: toolResult("recall", whole) };
}

/** An array has no place for a cursor and what was left out; they stand beside it (D50). */
function batch({ items, cursor, notice }: RecallResult) {
  const result = toolResult("recall", recallJson(items, true));
  const next = cursor === undefined ? {} : { cursor };
  if (notice !== undefined) {
    result.content.push({ type: "text", text: JSON.stringify({ ...next, notice }) });
  }
  Object.assign(result.structuredContent!, next, noticeOf(DATA_NOTICE, notice));
  return result;
}

/** `content`. */
export const content = defineTool({
  name: "content",
  title: "Compose Content",
  hints: "ri",
  description:
    "Compose sections and documents into one Markdown text, includes expanded and links " +
    "resolved. A text that does not fit comes in parts: pass the cursor of the reply to get the next.",
  args: {
    "ids!": texts("Kbids and docids, in the order wanted"),
    cursor: text("Cursor of the reply before, for the next part"),
  },
  run: ({ ids, cursor }, { client, room }) => {
    const options = cursor === undefined ? {} : { cursor: cursor as string };
    const part = async (max_bytes: number) =>
      asData(await client.content(ids as string[], { ...options, max_bytes }));
    return fitting(room, part, { indent: 0 });
  },
  empty: ({ ids }) => ({ type: "text/markdown", data: "", total: 0, missing: ids }),
});

/** `history`. */
export const history = defineTool({
  name: "history",
  title: "Section History",
  hints: "ri",
  description:
    "List all revisions of a section, oldest first, by the kbid of any of them. Read one " +
    "with recall.",
  args: { "kbid!": text("Id of any revision") },
  run: async ({ kbid }, { client, room }) =>
    withListsCut(asData(await needed(client, "history")(kbid as string)), {
      ways: { revisions: "The command kbdb history lists all." },
      room,
    }),
  empty: () => ({ current: null, revisions: [] }),
});
