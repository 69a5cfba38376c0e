/** `kbdb gc`: takes out what nothing needs any more. */

import type { GcParams, GcResult } from "../../rpc/writing.ts";
import { type CommandBody, EXIT } from "../command.ts";
import { counted, sectionLine, size } from "../format.ts";
import type { Output } from "../output.ts";

/** The command. */
export const gc: CommandBody = {
  usage: "",
  details:
    "Takes sections that were superseded, and those that a removed or replaced document left\n" +
    "behind. They lie in the trash afterwards. Sections that were stored by themselves, skills\n" +
    "and what is still referred to stay.",
  flags: {
    dryRun: { kind: "switch", help: "Only tell what would be taken" },
    includeStandalone: { kind: "switch", help: "Take every section that no document lists" },
  },
  examples: [
    ["kbdb gc --dry-run", "What would be taken, and why"],
    ["kbdb gc", "Take it"],
  ],
  async run({ flags, output, client }) {
    const params: GcParams = {
      ...(flags.dryRun ? { dry_run: true } : {}),
      ...(flags.includeStandalone ? { include_standalone: true } : {}),
    };
    const result = await client().gc(params, (progress) => output.progress(progress));
    await output.result(result, () => gcText(result, output));
    return EXIT.ok;
  },
};

/** What a person sees of what was, or would be, taken out. */
export function gcText(result: GcResult, output: Output): string {
  const { removed_sections, removed_bytes, sections = [], sections_omitted = 0, waiting } = result;
  const what = `${counted(removed_sections, "section")} (${size(removed_bytes)})`;
  return [
    ...sections.map((section) =>
      `${sectionLine(section, output)}  ${section.reason}, ${size(section.bytes)}`
    ),
    ...(sections_omitted > 0 ? [`and ${sections_omitted} more`] : []),
    result.dry_run ? `Would move ${what} to the trash` : moved(removed_sections, what),
    ...(waiting ? [`${counted(waiting, "section")} more once the grace period is over`] : []),
    "",
  ].join("\n");
}

function moved(count: number, what: string): string {
  return count === 0 ? "Nothing to take out" : `Moved ${what} to the trash; see: kbdb trash`;
}
