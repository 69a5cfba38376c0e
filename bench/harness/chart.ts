/**
 * Results as a drawing: one panel an operation, p50 and p99 over the corpus sizes, with the
 * documented limits. Written by hand as SVG; the same results give the same bytes.
 *
 * @module
 */

import { milliseconds } from "../figures.ts";
import type { Measurement, ResultFile } from "./result_file.ts";
import { targetOf } from "./targets.ts";

/** What the panels show, in reading order. */
const PANELS: readonly { title: string; operation: string; variant: string }[] = [
  { title: "Search, warm", operation: "search", variant: "warm" },
  { title: "Search, different queries", operation: "search", variant: "varied" },
  { title: "Search, fresh daemon", operation: "search", variant: "cold" },
  { title: "Search during a rebuild", operation: "search", variant: "during-rebuild" },
  { title: "Learn one, durable", operation: "learn", variant: "without-embedding" },
  { title: "Learn a batch of 100", operation: "batch-learn", variant: "sequential" },
  { title: "Rebuild", operation: "rebuild", variant: "lexical" },
  { title: "Check", operation: "check", variant: "full-scan" },
  { title: "Collect garbage", operation: "gc", variant: "superseded-10-percent" },
];

const COLUMNS = 3;
const PANEL = { width: 300, height: 220 };
/** The plot inside a panel. */
const PLOT = { left: 52, right: 24, top: 34, bottom: 34 };
const HEAD = 72;
const FOOT = 12;

/** Colours for a light page, and for a dark one where the reader prefers that. */
const STYLE = `
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.page { fill: #ffffff }
.title { font-size: 16px; font-weight: 600 }
.name { font-weight: 600 }
.muted { fill: #59636e; font-size: 11px }
.value { font-size: 11px; fill: #bc4c00; paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round }
.grid { stroke: #d1d9e0; stroke-width: 1 }
.line { fill: none; stroke-width: 2 }
.p50 { stroke: #0969da; fill: #0969da }
.p99 { stroke: #bc4c00; fill: #bc4c00 }
.limit { stroke: #57606a; stroke-width: 2; stroke-dasharray: 4 3 }
.line.p50, .line.p99 { fill: none }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .page { fill: #0d1117 }
  .muted { fill: #9198a1 }
  .value { fill: #f0883e; stroke: #0d1117 }
  .grid { stroke: #30363d }
  .p50 { stroke: #58a6ff; fill: #58a6ff }
  .p99 { stroke: #f0883e; fill: #f0883e }
  .line.p50, .line.p99 { fill: none }
  .limit { stroke: #c9d1d9 }
}
`.trim();

interface Point {
  /** Place of the size on the axis. */
  readonly at: number;
  readonly measured: Measurement;
  readonly limit?: number;
}

/** From milliseconds and places of sizes to places in a panel. */
interface Scale {
  readonly x: (at: number) => number;
  readonly y: (ms: number) => number;
  /** Powers of ten that the axis shows. */
  readonly decades: readonly number[];
}

/** Draws results of one platform and runtime, each of another size. */
export function chartOf(results: readonly ResultFile[]): string {
  const bySize = [...results].sort((a, b) => a.sections - b.sections);
  const panels = PANELS.map((panel) => ({ ...panel, points: pointsOf(panel, bySize) }))
    .filter(({ points }) => points.length > 0);
  const width = PANEL.width * COLUMNS;
  const height = HEAD + PANEL.height * Math.ceil(panels.length / COLUMNS) + FOOT;
  const [{ runtime, platform, kbdb_version, machine }] = bySize;
  const title = `kbdb ${kbdb_version} on ${runtime}, ${platform}`;
  return [
    "<!-- deno-fmt-ignore-file -->",
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
    `width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>\n${STYLE}\n</style>`,
    `<rect class="page" width="${width}" height="${height}"/>`,
    text({ x: 16, y: 26, class: "title" }, title),
    text(
      { x: 16, y: 46, class: "muted" },
      `Time by sections in the database, logarithmic; ${machine.cores} cores of ${machine.cpu}`,
    ),
    ...legend(width),
    ...panels.flatMap((panel, i) => drawPanel(panel, { place: i, sizes: bySize })),
    `</svg>\n`,
  ].join("\n");
}

function pointsOf(
  panel: { operation: string; variant: string },
  results: readonly ResultFile[],
): Point[] {
  return results.flatMap(({ results, corpus_size }, at) => {
    const measured = results.find((one) =>
      one.operation === panel.operation && one.variant === panel.variant
    );
    return measured ? [{ at, measured, limit: targetOf(corpus_size, panel) }] : [];
  });
}

function legend(width: number): string[] {
  const entries: [x: number, label: string, mark: string][] = [
    [width - 330, "p50", `<circle class="p50" cx="0" cy="-4" r="4"/>`],
    [width - 260, "p99", `<rect class="p99" x="-4" y="-8" width="8" height="8"/>`],
    [width - 190, "documented limit of p99", `<path class="limit" d="M-12 -4h24"/>`],
  ];
  return entries.map(([x, label, mark]) =>
    `<g transform="translate(${x} 28)">${mark}${text({ x: 18, y: 0 }, label)}</g>`
  );
}

function drawPanel(
  { title, points }: { title: string; points: readonly Point[] },
  { place, sizes }: { place: number; sizes: readonly ResultFile[] },
): string[] {
  const x = (place % COLUMNS) * PANEL.width;
  const y = HEAD + Math.floor(place / COLUMNS) * PANEL.height;
  const scale = scaleOf(points, sizes.length);
  return [
    `<g transform="translate(${x} ${y})">`,
    text({ x: 16, y: 18, class: "name" }, title),
    ...yAxis(scale),
    ...xAxis(scale, sizes),
    ...limits(points, scale),
    ...series(points, { scale, name: "p50" }),
    ...series(points, { scale, name: "p99" }),
    ...labels(points, scale),
    `</g>`,
  ];
}

function scaleOf(points: readonly Point[], sizes: number): Scale {
  const values = points.flatMap(({ measured, limit }) => [
    Math.max(measured.p50_ms, 0.001),
    Math.max(measured.p99_ms, 0.001),
    ...(limit === undefined ? [] : [limit]),
  ]);
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const plot = {
    width: PANEL.width - PLOT.left - PLOT.right,
    height: PANEL.height - PLOT.top - PLOT.bottom,
  };
  return {
    x: (at) => round(PLOT.left + plot.width * (at + 0.5) / sizes),
    y: (ms) => {
      const share = (Math.log10(Math.max(ms, 0.001)) - low) / (high - low);
      return round(PLOT.top + plot.height * (1 - share));
    },
    decades: Array.from({ length: high - low + 1 }, (_, i) => low + i),
  };
}

function yAxis(scale: Scale): string[] {
  return scale.decades.flatMap((power) => {
    const y = scale.y(10 ** power);
    return [
      `<path class="grid" d="M${PLOT.left} ${y}H${PANEL.width - PLOT.right}"/>`,
      text({ x: PLOT.left - 6, y: y + 4, class: "muted", anchor: "end" }, tick(power)),
    ];
  });
}

/** A power of ten of milliseconds. */
function tick(power: number): string {
  return power >= 3 ? `${10 ** (power - 3)} s` : `${Number((10 ** power).toFixed(3))} ms`;
}

function xAxis(scale: Scale, sizes: readonly ResultFile[]): string[] {
  const y = PANEL.height - PLOT.bottom + 18;
  return sizes.map(({ sections }, at) =>
    text({ x: scale.x(at), y, class: "muted", anchor: "middle" }, sizeLabel(sections))
  );
}

function sizeLabel(sections: number): string {
  if (sections >= 1e6 && sections % 1e5 === 0) return `${sections / 1e6}M`;
  return sections >= 1e3 && sections % 100 === 0 ? `${sections / 1e3}k` : String(sections);
}

function limits(points: readonly Point[], scale: Scale): string[] {
  return points.filter(({ limit }) => limit !== undefined).map(({ at, limit }) =>
    `<path class="limit" d="M${round(scale.x(at) - 14)} ${scale.y(limit!)}h28"/>`
  );
}

function series(
  points: readonly Point[],
  { scale, name }: { scale: Scale; name: "p50" | "p99" },
): string[] {
  const at = points.map(({ at, measured }) => ({
    x: scale.x(at),
    y: scale.y(measured[`${name}_ms`]),
  }));
  const path = at.map(({ x, y }, i) => `${i === 0 ? "M" : "L"}${x} ${y}`).join("");
  const marks = at.map(({ x, y }) =>
    name === "p50"
      ? `<circle class="p50" cx="${x}" cy="${y}" r="4"/>`
      : `<rect class="p99" x="${round(x - 4)}" y="${round(y - 4)}" width="8" height="8"/>`
  );
  return [`<path class="line ${name}" d="${path}"/>`, ...marks];
}

/** The value of each p99: above its mark, or below both where a limit stands there. */
function labels(points: readonly Point[], scale: Scale): string[] {
  return points.map(({ at, measured: { p50_ms, p99_ms }, limit }) => {
    const mark = scale.y(p99_ms);
    const line = limit === undefined ? mark : scale.y(limit);
    const isClose = line < mark && line > mark - 24;
    const place = { x: scale.x(at), y: round(isClose ? scale.y(p50_ms) + 18 : mark - 8) };
    return text({ ...place, class: "value", anchor: "middle" }, duration(p99_ms));
  });
}

function duration(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${milliseconds(ms)} ms`;
}

function text(
  { x, y, class: name, anchor }: { x: number; y: number; class?: string; anchor?: string },
  content: string,
): string {
  const extra = (name ? ` class="${name}"` : "") + (anchor ? ` text-anchor="${anchor}"` : "");
  return `<text x="${x}" y="${y}"${extra}>${escaped(content)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
