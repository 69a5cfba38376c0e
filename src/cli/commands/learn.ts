/** `kbdb learn`: stores files, folders and standard input. */

import { resolve } from "node:path";
import { type LearnFilesOptions, textItem } from "../../client/items.ts";
import { learnFile, learnFiles, type LearnFilesResult } from "../../client/learn_files.ts";
import type { SkipReason } from "../../client/walk.ts";
import { toldError } from "../../rpc/errors.ts";
import type { AddSectionResult } from "../../rpc/protocol.ts";
import {
  type Command,
  type CommandContext,
  EXIT,
  listFlag,
  textFlag,
  usageError,
} from "../command.ts";
import { visibleLine } from "../output.ts";

/** The command. */
export const learn: Command = {
  name: "learn",
  usage: "PATH...",
  summary: "Store files, folders or standard input (-)",
  details: "A file becomes a document, cut into sections at its Markdown headings. In a folder,\n" +
    "Markdown and plain text are learned; hidden files, what .gitignore names, node_modules and\n" +
    "symbolic links are passed over and counted. A file that is learned again replaces what its\n" +
    "document held. One that cannot be learned costs only itself, and the exit code is 1.",
  flags: {
    title: { kind: "text", value: "TITLE", help: "Title of the document (a single file or -)" },
    docid: { kind: "text", value: "ID", help: "Docid (a single file or -; else the file's name)" },
    prefix: { kind: "text", value: "TEXT", help: "In docids, instead of the folder's name" },
    tags: { kind: "list", value: "TAGS", help: "Tags, separated by commas" },
    type: { kind: "text", value: "MIME", help: "Type (else by the file's name)" },
    encoding: { kind: "text", value: "NAME", help: "utf-8 (default) or latin1" },
  },
  examples: [
    ["kbdb learn docs/", "Learn a folder"],
    ["kbdb learn README.md --docid readme", "Learn a file under a docid of your own"],
    ["kbdb learn a/ b/ --tags work,2026", "Learn two folders and tag their sections"],
    ["date | kbdb learn - --title Now", "Store what a command prints"],
  ],
  async run(context) {
    const { args } = context;
    const options = optionsOf(context);
    if (args.length === 0) throw usageError("Cannot learn nothing: name a file, a folder or -");
    if (args.includes("-")) {
      if (args.length > 1) throw usageError("Cannot learn - beside files: run kbdb learn twice");
      return await learnInput(context, options);
    }
    if (args.length === 1 && isFile(context, args[0])) return await learnOne(context, options);
    return await learnMany(context, options);
  },
};

function optionsOf({ flags, output }: CommandContext): LearnFilesOptions {
  const encoding = textFlag(flags, "encoding")?.toLowerCase();
  if (encoding !== undefined && !isEncoding(encoding)) {
    throw usageError(`Cannot decode ${encoding}: use utf-8 or latin1`);
  }
  const tags = listFlag(flags, "tags")?.flatMap((list) => list.split(","));
  return {
    ...Object.fromEntries(
      ["title", "docid", "prefix", "type"]
        .map((name) => [name, textFlag(flags, name)])
        .filter(([, value]) => value !== undefined),
    ),
    ...(tags ? { tags } : {}),
    ...(encoding ? { encoding } : {}),
    onProgress: (progress) => output.progress(progress),
  };
}

function isEncoding(name: string): name is "utf-8" | "latin1" {
  return name === "utf-8" || name === "latin1";
}

function isFile({ platform }: CommandContext, path: string): boolean {
  try {
    return platform.files.stat(resolve(platform.host.cwd(), path)).kind === "file";
  } catch {
    return false;
  }
}

async function learnInput(context: CommandContext, options: LearnFilesOptions): Promise<number> {
  if (options.prefix !== undefined) {
    throw usageError("Cannot use --prefix with -: standard input has no name. Use --docid");
  }
  const bytes = await context.platform.terminal.readInput();
  const [answer] = await context.client().learn([textItem(bytes, options)]);
  if (!answer.ok) throw toldError(answer.error);
  await showOne(context, answer.result);
  return EXIT.ok;
}

async function learnOne(context: CommandContext, options: LearnFilesOptions): Promise<number> {
  const { platform, args } = context;
  const parts = { platform, client: context.client() };
  await showOne(context, await learnFile(parts, { path: args[0], options }));
  return EXIT.ok;
}

async function learnMany(context: CommandContext, options: LearnFilesOptions): Promise<number> {
  const { platform, args, output } = context;
  const parts = { platform, client: context.client() };
  const result = await learnFiles(parts, { paths: [...args], options });
  for (const warning of result.warnings) output.note(warning);
  await output.result(result, () => summary(result));
  for (const { message } of result.failed) output.error(message);
  return result.failed.length > 0 ? EXIT.failure : EXIT.ok;
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

function summary(result: LearnFilesResult): string {
  const { sections, added, unchanged, replaced, skipped, failed, elapsed_ms } = result;
  const skips = Object.entries(skipped)
    .map(([reason, count]) => `${count} ${SKIPPED[reason as SkipReason]}`);
  const rate = elapsed_ms > 0 ? Math.round((1000 * sections) / elapsed_ms) : sections;
  return [
    `Learned ${added + unchanged + replaced} files, ${sections} sections in ${elapsed_ms} ms ` +
    `(${rate} sections/s)`,
    `  added ${added}, unchanged ${unchanged}, replaced ${replaced}, failed ${failed.length}`,
    ...(skips.length > 0 ? [`  passed over: ${skips.join(", ")}`] : []),
    "",
  ].join("\n");
}
