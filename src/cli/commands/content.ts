/** `kbdb content`: one text composed of sections and documents. */

import type { ContentResult } from "../../rpc/reading.ts";
import { type CommandBody, type CommandContext, EXIT, usageError } from "../command.ts";

/** The command. */
export const content: CommandBody = {
  usage: "ID...",
  details:
    "Prints Markdown: the sections and documents one after the other, by kbid or docid, with\n" +
    "what they include in its place. It is written as a whole, however long it is; what is not\n" +
    "stored is named, and the exit code is 3.",
  flags: {},
  examples: [
    ["kbdb content handbook.md", "The text of a document"],
    ["kbdb content handbook.md 1cy96vmqxgmc72dt1v5b2vkrmy > all.md", "Both in one file"],
    ["kbdb content handbook.md --json", "As JSON"],
  ],
  async run(context) {
    if (context.args.length === 0) {
      throw usageError("Cannot compose nothing: give a kbid or a docid");
    }
    const { output } = context;
    const missing = output.format === "text" ? await print(context) : await gather(context);
    for (const id of missing) output.error(`Not stored: ${id}`);
    return missing.length > 0 ? EXIT.notFound : EXIT.ok;
  },
};

/** The parts of the text, each as long as an answer may be. */
async function* parts({ args, client }: CommandContext): AsyncGenerator<ContentResult> {
  const ids = [...args];
  let part = await client().content({ ids });
  yield part;
  while (part.cursor !== undefined) {
    part = await client().content({ ids, cursor: part.cursor });
    yield part;
  }
}

/** Prints each part as it comes; gives what is not stored. */
async function print(context: CommandContext): Promise<string[]> {
  const { output } = context;
  const missing = new Set<string>();
  let endsLine = true;
  for await (const part of parts(context)) {
    for (const id of part.missing ?? []) missing.add(id);
    endsLine = part.data === "" ? endsLine : part.data.endsWith("\n");
    if (!(await output.part(output.stored(part.data)))) return [];
  }
  if (!endsLine) await output.part("\n");
  return [...missing];
}

/** Prints all parts as one object; gives what is not stored. */
async function gather(context: CommandContext): Promise<string[]> {
  const data: string[] = [];
  const missing = new Set<string>();
  let total = 0;
  for await (const part of parts(context)) {
    data.push(part.data);
    total += part.total;
    for (const id of part.missing ?? []) missing.add(id);
  }
  const ids = missing.size > 0 ? { missing: [...missing] } : {};
  const whole = { type: "text/markdown", data: data.join(""), total, ...ids };
  await context.output.result(whole, () => whole.data);
  return [...missing];
}
