/**
 * A comparison as Markdown.
 *
 * @module
 */

import { milliseconds } from "../figures.ts";
import type {
  EngineFacts,
  EngineResult,
  Figure,
  PeerResults,
  SizeResult,
  Spread,
} from "./results.ts";

interface Column {
  readonly name: string;
  readonly figure: Figure;
  readonly show: (value: number) => string;
}

const seconds = (ms: number) => (ms / 1000).toFixed(ms < 10_000 ? 2 : 1);
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0);

const COLUMNS: readonly Column[] = [
  { name: "index s", figure: "index_ms", show: seconds },
  { name: "search p50 ms", figure: "search_p50_ms", show: milliseconds },
  { name: "p95 ms", figure: "search_p95_ms", show: milliseconds },
  { name: "p99 ms", figure: "search_p99_ms", show: milliseconds },
  { name: "insert p50 ms", figure: "insert_p50_ms", show: milliseconds },
  { name: "p99 ms", figure: "insert_p99_ms", show: milliseconds },
  { name: "RSS MB", figure: "rss_bytes", show: megabytes },
  { name: "disk MB", figure: "disk_bytes", show: megabytes },
];

/** The whole comparison. */
export function reportOf(results: PeerResults): string {
  return [
    "# kbdb beside other engines",
    origin(results),
    method(results),
    ...results.sizes.map((size) => sizeReport(size, results.engines)),
    "## The engines",
    engineTable(results.engines),
  ].join("\n\n") + "\n";
}

function origin({ machine, timestamp }: PeerResults): string {
  const { cores, cpu, os, memory_bytes, load } = machine;
  return `${timestamp}; ${cores} cores of ${cpu}, ${(memory_bytes / 1e9).toFixed(0)} GB, ${os}; ` +
    `load ${load} at the start.`;
}

function method({ method }: PeerResults): string {
  const memory = method.in_memory_files
    ? " **The files lay in memory: what is durable cost nothing.**"
    : "";
  return `Median (least to most) of ${
    count(method.trials, "trial")
  }, each in a fresh process, the ` +
    `engines in another order each time. ${method.queries} different queries of ` +
    `${method.words_per_query} words, any of which may match, after ${method.warm_up} others; top ` +
    `${method.limit} with snippets. ${method.inserts} single inserts. Memory after indexing.${memory}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Figures and ratios of one corpus. */
export function sizeReport(size: SizeResult, facts: readonly EngineFacts[]): string {
  const name = ({ engine }: EngineResult) => facts.find(({ id }) => id === engine)?.name ?? engine;
  const heading = ["engine", ...COLUMNS.map((column) => column.name)];
  const figures = size.engines.map((one) => [
    name(one),
    ...COLUMNS.map(({ figure, show }) => shown(one.summary[figure], show)),
  ]);
  const ratios = size.engines.filter(({ engine }) => engine !== "kbdb").map((one) => [
    name(one),
    ...COLUMNS.map(({ figure }) => times(one.times_kbdb[figure])),
  ]);
  const failures = size.engines.flatMap((one) => one.failures.map((why) => `${name(one)}: ${why}`));
  return [
    `## ${size.sections.toLocaleString("en-US")} sections (${megabytes(size.corpus_bytes)} MB)`,
    table(heading, figures),
    "Divided by kbdb's through its daemon; above 1 kbdb is better:",
    table(heading.map((title) => title.replace(/ (s|ms|MB)$/, "")), ratios),
    ...failures.map((failure) => `Failed: ${failure}.`),
  ].join("\n\n");
}

function shown(spread: Spread | null, show: (value: number) => string): string {
  if (spread === null) return "–";
  const { median, min, max } = spread;
  return min === max ? show(median) : `${show(median)} (${show(min)} to ${show(max)})`;
}

function times(ratio: number | null): string {
  if (ratio === null) return "–";
  return `${ratio.toFixed(ratio < 1 ? 2 : ratio < 100 ? 1 : 0)}×`;
}

function engineTable(facts: readonly EngineFacts[]): string {
  const rows = facts.map((one) => [
    one.name,
    one.version ?? `not to be had here: ${one.missing}`,
    one.durable ? "durable" : "in memory",
    one.snippets,
    one.stemming,
    one.remark,
  ]);
  return table(["engine", "version", "data", "snippets by", "stemming", "remark"], rows, 6);
}

/** A Markdown table whose columns line up; so many of the first ones are text. */
export function table(
  heading: readonly string[],
  rows: readonly string[][],
  textColumns = 1,
): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = heading.map((title, i) =>
    Math.max(title.length, ...cells.map((row) => row[i].length))
  );
  const line = (row: readonly string[]) =>
    `| ${
      row.map((cell, i) => i < textColumns ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))
        .join(" | ")
    } |`;
  const rule = widths.map((width, i) =>
    "-".repeat(width - (i < textColumns ? 0 : 1)) +
    (i < textColumns ? "" : ":")
  );
  return [line(heading), `| ${rule.join(" | ")} |`, ...cells.map(line)].join("\n");
}
