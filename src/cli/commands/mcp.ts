/** `kbdb mcp`: the MCP server, which hosts of agents start. */

import { type CommandBody, type CommandContext, EXIT, textFlag, usageError } from "../command.ts";

/** Serves standard input and output. */
export const mcp: CommandBody = {
  usage: "--db PATH",
  details:
    "Speaks the Model Context Protocol (2025-11-25) on standard input and output, until the input\n" +
    "ends; messages for people go to standard error. The database must be named, with --db or\n" +
    "KBDB_DIR: a host starts its servers in any folder. One that is not there yet is made by the\n" +
    "first thing that is learned.",
  flags: {},
  examples: [
    ["kbdb mcp --db ~/notes/.kbdb", "What a host is told to start"],
    ["claude mcp add notes -- npx -y @dikolab/kbdb mcp --db ~/notes/.kbdb", "For Claude Code"],
  ],
  async run(context) {
    await (await context.mcp()).serve(namedPath(context));
    return EXIT.ok;
  },
};

/** Prints what the server tells the host's model. */
export const mcpInstructions: CommandBody = {
  usage: "--db PATH",
  flags: {},
  examples: [["kbdb mcp instructions --db ~/notes/.kbdb", "What the agent reads first"]],
  async run(context) {
    const text = (await context.mcp()).instructions(namedPath(context));
    await context.output.result({ instructions: text }, () => `${text}\n`);
    return EXIT.ok;
  },
};

/** Never the nearest database: the folder that a host starts in says nothing (D5). */
function namedPath({ args, flags, platform }: CommandContext): string {
  if (args.length > 0) throw usageError(`Cannot serve ${args[0]}: name the database with --db`);
  const path = textFlag(flags, "db") ?? (platform.host.env("KBDB_DIR") || undefined);
  if (path !== undefined) return path;
  throw usageError(
    "Cannot serve: no database is named. Give --db PATH, or set KBDB_DIR in the host's settings.",
  );
}
