/** `kbdb search`: ranked sections, documents, or counts. */

import type {
  DocumentItem,
  SearchItem,
  SearchPage,
  SearchParams,
  StatsResult,
} from "../../rpc/searching.ts";
import { type CommandBody, type CommandContext, EXIT, given, usageError } from "../command.ts";
import { belongings, columns, counted, title } from "../format.ts";
import { type Output, visible, visibleLine } from "../output.ts";

/** The command. */
export const search: CommandBody = {
  usage: "WORDS...",
  details: "Sections that hold any of the words are found; those that hold more and rarer ones\n" +
    "come first. Words that begin with - go after --.",
  flags: {
    mode: { kind: "text", value: "MODE", help: "sections (default), documents or stats" },
    match: { kind: "text", value: "HOW", help: "any (default), or all of the words" },
    limit: { kind: "count", value: "N", help: "Results on a page, 1 to 100 (default 20)" },
    offset: { kind: "count", value: "N", help: "Results to pass over (default 0)" },
    cursor: { kind: "text", value: "CURSOR", help: "The next page, as the one before named it" },
    content: { kind: "switch", help: "Show whole sections" },
    tag: { kind: "list", value: "TAG", help: "Only sections with this tag" },
    type: { kind: "list", value: "MIME", help: "Only sections of this type, such as text/*" },
    docid: { kind: "list", value: "DOCID", help: "Only sections of this document" },
  },
  examples: [
    ["kbdb search group commit", "Find sections about group commit"],
    ["kbdb search parcel --tag work --limit 5", "The five best that are tagged work"],
    ["kbdb search group commit --match all --mode documents", "Documents that hold both words"],
    ["kbdb search parcel --mode stats", "Only count"],
    ["kbdb search -- --dry-run", "Look for a word that begins with -"],
    ["kbdb search parcel --json", "The same result as JSON"],
  ],
  async run(context) {
    const { output, client } = context;
    const params = paramsOf(context);
    const result = await client().search(params);
    if (!("items" in result)) {
      await output.result(result, () => statsText(result));
      return EXIT.ok;
    }
    for (const note of result.notes ?? []) output.note(note);
    await output.result(result, () => pageText(result, output));
    return EXIT.ok;
  },
};

function paramsOf({ args, flags }: CommandContext): SearchParams {
  if (args.length === 0) throw usageError("Cannot search for nothing: give a word");
  refuseOther("mode", { value: flags.mode, choices: ["sections", "documents", "stats"] });
  refuseOther("match", { value: flags.match, choices: ["any", "all"] });
  if (flags.cursor !== undefined && flags.offset !== undefined) {
    throw usageError("Cannot use --offset beside --cursor: the cursor says where to go on");
  }
  return {
    query: args.join(" "),
    ...given<SearchParams>(flags, [
      "mode",
      "match",
      "limit",
      "offset",
      "cursor",
      "content",
      "tag",
      "type",
      "docid",
    ]),
  };
}

function refuseOther(name: string, facts: { value: unknown; choices: string[] }): void {
  const { value, choices } = facts;
  if (value === undefined || choices.includes(String(value))) return;
  throw usageError(`Cannot use --${name} ${value}: choose ${choices.join(", ")}`);
}

/** What a person sees of a page of sections or documents. */
export function pageText(page: SearchPage<SearchItem | DocumentItem>, output: Output): string {
  const blocks = page.items.map((item, i) => {
    const shown = { rank: page.offset + i + 1, output };
    return "best" in item ? documentBlock(item, shown) : sectionBlock(item, shown);
  });
  const found = page.total === 0 ? "Nothing found" : `${page.total} found`;
  const more = page.has_more ? `; more with --offset ${page.offset + page.items.length}` : "";
  return [...blocks, `${found} ${output.dim(`(${page.elapsed_ms} ms)`)}${more}\n`].join("\n");
}

/** What a person sees of counts. */
export function statsText({ total, documents, terms }: StatsResult): string {
  const rows = terms.map(({ term, sections }) => [visibleLine(term), sections]);
  return [
    ...columns([["word", "sections"], ...rows]),
    `${counted(total, "section")} in ${counted(documents, "document")}`,
    "",
  ].join("\n");
}

interface Shown {
  readonly rank: number;
  readonly output: Output;
}

function sectionBlock(item: SearchItem, { rank, output }: Shown): string {
  const facts = belongings(item);
  const head = `${rank}. ${output.bold(title(item.heading))}${facts ? `  ${facts}` : ""}`;
  return [head, ...excerpt(item, output), ""].join("\n");
}

function documentBlock(item: DocumentItem, { rank, output }: Shown): string {
  const { best } = item;
  const count = output.dim(`(${counted(item.section_count, "section")})`);
  const tags = belongings({ docids: [], tags: best.tags });
  return [
    `${rank}. ${output.bold(title(item.title))}  ${visibleLine(item.docid)}  ${count}`,
    `   ${title(best.heading)}${tags ? `  ${tags}` : ""}`,
    ...excerpt(best, output),
    "",
  ].join("\n");
}

/** The text around the match, or the whole of it, and the id. */
function excerpt(item: SearchItem, output: Output): string[] {
  const isImage = item.type.startsWith("image/");
  const text = isImage ? `(${item.type})` : visible(item.content ?? item.snippet);
  const lines = marked(text, { terms: item.matched_terms, output }).split("\n");
  return [...lines.map((line) => `   ${line}`.trimEnd()), `   ${output.dim(item.kbid)}`];
}

/** Marks the words that begin like a matched term; stems are close enough to their forms for that. */
function marked(text: string, shown: { terms: readonly string[]; output: Output }): string {
  const { terms, output } = shown;
  if (!output.options.color) return text;
  return text.replace(/[\p{L}\p{N}\p{M}_]+/gu, (word) => {
    const folded = word.normalize("NFKC").toLowerCase();
    const stem = (term: string) => term.slice(0, Math.max(3, term.length - 2));
    return terms.some((term) => folded.startsWith(stem(term))) ? output.bold(word) : word;
  });
}
