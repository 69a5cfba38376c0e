/** `kbdb check`: are the files what they were? */

import type { CheckResult } from "../../rpc/protocol.ts";
import { type Command, EXIT } from "../command.ts";
import { visibleLine } from "../output.ts";

/** The command. */
export const check: Command = {
  name: "check",
  usage: "",
  summary: "Verify every stored file",
  details: "Reads everything and changes nothing. Exit code 4 if a fault is found.",
  flags: {},
  examples: [
    ["kbdb check", "Check the nearest database"],
    ["kbdb check --json", "Faults as JSON"],
  ],
  async run({ output, client }) {
    const result = await client().check((progress) => output.progress(progress));
    await output.result(result, () => describe(result));
    return result.ok ? EXIT.ok : EXIT.checkFailed;
  },
};

function describe(result: CheckResult): string {
  const { ok, errors, sections_checked, documents_checked, references_checked } = result;
  return [
    ...errors.map(({ type, entity, detail }) => visibleLine(`${type}: ${entity}: ${detail}`)),
    ...(result.warnings ?? []).map((warning) => visibleLine(`warning: ${warning}`)),
    `${ok ? "No faults" : `${errors.length} faults`} in ${sections_checked} sections, ` +
    `${documents_checked} documents, ${references_checked} references (${result.elapsed_ms} ms)`,
    "",
  ].join("\n");
}
