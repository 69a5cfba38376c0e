/** What listed entries must have, and the values that sections have. */

/** What entries must have, all of it. */
export interface EntryFilter {
  /** A document that holds them. */
  docid?: string;
  /** A key that they refer to. */
  ref?: string;
  /** A tag. */
  tag?: string;
  /** A media type; `image/*` stands for all that begin so. */
  type?: string;
}

/** Which entries to list. */
export interface ListOptions extends EntryFilter {
  /** Only entries above this kbid. */
  after?: string;
  /** How many at most. @default 1000 */
  limit?: number;
}

/** What sections have values of. */
export type ValueName = "tag" | "type" | "docid";

/** Which values to list. */
export interface ValuesOptions {
  /** Only values that begin so. @default "" */
  prefix?: string;
  /** Only values above this one in byte order. */
  after?: string;
  /** How many at most. @default 1000 */
  limit?: number;
}

/** A value and how common it is. */
export interface ValueCount {
  /** The tag, media type or docid. */
  value: string;
  /** How many live sections have it. */
  count: number;
}
