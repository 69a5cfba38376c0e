/**
 * Whether the manifest has enough promises for what the pages hold.
 *
 * @module
 */

import type { Requirement } from "./requirement.ts";

/** Table rows and error cases: by document, then by heading. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A line for every heading with fewer promises than rows and error cases. */
export function missingPromises(counts: Counts, entries: readonly Requirement[]): string[] {
  return Object.entries(counts).flatMap(([document, headings]) =>
    Object.entries(headings).flatMap(([heading, cases]) => {
      const promises = entries.filter((entry) =>
        entry.document === document && entry.heading === heading
      ).length;
      return promises >= cases
        ? []
        : [`${document}, ${heading}: ${cases} rows and error cases, ${promises} promises`];
    })
  );
}
