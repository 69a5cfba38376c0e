/** `kbdb watch`: changes as they happen. */

import type { ChangedIds, ChangeEvent } from "../../rpc/changes.ts";
import { type CommandBody, EXIT, usageError } from "../command.ts";
import { visibleLine } from "../output.ts";

/** The command. */
export const watch: CommandBody = {
  usage: "",
  details:
    "Prints what is added, updated and removed, whoever does it, until it is interrupted.\n" +
    "With --json each change is one line of JSON.",
  flags: {},
  examples: [
    ["kbdb watch", "See what others change"],
    ["kbdb watch --json", "A line of JSON for each change"],
  ],
  async run({ output, client }) {
    if (output.format === "mcp") {
      throw usageError("Cannot watch in the form of MCP: no tool does so. Use --json");
    }
    let done = () => {};
    const ended = new Promise<void>((resolve) => done = resolve);
    await client().subscribe(async (event) => {
      if (!(await output.line(event, () => changeText(event)))) done();
    });
    output.note("Watching; Ctrl-C ends it");
    await ended;
    return EXIT.ok;
  },
};

/** What a person sees of a change: a line for each id. */
export function changeText(event: ChangeEvent): string {
  const lines = [
    ...idLines("section", event.sections),
    ...idLines("document", event.documents),
    ...(event.incomplete ? ["more changed than is listed"] : []),
  ];
  return lines.map((line) => `${event.seq}  ${line}\n`).join("");
}

function idLines(kind: string, { added, updated, removed }: ChangedIds): string[] {
  const lines = (what: string, ids: readonly string[]) =>
    ids.map((id) => `${what.padEnd(7)}  ${kind.padEnd(8)}  ${visibleLine(id)}`);
  return [...lines("added", added), ...lines("updated", updated), ...lines("removed", removed)];
}
