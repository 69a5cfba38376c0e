/** `kbdb rebuild`: makes the index again. */

import { type Command, EXIT } from "../command.ts";

/** The command. */
export const rebuild: Command = {
  name: "rebuild",
  usage: "",
  summary: "Make the index again from the stored files",
  details: "Searches are answered meanwhile. Files that cannot be read are left out and named.",
  flags: {},
  examples: [["kbdb rebuild", "Rebuild the index of the nearest database"]],
  async run({ output, client }) {
    const result = await client().rebuild((progress) => output.progress(progress));
    await output.result(
      result,
      () =>
        `Indexed ${result.sections_reindexed} sections, ${result.terms_indexed} terms in ` +
        `${result.elapsed_ms} ms\n`,
    );
    for (const skipped of result.skipped ?? []) output.note(`Left out: ${skipped}`);
    return EXIT.ok;
  },
};
