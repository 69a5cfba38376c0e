/** `kbdb status`: what the database holds and how it is. */

import type { StatusResult } from "../../rpc/protocol.ts";
import { type Command, EXIT } from "../command.ts";
import { visibleLine } from "../output.ts";

/** The command. */
export const status: Command = {
  name: "status",
  usage: "",
  summary: "Show counts, sizes and faults",
  flags: {},
  examples: [
    ["kbdb status", "Show the nearest database"],
    ["kbdb status --db ~/notes --json", "Another one, as JSON"],
  ],
  async run({ output, client }) {
    const result = await client().status();
    await output.result(result, () => describe(result));
    return EXIT.ok;
  },
};

function describe(status: StatusResult): string {
  const { index } = status;
  const indexBytes = index.terms_idx_bytes + index.positions_idx_bytes + index.corpus_dat_bytes;
  const state = status.initialized ? "ready" : "loading";
  return [
    visibleLine(`${status.name}  ${status.contextPath}`),
    `  ${status.sections} sections, ${status.documents} documents, ${status.terms} terms`,
    `  index: ${state}, ${index.segments} segments, ${megabytes(indexBytes)} on disk, ` +
    `${index.unsealed_entries} entries in memory only; journal ${megabytes(status.journal_bytes)}`,
    `  process ${status.pid}, kbdb ${status.version}, ${
      megabytes(status.daemon_rss_bytes)
    } resident`,
    ...(status.read_only ? ["  the folder is read-only: writes are refused"] : []),
    ...status.warnings.map((warning) => visibleLine(`  warning: ${warning}`)),
    "",
  ].join("\n");
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
