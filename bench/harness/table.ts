/**
 * Results as Markdown.
 *
 * @module
 */

import { megabytes, milliseconds } from "../figures.ts";
import type { IndexSizes, Measurement, ResultFile } from "./result_file.ts";
import { targetOf } from "./targets.ts";

/** A cell of a figure is set to the right. */
interface Column {
  readonly name: string;
  readonly isText?: boolean;
}

const COLUMNS: readonly Column[] = [
  { name: "operation", isText: true },
  { name: "variant", isText: true },
  { name: "runs" },
  { name: "p50 ms" },
  { name: "p95 ms" },
  { name: "p99 ms" },
  { name: "limit ms" },
  { name: "min to max ms" },
  { name: "sections/s" },
  { name: "WASM" },
  { name: "RSS" },
];

/** One result: a heading, where it was measured, the table, and the sizes of the index. */
export function tableOf(result: ResultFile): string {
  return [
    `## ${sizeName(result)}, ${result.runtime}, ${result.platform}`,
    origin(result),
    table(COLUMNS, result.results.map((one) => row(result.corpus_size, one))),
    `Index: ${indexLine(result.index_sizes)}.`,
  ].join("\n\n") + "\n";
}

/** All results, those of one runtime together, small ones first. */
export function reportOf(results: readonly ResultFile[]): string {
  return ["# Benchmarks\n", ...sorted(results).map(tableOf)].join("\n");
}

/** By platform and runtime, then by size. */
export function sorted(results: readonly ResultFile[]): ResultFile[] {
  const key = ({ platform, runtime }: ResultFile) => `${platform} ${runtime}`;
  return [...results].sort((a, b) =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.sections - b.sections
  );
}

function sizeName({ corpus_size, sections }: ResultFile): string {
  const count = sections.toLocaleString("en-US");
  return corpus_size === String(sections)
    ? `${count} sections`
    : `${corpus_size} (${count} sections)`;
}

function origin({ kbdb_version, machine, timestamp, database, seed }: ResultFile): string {
  const { cores, cpu, os, runtime_version } = machine;
  return `kbdb ${kbdb_version}, ${timestamp}; ${cores} cores of ${cpu}, ${os}, ` +
    `runtime ${runtime_version}; ${database} database, seed ${seed}.`;
}

function row(size: string, one: Measurement): string[] {
  const limit = targetOf(size, one);
  return [
    one.operation,
    one.variant,
    String(one.n),
    ...[one.p50_ms, one.p95_ms, one.p99_ms].map(milliseconds),
    limit === undefined ? "" : `< ${limit}`,
    `${milliseconds(one.min_ms)} to ${milliseconds(one.max_ms)}`,
    one.throughput_ops_per_s === undefined ? "" : one.throughput_ops_per_s.toFixed(0),
    bytes(one.wasm_memory_bytes),
    bytes(one.daemon_rss_bytes),
  ];
}

function bytes(count: number | null): string {
  return count === null ? "" : megabytes(count);
}

function indexLine(sizes: IndexSizes): string {
  const { terms_idx_bytes, positions_idx_bytes, corpus_dat_bytes, vectors_idx_bytes } = sizes;
  return [
    `terms ${megabytes(terms_idx_bytes)}`,
    `positions ${megabytes(positions_idx_bytes)}`,
    `corpus ${megabytes(corpus_dat_bytes)}`,
    vectors_idx_bytes === null ? "no vectors" : `vectors ${megabytes(vectors_idx_bytes)}`,
  ].join(", ");
}

/** A Markdown table whose columns line up. */
function table(columns: readonly Column[], rows: readonly string[][]): string {
  const widths = columns.map(({ name }, i) =>
    Math.max(name.length, ...rows.map((cells) => cells[i].length))
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => pad(cell, widths[i], columns[i].isText)).join(" | ")} |`;
  const rule = columns.map(({ isText }, i) =>
    "-".repeat(widths[i] - (isText ? 0 : 1)) +
    (isText ? "" : ":")
  );
  return [line(columns.map(({ name }) => name)), `| ${rule.join(" | ")} |`, ...rows.map(line)]
    .join("\n");
}

function pad(cell: string, width: number, isText = false): string {
  return isText ? cell.padEnd(width) : cell.padStart(width);
}
