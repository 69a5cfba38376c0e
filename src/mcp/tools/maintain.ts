/**
 * Tools that tell the state of the database and look after it.
 *
 * @module
 */

import type { StatusResult } from "../../rpc/protocol.ts";
import { asData, withListsCut } from "./budget.ts";
import { defineTool, flag, type ToolContext } from "./tool.ts";

/** `status`. */
export const status = defineTool({
  name: "status",
  title: "DB Status",
  hints: "ri",
  description:
    "Tell how much the knowledge base holds (sections, documents, skills, agents), its " +
    "sizes, and faults that were noticed.",
  args: {},
  run: async (_, { client, room }) =>
    withListsCut(withRemark(await client.dbStatus()), {
      ways: { warnings: "The command kbdb status shows all." },
      room,
    }),
  empty: () => ({
    initialized: false,
    cacheStats: { contentCount: 0, indexCount: 0 },
    sections: 0,
    documents: 0,
  }),
});

/** While the index is loaded nothing is counted yet, which must not read as an empty base. */
function withRemark(status: StatusResult): StatusResult & { notice?: string } {
  if (status.initialized !== false) return status;
  return {
    ...status,
    notice: "The index is still being loaded; what it holds is not counted yet.",
  };
}

/** `check`. */
export const check = defineTool({
  name: "check",
  title: "Integrity Check",
  hints: "ri",
  description:
    "Verify every stored file: contents against their ids, documents, markers that lead " +
    "nowhere, circular includes. May take a while; changes nothing.",
  args: {},
  run: async (_, context) => {
    const result = await context.client.integrityCheck(workOptions(context));
    const found = result.ok ? "no faults" : `${result.errors.length} faults`;
    context.log(
      result.ok ? "info" : "error",
      `Checked ${result.sections_checked} sections: ${found}`,
    );
    const shown = result.ok && !result.warnings ? result : asData(result);
    const way = "The command kbdb check lists all.";
    return withListsCut(shown, { ways: { errors: way, warnings: way }, room: context.room });
  },
  empty: () => ({
    ok: true,
    errors: [],
    sections_checked: 0,
    documents_checked: 0,
    references_checked: 0,
    unresolved_links: 0,
    elapsed_ms: 0,
  }),
});

/** `gc`. */
export const gc = defineTool({
  name: "gc",
  title: "Garbage Collect",
  hints: "d",
  description:
    "Move sections that nothing needs any more to the trash: superseded ones, and those " +
    "left behind by removed or replaced documents. dry_run tells what would go.",
  args: {
    dry_run: flag("Only tell what would be removed (default false)"),
    include_standalone: flag("Also take sections that no document lists (default false)"),
  },
  run: async (args, context) => {
    const result = await context.client.gc(args, workOptions(context));
    if (!result.dry_run) {
      context.log("notice", `Moved ${result.removed_sections} sections to the trash`);
    }
    return withListsCut(result.sections?.length ? asData(result) : result, {
      ways: {
        sections: `The command kbdb ${result.dry_run ? "gc --dry-run" : "trash"} lists all.`,
      },
      room: context.room,
    });
  },
  empty: () => ({ removed_sections: 0, removed_bytes: 0, elapsed_ms: 0 }),
});

/** `rebuild`. */
export const rebuild = defineTool({
  name: "rebuild",
  title: "Rebuild Indexes",
  hints: "",
  description: "Make the search index again from the stored files. Needed only where status or " +
    "check name a fault of the index; searches go on meanwhile.",
  args: {},
  run: async (_, context) => {
    const result = await context.client.rebuildIndexes(workOptions(context));
    for (const skipped of result.skipped ?? []) context.log("warning", `Left out: ${skipped}`);
    context.log("notice", `Indexed ${result.sections_reindexed} sections again`);
    return withListsCut(result, {
      ways: { skipped: "The command kbdb check names all." },
      room: context.room,
    });
  },
  empty: () => ({ sections_reindexed: 0, terms_indexed: 0, elapsed_ms: 0 }),
});

function workOptions({ onProgress }: ToolContext) {
  return onProgress ? { onProgress } : {};
}
