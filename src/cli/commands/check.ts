/** `kbdb check`: are the files what they were? */

import type { CheckResult } from "../../rpc/protocol.ts";
import { type CommandBody, EXIT } from "../command.ts";
import { counted } from "../format.ts";
import { visibleLine } from "../output.ts";

/** The command. */
export const check: CommandBody = {
  usage: "",
  details: "Reads everything and changes nothing. Exit code 4 if a fault is found.",
  flags: {},
  examples: [
    ["kbdb check", "Check the nearest database"],
    ["kbdb check --json", "Faults as JSON"],
  ],
  async run({ output, client }) {
    const result = await client().check((progress) => output.progress(progress));
    await output.result(result, () => checkText(result));
    return result.ok ? EXIT.ok : EXIT.checkFailed;
  },
};

/** What a person sees of a check: a line for each fault, and the counts. */
export function checkText(result: CheckResult): string {
  const { ok, errors, warnings = [], unresolved_links = 0 } = result;
  const counts = [
    counted(result.sections_checked, "section"),
    counted(result.documents_checked, "document"),
    counted(result.references_checked, "reference"),
  ].join(", ");
  return [
    ...errors.map(({ type, entity, detail }) => visibleLine(`${type}: ${entity}: ${detail}`)),
    ...warnings.map((warning) => visibleLine(`warning: ${warning}`)),
    ...(unresolved_links > 0
      ? [`${counted(unresolved_links, "link")} to something that is not stored`]
      : []),
    `${ok ? "No faults" : counted(errors.length, "fault")} in ${counts} (${result.elapsed_ms} ms)`,
    "",
  ].join("\n");
}
