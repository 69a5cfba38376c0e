/**
 * Which ids the tests cite, read from the text of the tests.
 *
 * @module
 */

import { projectFiles, readProjectFile } from "../../support/project.ts";
import { ID } from "./requirement.ts";

/** An id where a test names it. */
export interface Citation {
  readonly id: string;
  readonly file: string;
}

/** The name of a test: the first argument of `test`, or of a function whose name ends so. */
const TEST_NAME =
  /\b\w*test(?:\.\w+)?\(\s*("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)/gi;

/** A table's list of ids. */
const TABLE = /\bcites:\s*\[([^\]]*)\]/g;

/** The files that may cite, without those of the manifest itself. */
export function citingFiles(): string[] {
  const tests = ["src/mcp", "src/cli", "tests"].flatMap((folder) =>
    projectFiles(folder, "_test.ts")
  );
  const files = new Set([...tests, ...projectFiles("tests/mcp", ".ts")]);
  return [...files].filter((file) => !file.startsWith("tests/mcp/requirements")).sort();
}

/** The ids that the text of a test file cites; `areas` are the words that ids begin with. */
export function citedIn(text: string, areas: ReadonlySet<string>): string[] {
  const names = [...text.matchAll(TEST_NAME)].flatMap(([, name]) => bracketed(name, areas));
  const tables = [...text.matchAll(TABLE)].flatMap(([, list]) =>
    [...list.matchAll(/["'`]([^"'`]*)["'`]/g)].map(([, id]) => id)
  );
  return [...names, ...tables];
}

/** Other words may stand in brackets too, so that one of an id's form and area makes a list. */
function bracketed(name: string, areas: ReadonlySet<string>): string[] {
  return [...name.matchAll(/\[([^\]]*)\]/g)]
    .map(([, list]) => list.split(/[\s,]+/).filter((word) => word !== ""))
    .filter((words) => words.some((word) => ID.test(word) && areas.has(word.split("-")[0])))
    .flat();
}

/** Every citation in the project. */
export function citations(areas: ReadonlySet<string>): Citation[] {
  return citingFiles().flatMap((file) =>
    citedIn(readProjectFile(file), areas).map((id) => ({ id, file }))
  );
}
