/** `kbdb recall`: sections by id. */

import { exitCodeOf, toldError } from "../../rpc/errors.ts";
import type { RecallItem } from "../../rpc/protocol.ts";
import { recallJson } from "../../rpc/results.ts";
import { type Command, EXIT, usageError } from "../command.ts";
import { type Output, visible, visibleLine } from "../output.ts";

/** The command. */
export const recall: Command = {
  name: "recall",
  usage: "ID...",
  summary: "Show sections by their ids",
  details: "An unknown id costs only itself: the others are shown, and the exit code is 3.",
  flags: {},
  examples: [
    ["kbdb recall 1cy96vmqxgmc72dt1v5b2vkrmy", "Show a section"],
    ["kbdb recall ID1 ID2 --json", "Two sections as a JSON array"],
  ],
  async run({ args, output, client }) {
    if (args.length === 0) {
      throw usageError("Cannot recall nothing: give an id, as search shows it");
    }
    const items = await client().recall([...args]);
    const found = items.filter((item) => !("error" in item));
    if (found.length > 0 || items.length > 1) {
      await output.result(
        recallJson(items),
        () => found.map((item) => shown(item, output)).join("\n"),
      );
    }
    return reportMissing(items, output);
  },
};

function shown(item: RecallItem, output: Output): string {
  if ("error" in item) return "";
  const heading = item.heading === null ? "" : `${output.bold(visibleLine(item.heading))}  `;
  const facts = [...item.docids, ...item.tags.map((tag) => `#${tag}`)].map(visibleLine).join("  ");
  const retired = item.retired ? output.dim(`  (retired ${item.retired})`) : "";
  const head = `${heading}${facts}${retired}`.trim();
  return `${output.dim(item.kbid)}  ${head}\n\n${visible(item.content)}\n`;
}

function reportMissing(items: readonly RecallItem[], output: Output): number {
  let code = EXIT.ok;
  for (const item of items) {
    if (!("error" in item)) continue;
    output.error(item.error.message);
    code = exitCodeOf(toldError(item.error).code);
  }
  return code;
}
