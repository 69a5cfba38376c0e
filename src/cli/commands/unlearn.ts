/** `kbdb unlearn`: moves sections and documents to the trash. */

import { exitCodeOf, type KbdbError, toKbdbError } from "../../rpc/errors.ts";
import type { UnlearnResult } from "../../rpc/writing.ts";
import { type CommandBody, type CommandContext, EXIT, listFlag, usageError } from "../command.ts";
import { counted, isKbid } from "../format.ts";
import { type Output, visibleLine } from "../output.ts";

/** The command. */
export const unlearn: CommandBody = {
  usage: "ID...",
  details:
    "An id is a kbid; documents are named with --docid, and take the sections that only they\n" +
    "hold with them. Everything comes back with kbdb restore. Exit code 3 if nothing of it was\n" +
    "there.",
  flags: {
    docid: { kind: "list", value: "DOCID", help: "A document" },
  },
  examples: [
    ["kbdb unlearn 1cy96vmqxgmc72dt1v5b2vkrmy", "Take a section out of search and documents"],
    ["kbdb unlearn --docid handbook.md", "Take a document out"],
  ],
  async run(context) {
    const { output } = context;
    const outcomes: Outcome[] = [];
    const failure = await removeAll(context, outcomes);
    if (failure && outcomes.length === 0) throw failure;
    const [{ id: _, ...only }] = outcomes;
    const single = outcomes.length === 1 && failure === null;
    await output.result(single ? only : outcomes, () => outcomes.map(removedText).join(""));
    for (const outcome of outcomes) tell(output, outcome);
    if (failure === null) return outcomes.some(({ removed }) => removed) ? EXIT.ok : EXIT.notFound;
    output.error(failure.message);
    return exitCodeOf(failure.code);
  },
};

/** What is to be removed: a section or a document. */
type Target = { kbid: string } | { docid: string };
/** What became of it. */
type Outcome = { id: string } & UnlearnResult;

/** All ids are looked at before anything is removed. */
function targetsOf({ args, flags }: CommandContext): Target[] {
  const docids = listFlag(flags, "docid") ?? [];
  const wrong = args.find((word) => !isKbid(word));
  if (wrong !== undefined) {
    throw usageError(
      `Cannot unlearn ${wrong}: it is no kbid. A document is named with --docid ${wrong}`,
    );
  }
  if (args.length + docids.length === 0) {
    throw usageError("Cannot unlearn nothing: give a kbid, or a document with --docid");
  }
  return [...args.map((kbid) => ({ kbid })), ...docids.map((docid) => ({ docid }))];
}

/** Removes one after the other; the failure that ended it, with what was done before in `outcomes`. */
async function removeAll(context: CommandContext, outcomes: Outcome[]): Promise<KbdbError | null> {
  const targets = targetsOf(context);
  const client = context.client();
  try {
    for (const [done, target] of targets.entries()) {
      context.output.progress({ done, total: targets.length, message: "moving to the trash" });
      const id = "kbid" in target ? target.kbid : target.docid;
      outcomes.push({ id, ...(await client.unlearn(target)) });
    }
    return null;
  } catch (error) {
    return toKbdbError(error);
  }
}

/** What a person sees of one id; what was not there is told apart. */
export function removedText(outcome: Outcome): string {
  if (!outcome.removed) return "";
  const { id, sections, documents = [] } = outcome;
  const parts = [
    ...(sections === undefined ? [] : [counted(sections, "section")]),
    ...documents.map((docid) => `document ${visibleLine(docid)}`),
  ];
  return `Moved ${visibleLine(id)} to the trash${parts.length ? `: ${parts.join(", ")}` : ""}\n`;
}

/** What was not there, and remarks. */
function tell(output: Output, { id, removed, warnings = [] }: Outcome): void {
  if (!removed) output.error(`Not stored: ${id}`);
  for (const warning of warnings) output.note(warning);
}
