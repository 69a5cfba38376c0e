/** `kbdb retrieve`: a section or a document as it is stored. */

import { Buffer } from "node:buffer";
import { toldError } from "../../rpc/errors.ts";
import type { DocumentRecord } from "../../rpc/reading.ts";
import { type CommandBody, type CommandContext, EXIT, textFlag, usageError } from "../command.ts";
import { sectionLine, size, title } from "../format.ts";
import { type Output, visibleLine } from "../output.ts";

/** The command. */
export const retrieve: CommandBody = {
  usage: "ID | --docid DOCID",
  details:
    "A section is printed as it was stored, without what belongs to it; recall shows that. An\n" +
    "image goes into a file or a pipe as it is.",
  flags: {
    docid: { kind: "text", value: "DOCID", help: "A document instead: what it is made of" },
  },
  examples: [
    ["kbdb retrieve 1cy96vmqxgmc72dt1v5b2vkrmy", "The text of a section"],
    ["kbdb retrieve 1cy96vmqxgmc72dt1v5b2vkrmy > plan.png", "Save an image"],
    ["kbdb retrieve --docid handbook.md", "Sections, source and dates of a document"],
  ],
  async run(context) {
    const { args, flags } = context;
    const docid = textFlag(flags, "docid");
    if (args.length + (docid === undefined ? 0 : 1) !== 1) {
      throw usageError("Cannot retrieve: give one kbid, or one document with --docid");
    }
    if (docid === undefined) await showSection(context, args[0]);
    else await showDocument(context, docid);
    return EXIT.ok;
  },
};

async function showSection({ output, client }: CommandContext, kbid: string): Promise<void> {
  const { sections } = await client().read([kbid]);
  const [section] = sections;
  if ("error" in section) throw toldError(section.error);
  const { sectionType, content, size: bytes } = section;
  const isImage = sectionType.startsWith("image/");
  if (isImage && output.format === "text" && !output.isSeen) {
    await output.part(Buffer.from(content, "base64"));
    return;
  }
  await output.result(sections, () => {
    if (!isImage) return `${output.stored(content)}\n`;
    return `(${visibleLine(sectionType)}, ${size(bytes)}; save it with > FILE)\n`;
  });
}

async function showDocument({ output, client }: CommandContext, docid: string): Promise<void> {
  const document = await client().document(docid);
  await output.result(document, () => documentText(document, output));
}

/** What a person sees of a document's record. */
export function documentText(document: DocumentRecord, output: Output): string {
  const { docid, type, source, created_at, updated_at, sections, agent } = document;
  const from = source === null ? "" : `, learned from ${visibleLine(source)}`;
  return [
    `${output.bold(title(document.title))}  ${visibleLine(docid)}  ${output.dim(type)}`,
    `  stored ${created_at}, changed ${updated_at}${from}`,
    ...(agent ? [`  ${visibleLine(agent.description)}`] : []),
    ...sections.map((section) => `  ${sectionLine(section, output)}`),
    "",
  ].join("\n");
}
