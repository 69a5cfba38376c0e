/** `kbdb trash` and `kbdb restore`: what was removed, and the way back. */

import type { RestoreResult, TrashItem, TrashParams, TrashResult } from "../../rpc/writing.ts";
import {
  type CommandBody,
  type CommandContext,
  countFlag,
  EXIT,
  given,
  usageError,
} from "../command.ts";
import { counted, size, title } from "../format.ts";
import { agreed } from "../input.ts";
import { type Output, visibleLine } from "../output.ts";
import { PAGE_FLAGS, printList } from "../paging.ts";

/** Lists the trash. */
export const trash: CommandBody = {
  usage: "",
  details: "Latest removals first. What lies there comes back with kbdb restore ID, until it is\n" +
    "removed for good by kbdb trash empty or by its age (gc.trash_days).",
  flags: { ...PAGE_FLAGS },
  examples: [
    ["kbdb trash", "List the trash"],
    ["kbdb trash --limit 10 --json", "The ten latest removals as JSON"],
  ],
  async run(context) {
    const { flags, output, client } = context;
    const params = given<TrashParams>(flags, ["limit", "cursor"]);
    return await printList(context, {
      page: (cursor) => client().trash({ ...params, ...cursor }),
      shown: (item: TrashItem) => itemText(item, output),
      summary: ({ total, bytes }: TrashResult) => `${entries(total)}, ${size(bytes)}\n`,
      empty: "The trash is empty",
    });
  },
};

/** Removes for good. */
export const trashEmpty: CommandBody = {
  usage: "",
  details: "Asks first where somebody sits at a terminal; elsewhere --yes is needed.",
  flags: {
    olderThan: { kind: "count", value: "DAYS", help: "Only what was removed so long ago" },
    yes: { kind: "switch", help: "Do not ask" },
  },
  examples: [
    ["kbdb trash empty", "Remove everything in the trash for good"],
    ["kbdb trash empty --older-than 30 --yes", "Only what was removed 30 days ago or before"],
  ],
  async run(context) {
    const { flags, output, client } = context;
    const days = countFlag(flags, "olderThan");
    if (!(await agreed(context, () => question(context, days)))) {
      output.note("Nothing was removed");
      return EXIT.failure;
    }
    const params = days === undefined ? {} : { older_than_days: days };
    output.progress({ done: 0, total: null, message: "emptying the trash" });
    const result = await client().emptyTrash(params);
    const { removed, freed_bytes } = result;
    await output.result(
      result,
      () => `Removed ${entries(removed)} for good, ${size(freed_bytes)} freed\n`,
    );
    return EXIT.ok;
  },
};

/** Brings back. */
export const restore: CommandBody = {
  usage: "ID...",
  details:
    "An id is a kbid or a docid, as kbdb trash lists them. An unknown one costs only itself,\n" +
    "and the exit code is 3.",
  flags: {},
  examples: [
    ["kbdb restore 1cy96vmqxgmc72dt1v5b2vkrmy", "Bring a section back into its documents"],
    ["kbdb restore handbook.md", "Bring a document back with its sections"],
  ],
  async run({ args, output, client }) {
    if (args.length === 0) {
      throw usageError("Cannot restore nothing: give an id, as kbdb trash lists it");
    }
    output.progress({ done: 0, total: null, message: "restoring" });
    const result = await client().restore([...args]);
    await output.result(result, () => restoredText(result));
    const unknown = result.items.filter(({ state }) => state === "unknown");
    for (const { id } of unknown) output.error(`Cannot restore ${id}: it is not in the trash`);
    return unknown.length > 0 ? EXIT.notFound : EXIT.ok;
  },
};

async function question({ client }: CommandContext, days: number | undefined): Promise<string> {
  if (days !== undefined) {
    return `What was removed ${counted(days, "day")} ago or before will be gone for good.`;
  }
  const { total, bytes } = await client().trash({ limit: 1 });
  return `${entries(total)} (${size(bytes)}) will be gone for good.`;
}

function itemText(item: TrashItem, output: Output): string {
  const { id, heading, type, bytes, removed_at, reason } = item;
  const held = item.docids.length > 0 ? `  from ${item.docids.map(visibleLine).join(", ")}` : "";
  const facts = `${reason} ${removed_at}, ${type}, ${size(bytes)}`;
  return `${visibleLine(id)}  ${title(heading)}${held}\n  ${output.dim(facts)}\n`;
}

/** What a person sees of things that came back. */
export function restoredText({ items }: RestoreResult): string {
  return items.filter(({ state }) => state !== "unknown").map(({ id, state, with: others }) => {
    const what = state === "restored" ? "Restored" : "Not in the trash, stored already:";
    const also = others && others.length > 0 ? `, with ${others.map(visibleLine).join(", ")}` : "";
    return `${what} ${visibleLine(id)}${also}\n`;
  }).join("");
}

function entries(count: number): string {
  return count === 1 ? "1 entry" : `${count} entries`;
}
