/** `kbdb revise` and `kbdb history`: corrections, and what they took the place of. */

import { Buffer } from "node:buffer";
import { typeOfFile } from "../../client/source_types.ts";
import type { HistoryResult, Revision } from "../../rpc/reading.ts";
import type { ReviseParams } from "../../rpc/writing.ts";
import {
  type CommandBody,
  type CommandContext,
  EXIT,
  given,
  tagsFlag,
  textFlag,
  usageError,
} from "../command.ts";
import { title } from "../format.ts";
import { readNamed, readText } from "../input.ts";
import type { Output } from "../output.ts";

/** Corrects a section. */
export const revise: CommandBody = {
  usage: "KBID FILE|-",
  details: "The correction is a section of its own, which takes the old one's place in every\n" +
    "document. The old one leaves search and stays readable. What is not given is kept.",
  flags: {
    content: { kind: "text", value: "TEXT", help: "The new text, instead of a file" },
    title: { kind: "text", value: "TITLE", help: "Another title" },
    description: { kind: "text", value: "TEXT", help: "Another description" },
    tag: { kind: "list", value: "TAGS", help: "Other tags, separated by commas" },
  },
  examples: [
    ["kbdb revise 1cy96vmqxgmc72dt1v5b2vkrmy corrected.md", "Put a file in its place"],
    ["kbdb revise 1cy96vmqxgmc72dt1v5b2vkrmy --content Hello", "Put a text in its place"],
  ],
  async run(context) {
    const { output, client } = context;
    const correction = await correctionOf(context);
    const result = await client().revise(correction);
    for (const warning of result.warnings ?? []) output.note(warning);
    await output.result(
      result,
      () => `${result.kbid} takes the place of ${result.supersedes}\n`,
    );
    return EXIT.ok;
  },
};

/** Lists revisions. */
export const history: CommandBody = {
  usage: "KBID",
  details:
    "All revisions, oldest first, by the id of any of them. The current one is marked with *.",
  flags: {},
  examples: [["kbdb history 1cy96vmqxgmc72dt1v5b2vkrmy", "What a section said before"]],
  async run({ args, output, client }) {
    if (args.length !== 1) throw usageError("Cannot tell the history: give one kbid");
    const result = await client().history(args[0]);
    await output.result(result, () => historyText(result, output));
    return EXIT.ok;
  },
};

async function correctionOf(context: CommandContext): Promise<Omit<ReviseParams, "key">> {
  const { args: [kbid, file, ...others], flags } = context;
  const content = textFlag(flags, "content");
  const sources = (file === undefined ? 0 : 1) + (content === undefined ? 0 : 1);
  if (kbid === undefined || sources !== 1 || others.length > 0) {
    throw usageError("Cannot revise: give a kbid, and a file, - or --content with the new text");
  }
  const tags = tagsFlag(flags);
  return {
    kbid,
    content: content ?? await contentOf(context, file),
    ...given<ReviseParams>(flags, ["title", "description"]),
    ...(tags ? { tags } : {}),
  };
}

/** Text, or base64 of an image, as the file's name says. */
async function contentOf(context: CommandContext, file: string): Promise<string> {
  if (!typeOfFile(file).startsWith("image/")) return await readText(context, file);
  return Buffer.from(await readNamed(context, file)).toString("base64");
}

/** What a person sees of revisions. */
export function historyText({ revisions }: HistoryResult, output: Output): string {
  return revisions.map((revision) => `${revisionLine(revision, output)}\n`).join("");
}

function revisionLine(revision: Revision, output: Output): string {
  const { kbid, heading, created_at, current, removed } = revision;
  const state = removed ? `  (removed; kbdb restore ${kbid})` : "";
  const when = created_at ?? "unknown";
  const line = `${kbid}  ${output.dim(when.padEnd(24))}  ${title(heading)}${state}`;
  return current ? `* ${output.bold(line)}` : `  ${line}`;
}
