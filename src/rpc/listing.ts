/**
 * What crosses the wire when something is listed: pages in the order of ids.
 *
 * @module
 */

import type { SectionSummary } from "./reading.ts";

/** A page of documents. */
export interface ListDocumentsParams {
  /** Docids that begin so. */
  prefix?: string;
  /** MIME type, or `agent`. @default {every type but `agent`} */
  type?: string;
  /** 1 to 1000. @default {100} */
  limit?: number;
  /** From the page before. */
  cursor?: string;
}

/** A document as lists show it. */
export interface DocumentSummary {
  /** The document. */
  docid: string;
  /** Its title, or `null` where it has none. */
  title: string | null;
  /** MIME type, or `agent`. */
  type: string;
  /** Sections that it holds. */
  section_count: number;
  /** Where it was learned from, or `null`. */
  source: string | null;
}

/** A page of sections. */
export interface ListSectionsParams {
  /** MIME type; `image/*` for all images, `skill` for skills. @default {every type but `skill`} */
  type?: string;
  /** Sections that have this tag. */
  tag?: string;
  /** Sections of this document. */
  docid?: string;
  /** Ids that begin so. */
  prefix?: string;
  /** 1 to 1000. @default {100} */
  limit?: number;
  /** From the page before. */
  cursor?: string;
}

/** A section as lists show it, with where it belongs. */
export interface ListedSection extends SectionSummary {
  /** Documents that hold it. */
  docids: string[];
  /** Its tags. */
  tags: string[];
}

/** A page of a list, in the order of ids. */
export interface ListPage<Item> {
  /** The page. */
  items: Item[];
  /** For the next page, where there is one. */
  cursor?: string;
}

/** A tag, with the sections that have it. */
export interface TagCount {
  /** The tag. */
  tag: string;
  /** Sections that have it. */
  sections: number;
}
