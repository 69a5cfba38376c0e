/** `kbdb status`: what the database holds and how it is. */

import type { ScanStatus, StatusResult } from "../../rpc/protocol.ts";
import { type CommandBody, EXIT } from "../command.ts";
import { counted, size } from "../format.ts";
import { visibleLine } from "../output.ts";

/** The command. */
export const status: CommandBody = {
  usage: "",
  flags: {},
  examples: [
    ["kbdb status", "Show the nearest database"],
    ["kbdb status --db ~/notes --json", "Another one, as JSON"],
  ],
  async run({ output, client }) {
    const result = await client().status();
    await output.result(result, () => statusText(result));
    return EXIT.ok;
  },
};

/** What a person sees of the state. */
export function statusText(status: StatusResult): string {
  const { sections, documents, terms, skills, agents, cacheStats } = status;
  return [
    visibleLine(`${status.name}  ${status.contextPath}`),
    `  holds    ${counted(sections, "section")}, ${counted(documents, "document")}, ` +
    `${counted(terms, "term")}, ${counted(skills, "skill")}, ${counted(agents, "agent")}`,
    `  index    ${indexText(status)}`,
    `  journal  ${size(status.journal_bytes)}`,
    `  scan     ${scanText(status.scan)}`,
    `  process  ${status.pid}, kbdb ${status.version}, up ${duration(status.uptime_ms)}`,
    `  memory   ${size(status.daemon_rss_bytes)} resident, ` +
    `${size(status.wasm_memory_bytes)} in the search core, ` +
    `${counted(cacheStats.contentCount, "content")} cached`,
    ...(status.read_only ? ["  the folder is read-only: writes are refused"] : []),
    ...status.warnings.map((warning) => visibleLine(`  warning: ${warning}`)),
    "",
  ].join("\n");
}

function indexText({ initialized, index }: StatusResult): string {
  const { segments, terms_idx_bytes, positions_idx_bytes, corpus_dat_bytes } = index;
  return `${initialized ? "ready" : "loading"}, ${counted(segments, "segment")}, ` +
    `${size(terms_idx_bytes + positions_idx_bytes + corpus_dat_bytes)} on disk ` +
    `(terms ${size(terms_idx_bytes)}, positions ${size(positions_idx_bytes)}, ` +
    `corpus ${size(corpus_dat_bytes)}), ${index.unsealed_entries} entries in memory only`;
}

function scanText({ state, done, total, found }: ScanStatus): string {
  const share = total === null ? counted(done, "file") : `${done} of ${counted(total, "file")}`;
  const changes = `${counted(found, "change")} from outside found`;
  return state === "waiting" ? "waiting" : `${state}, ${share}, ${changes}`;
}

/** `12 s`, `3 min`, `2 h 5 min`. */
function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
