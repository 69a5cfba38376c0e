/**
 * What an entry of the manifest is, and the short form in which entries are written.
 *
 * @module
 */

/** A promise about the MCP server that at least one test has to keep. */
export interface Requirement {
  /** Area first, a number last: `tool-search-03`. Never used again for something else. */
  readonly id: string;
  /** The page that promises it, without folder and ending. */
  readonly document: string;
  /** The heading it stands under there; of a ruling its number, of a table the row's first cell. */
  readonly heading: string;
  /** What is promised, in the form that holds after the rulings. */
  readonly promise: string;
}

/** Promises by id, under their headings. */
export type Headings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** How an id looks. */
export const ID = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*-\d+$/;

/** Entries of one document, in the order in which they are written. */
export function promisesOf(document: string, headings: Headings): Requirement[] {
  return Object.entries(headings).flatMap(([heading, promises]) =>
    Object.entries(promises).map(([id, promise]) => ({ id, document, heading, promise }))
  );
}
