/** `kbdb rebuild`: makes the index again. */

import type { RebuildResult } from "../../rpc/protocol.ts";
import { type CommandBody, EXIT } from "../command.ts";
import { counted } from "../format.ts";

/** The command. */
export const rebuild: CommandBody = {
  usage: "",
  details:
    "Searches are answered meanwhile. Files that cannot be read are left out and named, and\n" +
    "so are sections that were edited by hand: --adopt stores such an edit as a revision.",
  flags: {
    adopt: { kind: "switch", help: "Store sections that were edited by hand as revisions" },
  },
  examples: [
    ["kbdb rebuild", "Rebuild the index of the nearest database"],
    ["kbdb rebuild --adopt", "After editing section files in an editor"],
  ],
  async run({ flags, output, client }) {
    const result = await client().rebuild(
      flags.adopt ? { adopt: true } : {},
      (progress) => output.progress(progress),
    );
    await output.result(result, () => rebuildText(result));
    for (const skipped of result.skipped ?? []) output.note(`Left out: ${skipped}`);
    return EXIT.ok;
  },
};

/** What a person sees of a rebuild. */
export function rebuildText(result: RebuildResult): string {
  const { sections_reindexed, terms_indexed, elapsed_ms, adopted = [] } = result;
  return [
    ...adopted.map(({ kbid, supersedes }) => `${kbid} takes the place of ${supersedes}`),
    `Indexed ${counted(sections_reindexed, "section")}, ${counted(terms_indexed, "term")} in ` +
    `${elapsed_ms} ms`,
    "",
  ].join("\n");
}
