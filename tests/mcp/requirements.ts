/**
 * The manifest of the MCP server: every promise of its pages, of the rulings on them and about its
 * clients, each under an id. Tests name the ids they keep, either at the end of their names,
 * `test("search() pages [tool-search-04 ruling-d28-3]", ...)`, or in a table's `cites: ["..."]`.
 *
 * @module
 */

import { FUNCTIONS, MODULE } from "./requirements/functions.ts";
import { CLIENTS, MISSED } from "./requirements/missed.ts";
import { PROTOCOL } from "./requirements/protocol.ts";
import type { Requirement } from "./requirements/requirement.ts";
import { RULINGS } from "./requirements/rulings.ts";
import { TOOLS } from "./requirements/tools.ts";

/** All promises, document by document. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...TOOLS,
  ...PROTOCOL,
  ...FUNCTIONS,
  ...MODULE,
  ...RULINGS,
  ...MISSED,
  ...CLIENTS,
];
