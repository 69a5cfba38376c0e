/**
 * Pieces of what people read: counts, sizes, columns, and what stands beside a title.
 *
 * @module
 */

import { type Output, visibleLine } from "./output.ts";

/** `1 section`, `2 sections`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `312 B`, `1.2 kB`, `3.4 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`;
}

/** Whether a word has the form of a kbid: 26 characters without i, l, o and u (D6). */
export function isKbid(word: string): boolean {
  return /^[0-9a-hjkmnp-tv-z]{26}$/.test(word);
}

/** A title as it is shown, also where there is none. */
export function title(heading: string | null): string {
  return heading === null ? "(no title)" : visibleLine(heading);
}

/** The documents and tags of a section, to stand beside its title; empty where it has none. */
export function belongings(section: { docids: string[]; tags: string[] }): string {
  return [...section.docids, ...section.tags.map((tag) => `#${tag}`)].map(visibleLine).join("  ");
}

/** A line about a section: id, title, type, what it belongs to. */
export function sectionLine(
  section: {
    kbid: string;
    heading: string | null;
    type: string;
    docids?: string[];
    tags?: string[];
  },
  output: Output,
): string {
  const { kbid, heading, type, docids = [], tags = [] } = section;
  const parts = [output.dim(kbid), title(heading), belongings({ docids, tags }), output.dim(type)];
  return parts.filter((part) => part !== "").join("  ");
}

/** Rows in columns; cells are padded on the right, numbers on the left. */
export function columns(rows: readonly (readonly (string | number)[])[]): string[] {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => String(row[i]).length))) ??
    [];
  return rows.map((row) =>
    row.map((cell, i) =>
      typeof cell === "number" ? String(cell).padStart(widths[i]) : cell.padEnd(widths[i])
    ).join("  ").trimEnd()
  );
}
