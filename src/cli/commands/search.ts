/** `kbdb search`: ranked sections. */

import type { SearchItem, SearchParams } from "../../rpc/protocol.ts";
import { type Command, countFlag, EXIT, listFlag, usageError } from "../command.ts";
import { type Output, visible, visibleLine } from "../output.ts";

/** The command. */
export const search: Command = {
  name: "search",
  usage: "WORDS...",
  summary: "Find sections, best first",
  details: "Sections that hold any of the words are found; those that hold more and rarer ones\n" +
    "come first. Words that begin with - go after --.",
  flags: {
    limit: { kind: "count", value: "N", help: "Results on a page, 1 to 100 (default 20)" },
    offset: { kind: "count", value: "N", help: "Results to pass over (default 0)" },
    content: { kind: "switch", help: "Show whole sections" },
    tag: { kind: "list", value: "TAG", help: "Only sections with this tag" },
    type: { kind: "list", value: "MIME", help: "Only sections of this type, such as text/*" },
    docid: { kind: "list", value: "ID", help: "Only sections of this document" },
  },
  examples: [
    ["kbdb search group commit", "Find sections about group commit"],
    ["kbdb search parcel --tag work --limit 5", "The five best that are tagged work"],
    ["kbdb search -- --dry-run", "Look for a word that begins with -"],
    ["kbdb search parcel --json", "The same result as JSON"],
  ],
  async run({ args, flags, output, client }) {
    if (args.length === 0) throw usageError("Cannot search for nothing: give a word");
    const params: SearchParams = {
      query: args.join(" "),
      ...optional("limit", countFlag(flags, "limit")),
      ...optional("offset", countFlag(flags, "offset")),
      ...optional("tag", listFlag(flags, "tag")),
      ...optional("type", listFlag(flags, "type")),
      ...optional("docid", listFlag(flags, "docid")),
      ...(flags.content ? { content: true } : {}),
    };
    const result = await client().search(params);
    for (const note of result.notes ?? []) output.note(note);
    await output.result(result, () => {
      const blocks = result.items.map((item, i) =>
        block(item, { rank: result.offset + i + 1, output })
      );
      const found = result.total === 0 ? "Nothing found" : `${result.total} found`;
      return [...blocks, `${found} ${output.dim(`(${result.elapsed_ms} ms)`)}\n`].join("\n");
    });
    return EXIT.ok;
  },
};

function optional<T>(name: string, value: T | undefined): Record<string, T> {
  return value === undefined ? {} : { [name]: value };
}

function block(item: SearchItem, shown: { rank: number; output: Output }): string {
  const { rank, output } = shown;
  const heading = output.bold(visibleLine(item.heading ?? "(no title)"));
  const facts = [...item.docids, ...item.tags.map((tag) => `#${tag}`)].map(visibleLine).join("  ");
  const text = visible(item.content ?? item.snippet);
  const lines = marked(text, { terms: item.matched_terms, output }).split("\n");
  return [
    `${rank}. ${heading}${facts ? `  ${facts}` : ""}`,
    ...lines.map((line) => `   ${line}`),
    `   ${output.dim(item.kbid)}`,
    "",
  ].join("\n");
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
