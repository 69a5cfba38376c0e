/** `kbdb list`: documents, sections and tags. */

import type {
  DocumentSummary,
  ListDocumentsParams,
  ListedSection,
  ListSectionsParams,
} from "../../rpc/listing.ts";
import { type CommandBody, EXIT, given } from "../command.ts";
import { columns, counted, sectionLine, title } from "../format.ts";
import { type Output, visibleLine } from "../output.ts";
import { PAGE_FLAGS, printList } from "../paging.ts";

/** Documents in the order of their docids. */
export const listDocuments: CommandBody = {
  usage: "",
  details: "In the order of docids. Agents are listed with --type agent.",
  flags: {
    prefix: { kind: "text", value: "TEXT", help: "Only docids that begin so" },
    type: { kind: "text", value: "MIME", help: "Only documents of this type" },
    ...PAGE_FLAGS,
  },
  examples: [
    ["kbdb list documents", "All documents"],
    ["kbdb list documents --prefix handbook/ --json", "Those of one folder, as JSON"],
  ],
  async run(context) {
    const params = given<ListDocumentsParams>(context.flags, ["prefix", "type", "limit", "cursor"]);
    return await printList(context, {
      page: (cursor) => context.client().listDocuments({ ...params, ...cursor }),
      shown: (item: DocumentSummary) => `${documentLine(item, context.output)}\n`,
      empty: "No documents",
    });
  },
};

/** Sections in the order of their ids. */
export const listSections: CommandBody = {
  usage: "",
  details: "In the order of kbids. Skills are listed with --type skill.",
  flags: {
    type: { kind: "text", value: "MIME", help: "Only sections of this type; image/* for images" },
    tag: { kind: "text", value: "TAG", help: "Only sections with this tag" },
    docid: { kind: "text", value: "DOCID", help: "Only sections of this document" },
    prefix: { kind: "text", value: "TEXT", help: "Only kbids that begin so" },
    ...PAGE_FLAGS,
  },
  examples: [
    ["kbdb list sections --tag work", "Sections that are tagged work"],
    ["kbdb list sections --type image/* --limit 20", "The first 20 images"],
  ],
  async run(context) {
    const names = ["type", "tag", "docid", "prefix", "limit", "cursor"] as const;
    const params = given<ListSectionsParams>(context.flags, names);
    return await printList(context, {
      page: (cursor) => context.client().listSections({ ...params, ...cursor }),
      shown: (item: ListedSection) => `${sectionLine(item, context.output)}\n`,
      empty: "No sections",
    });
  },
};

/** Tags. */
export const listTags: CommandBody = {
  usage: "",
  flags: {},
  examples: [["kbdb list tags", "All tags"]],
  async run({ output, client }) {
    const result = await client().listTags();
    await output.result(
      result,
      () =>
        result.tags.length === 0
          ? "No tags\n"
          : columns(result.tags.map(({ tag, sections }) => [sections, visibleLine(tag)]))
            .join("\n") + "\n",
    );
    return EXIT.ok;
  },
};

function documentLine(document: DocumentSummary, output: Output): string {
  const { docid, title: name, type, section_count } = document;
  const count = output.dim(`(${counted(section_count, "section")})`);
  return `${visibleLine(docid)}  ${title(name)}  ${output.dim(type)}  ${count}`;
}
