/**
 * Importing this module, before anything else, sends to standard error what any other module says
 * with `console.log` and its like: on standard output a single such line would end a session of MCP
 * (B17). Only the text is kept, without tables and indentation.
 *
 * @module
 */

const { console } = globalThis;

/** Those that write to standard output under Deno or Node, and `trace`. */
const REDIRECTED = [
  "log",
  "info",
  "debug",
  "table",
  "dir",
  "dirxml",
  "trace",
  "group",
  "groupCollapsed",
  "count",
  "timeLog",
  "timeEnd",
] as const;

const toStandardError = console.error.bind(console);
for (const name of REDIRECTED) console[name] = toStandardError;
