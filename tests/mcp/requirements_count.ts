/**
 * Compares the manifest with the pages it comes from: under every heading there must be at least as
 * many promises as the page has table rows and error cases. With `--write` the numbers are kept for
 * the tests, which run without the pages.
 *
 * ```sh
 * deno run -A tests/mcp/requirements_count.ts FOLDER_OF_DOCUMENTS [--write]
 * ```
 *
 * @module
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { REQUIREMENTS } from "./requirements.ts";
import { type Counts, missingPromises } from "./requirements/compare.ts";

const DOCUMENTS = ["kbdb-mcp", "kbdb-mcp-functions", "kbdb-mcp-module"];

/** What a sentence about an error holds. */
const ERROR_CASE = /isError: true|-32\d{3}|\bthrows?\b|\bthrown\b/i;

/** A heading and the lines under it, up to the next heading; code blocks are left out. */
interface Part {
  readonly heading: string;
  readonly lines: string[];
}

function partsOf(markdown: string): Part[] {
  const parts: Part[] = [{ heading: "", lines: [] }];
  let fenced = false;
  for (const line of markdown.split("\n")) {
    if (/^\s*```/.test(line)) fenced = !fenced;
    else if (!fenced) {
      const heading = /^#+ (.*)$/.exec(line)?.[1];
      if (heading === undefined) parts[parts.length - 1].lines.push(line);
      else parts.push({ heading: heading.trim(), lines: [] });
    }
  }
  return parts;
}

/** Rows of all tables without their heads; a row with an empty first cell goes on with the last. */
function tableRows(lines: readonly string[]): number {
  return lines.filter((line, index) => {
    const isHead = !lines[index - 1]?.startsWith("|");
    const isRule = /^\|[\s:|-]+\|$/.test(line);
    return line.startsWith("|") && !isHead && !isRule && !/^\|\s*\|/.test(line);
  }).length;
}

/** Paragraphs that say how something fails. */
function errorCases(lines: readonly string[]): number {
  const prose = lines.map((line) => line.startsWith("|") ? "" : line).join("\n");
  return prose.split(/\n\s*\n/).filter((paragraph) => ERROR_CASE.test(paragraph)).length;
}

function readDocument(folder: string, document: string): Part[] {
  return partsOf(readFileSync(join(folder, `${document}.md`), "utf8"));
}

function count(parts: readonly Part[]): Record<string, number> {
  const counted = parts.map(({ heading, lines }) =>
    [heading, tableRows(lines) + errorCases(lines)] as const
  );
  return Object.fromEntries(counted.filter(([, cases]) => cases > 0));
}

/** Headings of the manifest that no page has. */
function strayHeadings(pages: Readonly<Record<string, readonly Part[]>>): string[] {
  const stray = REQUIREMENTS.filter(({ document, heading }) =>
    pages[document] !== undefined && !pages[document].some((part) => part.heading === heading)
  );
  return [...new Set(stray.map(({ document, heading }) => `${document}, ${heading}: not there`))];
}

function write(counts: Counts): void {
  const lines = Object.entries(counts).flatMap(([document, headings]) => [
    `  ${JSON.stringify(document)}: {`,
    ...Object.entries(headings).map(([heading, n]) => `    ${JSON.stringify(heading)}: ${n},`),
    "  },",
  ]);
  const text = `/**
 * Table rows and error cases of the pages, by heading. Written by \`requirements_count.ts\`.
 *
 * @module
 */

import type { Counts } from "./compare.ts";

// deno-fmt-ignore
/** The least number of promises under each heading. */
export const COUNTS: Counts = {
${lines.join("\n")}
};
`;
  writeFileSync(new URL("./requirements/counts.ts", import.meta.url), text);
}

function main(args: readonly string[]): number {
  const folder = args.find((arg) => !arg.startsWith("--"));
  if (folder === undefined) {
    console.error("Usage: requirements_count.ts FOLDER_OF_DOCUMENTS [--write]");
    return 2;
  }
  const pages = Object.fromEntries(DOCUMENTS.map((name) => [name, readDocument(folder, name)]));
  const counts: Counts = Object.fromEntries(
    Object.entries(pages).map(([name, parts]) => [name, count(parts)]),
  );
  if (args.includes("--write")) write(counts);
  const faults = [...missingPromises(counts, REQUIREMENTS), ...strayHeadings(pages)];
  for (const fault of faults) console.log(fault);
  return faults.length > 0 ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
