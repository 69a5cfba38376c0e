/** `kbdb learn`: stores files, folders, standard input and lines of JSON. */

import type { Client } from "../../client/client.ts";
import { type LearnFilesOptions, textItem } from "../../client/items.ts";
import { learnFile, learnFiles, type LearnFilesResult } from "../../client/learn_files.ts";
import type { LearnBatchResult } from "../../client/learn_batch.ts";
import type { SkipReason } from "../../client/walk.ts";
import { toldError } from "../../rpc/errors.ts";
import type { AddSectionResult } from "../../rpc/writing.ts";
import {
  type CommandBody,
  type CommandContext,
  EXIT,
  given,
  tagsFlag,
  textFlag,
  usageError,
} from "../command.ts";
import { isFile, readInput } from "../input.ts";
import { visibleLine } from "../output.ts";

/** The command. */
export const learn: CommandBody = {
  usage: "PATH...",
  details: "A file becomes a document, cut into sections at its Markdown headings. In a folder,\n" +
    "Markdown and plain text are learned; hidden files, what .gitignore names, node_modules and\n" +
    "symbolic links are passed over and counted. A file that is learned again replaces what its\n" +
    "document held. One that cannot be learned costs only itself, and the exit code is 1.\n" +
    "Images are learned by naming them; they are found by their titles and descriptions.",
  flags: {
    title: { kind: "text", value: "TITLE", help: "Title of the document (a single file or -)" },
    description: { kind: "text", value: "TEXT", help: "What it is about (a single file or -)" },
    docid: { kind: "text", value: "ID", help: "Docid (a single file or -; else the file's name)" },
    prefix: { kind: "text", value: "TEXT", help: "In docids, instead of the folder's name" },
    tag: { kind: "list", value: "TAGS", help: "Tags, separated by commas" },
    type: { kind: "text", value: "MIME", help: "Type (else by the file's name)" },
    encoding: { kind: "text", value: "NAME", help: "utf-8 (default) or latin1" },
    replace: { kind: "switch", help: "Replace documents that were learned from elsewhere" },
    prune: { kind: "switch", help: "Remove documents whose files are gone from the folder" },
    batch: { kind: "text", value: "FILE", help: "Contents as lines of JSON; - for standard input" },
  },
  examples: [
    ["kbdb learn docs/", "Learn a folder"],
    ["kbdb learn docs/ --prune", "Learn it again, and remove what is gone"],
    ["kbdb learn README.md --docid readme", "Learn a file under a docid of your own"],
    ["kbdb learn a/ b/ --tag work,2026", "Learn two folders and tag their sections"],
    ["date | kbdb learn - --title Now", "Store what a command prints"],
    ["kbdb learn plan.png --title Plan", "Store an image"],
    ["kbdb learn --batch facts.ndjson", 'Lines such as {"content": "...", "tags": ["x"]}'],
  ],
  async run(context) {
    const { args, flags } = context;
    const batch = textFlag(flags, "batch");
    if (batch !== undefined) return await learnLines(context, batch);
    const options = optionsOf(context);
    if (args.length === 0) throw usageError("Cannot learn nothing: name a file, a folder or -");
    if (args.includes("-")) {
      if (args.length > 1) throw usageError("Cannot learn - beside files: run kbdb learn twice");
      return await learnInput(context, options);
    }
    const single = args.length === 1 && isFile(context, args[0]);
    return single ? await learnOne(context, options) : await learnMany(context, options);
  },
};

/** Options of files; a description is one of single contents only. */
type Options = LearnFilesOptions & { description?: string };

function optionsOf({ flags, output }: CommandContext): Options {
  const encoding = textFlag(flags, "encoding")?.toLowerCase();
  if (encoding !== undefined && !isEncoding(encoding)) {
    throw usageError(`Cannot decode ${encoding}: use utf-8 or latin1`);
  }
  const tags = tagsFlag(flags);
  return {
    ...given<Options>(flags, [
      "title",
      "description",
      "docid",
      "prefix",
      "type",
      "replace",
      "prune",
    ]),
    ...(tags ? { tags } : {}),
    ...(encoding ? { encoding } : {}),
    onProgress: (progress) => output.progress(progress),
  };
}

function isEncoding(name: string): name is "utf-8" | "latin1" {
  return name === "utf-8" || name === "latin1";
}

async function learnInput(context: CommandContext, options: Options): Promise<number> {
  if (options.prefix !== undefined) {
    throw usageError("Cannot use --prefix with -: standard input has no name. Use --docid");
  }
  if (options.prune) throw usageError("Cannot use --prune with -: it goes with a folder");
  const item = textItem(await readInput(context), options);
  const [answer] = await context.client().learn([item]);
  if (!answer.ok) throw toldError(answer.error);
  await showOne(context, answer.result);
  return EXIT.ok;
}

async function learnOne(context: CommandContext, options: Options): Promise<number> {
  const { platform, args } = context;
  if (options.prune) throw usageError("Cannot use --prune with a file: it goes with a folder");
  const parts = { platform, client: describing(context.client(), options.description) };
  await showOne(context, await learnFile(parts, { path: args[0], options }));
  return EXIT.ok;
}

/** Adds a description to what is learned: the options of files have none, since they are for many. */
function describing(client: Client, description: string | undefined): Client {
  if (description === undefined) return client;
  const learn: Client["learn"] = (items, onProgress) =>
    client.learn(items.map((item) => ({ ...item, description })), onProgress);
  return { learn } as Client;
}

async function learnMany(context: CommandContext, options: Options): Promise<number> {
  const { platform, args, output } = context;
  if (options.description !== undefined) {
    throw usageError(
      "Cannot describe several files: --description goes with a single file. Leave it out.",
    );
  }
  const parts = { platform, client: context.client() };
  const result = await learnFiles(parts, { paths: [...args], options });
  for (const warning of result.warnings) output.note(warning);
  await output.result(result, () => filesText(result));
  for (const { message } of result.failed) output.error(message);
  return result.failed.length > 0 ? EXIT.failure : EXIT.ok;
}

async function learnLines(context: CommandContext, file: string): Promise<number> {
  const { platform, args, flags, output } = context;
  const others = Object.keys(learn.flags).filter((name) => name !== "batch" && isSet(flags[name]));
  if (args.length + others.length > 0) {
    throw usageError(
      "Cannot learn files beside --batch, or use flags for its lines: each line says what it is",
    );
  }
  const { learnBatch } = await import("../../client/learn_batch.ts");
  const source = file === "-" ? linesOf(await readInput(context)) : file;
  const result = await learnBatch(
    { platform, client: context.client() },
    { source, onProgress: (progress) => output.progress(progress) },
  );
  for (const warning of result.warnings) output.note(warning);
  await output.result(result, () => batchText(result));
  for (const { message } of result.failed) output.error(message);
  return result.failed.length > 0 ? EXIT.failure : EXIT.ok;
}

function isSet(value: CommandContext["flags"][string]): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

function linesOf(bytes: Uint8Array): string[] {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).split("\n");
  } catch {
    throw usageError("Cannot read standard input: it is no UTF-8 text. Send it as UTF-8");
  }
}

async function showOne({ output }: CommandContext, result: AddSectionResult): Promise<void> {
  for (const warning of result.warnings ?? []) output.note(warning);
  await output.result(result, () => {
    const sections = result.sections?.length ?? 1;
    const what = result.existing && result.indexed_terms_count === 0 ? "Known already" : "Learned";
    const where = result.docid === undefined ? "" : ` as ${visibleLine(result.docid)}`;
    const ids = sections === 1 ? result.kbid : `${sections} sections`;
    return `${what}${where}: ${ids} ${output.dim(`(${result.elapsed_ms} ms)`)}\n`;
  });
}

/** What was passed over, after its number. */
const SKIPPED: Record<SkipReason, string> = {
  hidden: "hidden",
  ignored: "ignored by .gitignore",
  dependencies: "node_modules",
  database: "database",
  symlink: "symbolic link",
  special: "pipe or device",
  type: "of another type",
  empty: "empty",
};

/** What a person sees of learned files. */
export function filesText(result: LearnFilesResult): string {
  const { added, unchanged, replaced, pruned, skipped } = result;
  const skips = Object.entries(skipped)
    .map(([reason, count]) => `${count} ${SKIPPED[reason as SkipReason]}`);
  return [
    learnedLine(result, `${added + unchanged + replaced} files`),
    outcomeLine(result) + (pruned > 0 ? `, removed ${pruned}` : ""),
    ...(skips.length > 0 ? [`  passed over: ${skips.join(", ")}`] : []),
    "",
  ].join("\n");
}

/** What a person sees of learned lines. */
export function batchText(result: LearnBatchResult): string {
  const { added, unchanged, replaced } = result;
  const lines = `${added + unchanged + replaced} lines`;
  return [learnedLine(result, lines), outcomeLine(result), ""].join("\n");
}

function learnedLine(result: { sections: number; elapsed_ms: number }, what: string): string {
  const { sections, elapsed_ms } = result;
  const rate = elapsed_ms > 0 ? Math.round((1000 * sections) / elapsed_ms) : sections;
  return `Learned ${what}, ${sections} sections in ${elapsed_ms} ms (${rate} sections/s)`;
}

function outcomeLine(result: LearnFilesResult | LearnBatchResult): string {
  const { added, unchanged, replaced, failed } = result;
  return `  added ${added}, unchanged ${unchanged}, replaced ${replaced}, failed ${failed.length}`;
}
