/** `kbdb recall`: sections by id, with what belongs to them. */

import { exitCodeOf, toldError } from "../../rpc/errors.ts";
import type { RecalledSection, RecallItem, Reference, UnreadSection } from "../../rpc/reading.ts";
import { recallJson } from "../../rpc/results.ts";
import { type CommandBody, countFlag, EXIT, usageError } from "../command.ts";
import { belongings, sectionLine, size, title } from "../format.ts";
import { type Output, visible, visibleLine } from "../output.ts";

/** The command. */
export const recall: CommandBody = {
  usage: "ID...",
  details: "An unknown id costs only itself: the others are shown, and the exit code is 3.\n" +
    "--depth 1 adds the documents that hold a section and the sections that refer to it, 2 the\n" +
    "other sections of those documents and what the section refers to, 3 the texts of that.",
  flags: {
    depth: { kind: "count", value: "N", help: "How much around the sections, 0 (default) to 3" },
  },
  examples: [
    ["kbdb recall 1cy96vmqxgmc72dt1v5b2vkrmy", "Show a section"],
    ["kbdb recall 1cy96vmqxgmc72dt1v5b2vkrmy --depth 1", "Also who refers to it"],
    ["kbdb recall ID1 ID2 --json", "Two sections as a JSON array"],
  ],
  async run({ args, flags, output, client }) {
    if (args.length === 0) {
      throw usageError("Cannot recall nothing: give an id, as search shows it");
    }
    const depth = countFlag(flags, "depth");
    const { items } = await client().recall({
      kbids: [...args],
      ...(depth === undefined ? {} : { depth }),
    });
    if (items.length === 1 && isUnread(items[0])) throw toldError(items[0].error);
    await output.result(recallJson(items), () => recalledText(items, output));
    return reportUnread(items, output);
  },
};

type Read = Exclude<RecallItem, UnreadSection>;

/** What a person sees of recalled sections; those that could not be read are left out. */
export function recalledText(items: readonly RecallItem[], output: Output): string {
  const read = items.filter((item): item is Read => !isUnread(item));
  return read.map((item) => block(item, output)).join("\n");
}

function isUnread(item: RecallItem): item is UnreadSection {
  return "error" in item;
}

/** Names what could not be read; the exit code is that of the last. */
function reportUnread(items: readonly RecallItem[], output: Output): number {
  let code = EXIT.ok;
  for (const { error } of items.filter(isUnread)) {
    output.error(error.message);
    code = exitCodeOf(toldError(error).code);
  }
  return code;
}

function block(item: Read, output: Output): string {
  if ("omitted" in item) {
    return `${sectionLine(item, output)}\n\n(${size(item.bytes)}: recall it by itself)\n`;
  }
  return [
    head(item, output),
    ...(item.description === undefined ? [] : [visibleLine(item.description)]),
    "",
    contentOf(item),
    ...around(item, output),
    "",
  ].join("\n");
}

function head(item: RecalledSection, output: Output): string {
  const heading = item.heading === null ? "" : output.bold(visibleLine(item.heading));
  const retired = item.retired ? output.dim(`(retired ${item.retired})`) : "";
  const successor = item.superseded_by ? `(replaced by ${item.superseded_by})` : "";
  return [output.dim(item.kbid), heading, belongings(item), retired, successor]
    .filter((part) => part !== "").join("  ");
}

function contentOf({ content, encoding, type }: RecalledSection): string {
  if (encoding !== "base64") return visible(content);
  return `(${visibleLine(type)}, ${size(Math.floor((content.length * 3) / 4))})`;
}

/** What deeper recalls add, each under its heading. */
function around(item: RecalledSection, output: Output): string[] {
  const { documents = [], back_references = [], siblings = [], references = [] } = item;
  const outlines = documents.flatMap(({ docid, title: name, sections }) => [
    `${visibleLine(docid)}  ${title(name)}`,
    ...sections.map((section) => `  ${sectionLine(section, output)}`),
  ]);
  return [
    ...under("Documents", outlines),
    ...under("Referred to by", back_references.map((one) => referenceLine(one, output))),
    ...under("Refers to", references.flatMap((one) => referenceLines(one, output))),
    ...under("Beside it", siblings.flatMap((one) => [sectionLine(one, output), ...text(one)])),
  ];
}

function under(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0
    ? []
    : ["", `${heading}:`, ...lines.map((line) => `  ${line}`.trimEnd())];
}

function referenceLine(reference: Reference, output: Output): string {
  const { kbid, heading, type, marker_type, target, context_snippet } = reference;
  const section = kbid === null
    ? `${visibleLine(target ?? "")} (not stored)`
    : sectionLine({ kbid, heading, type: type ?? "" }, output);
  return `${marker_type}  ${section}  ${output.dim(visibleLine(context_snippet))}`.trimEnd();
}

function referenceLines(reference: Reference, output: Output): string[] {
  const back = (reference.back_references ?? []).map((one) => `  ${referenceLine(one, output)}`);
  return [referenceLine(reference, output), ...text(reference), ...back];
}

function text({ content, bytes }: { content?: string; bytes?: number }): string[] {
  if (content !== undefined) {
    return visible(content).split("\n").map((line) => `  ${line}`.trimEnd());
  }
  return bytes === undefined ? [] : [`  (${size(bytes)}: recall it by itself)`];
}
