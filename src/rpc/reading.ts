/**
 * What crosses the wire when stored sections and documents are read.
 *
 * @module
 */

/** A section as lists show it. */
export interface SectionSummary {
  /** The section's id. */
  kbid: string;
  /** The section's title, or `null` where it has none. */
  heading: string | null;
  /** MIME type, or `skill`. */
  type: string;
}

/** Sections by id, with as much around them as `depth` says. */
export interface RecallParams {
  /** 1 to 1000. */
  kbids: string[];
  /** 0 to 3; above becomes 3 (see {@linkcode RecalledSection}). @default {0} */
  depth?: number;
  /** What does not fit is left as a stub (D50). @default {no limit} */
  max_bytes?: number;
  /** From the answer before: what did not fit there. */
  cursor?: string;
}

/** How one section refers to another (D16). */
export type MarkerType = "link" | "include" | "image" | "code" | "mdlink" | "wikilink";

/** A section at one end of a reference. */
export interface Reference {
  /** The section, or `null` where the reference leads nowhere. */
  kbid: string | null;
  /** Its title. */
  heading: string | null;
  /** Its MIME type, or `null` where it leads nowhere. */
  type: string | null;
  /** How it refers. */
  marker_type: MarkerType;
  /** Text around the reference. */
  context_snippet: string;
  /** `back`: this section refers to the recalled one; `forward`: the recalled one refers to it. */
  direction: "back" | "forward";
  /** Of a forward reference: what stands in the text. */
  target?: string;
  /** Of a forward reference to a document: its docid. */
  docid?: string;
  /** At depth 3, of a forward reference: the whole text, or base64 of an image. */
  content?: string;
  /** Set where `content` is base64. */
  encoding?: "base64";
  /** At depth 3, of a forward reference: who else refers to it. */
  back_references?: Reference[];
  /** The content did not fit; recall the section by itself. */
  omitted?: true;
  /** Bytes of the content that did not fit. */
  bytes?: number;
  /** How many of its back-references did not fit. */
  left_out?: { back_references: number };
}

/** A document and what it holds. */
export interface DocumentOutline {
  /** The document. */
  docid: string;
  /** Its title, or `null` where it has none. */
  title: string | null;
  /** Its sections in order. */
  sections: SectionSummary[];
}

/** A section of the same document. */
export interface Sibling extends SectionSummary {
  /** The whole text, or base64 of an image. */
  content?: string;
  /** Set where `content` is base64. */
  encoding?: "base64";
  /** It did not fit; recall it by itself. */
  omitted?: true;
  /** Bytes of the content that did not fit. */
  bytes?: number;
}

/** A section in full. Depth 1 adds documents and back-references, 2 siblings and references. */
export interface RecalledSection extends SectionSummary {
  /** The whole text, or base64 of an image. */
  content: string;
  /** Documents that hold the section. */
  docids: string[];
  /** Set where `content` is base64. */
  encoding?: "base64";
  /** From depth 1 on. */
  documents?: DocumentOutline[];
  /** From depth 1 on: sections that refer to this one. */
  back_references?: Reference[];
  /** From depth 2 on: the other sections of its documents. */
  siblings?: Sibling[];
  /** From depth 2 on: what this section refers to. */
  references?: Reference[];
  /** The description that was given. */
  description?: string;
  /** The section's tags. */
  tags: string[];
  /** Where its documents were learned from. */
  sources?: string[];
  /** When it was first stored. */
  created_at: string;
  /** When the section left its last document or was superseded; it is out of search. */
  retired?: string;
  /** The section that took its place. */
  superseded_by?: string;
  /** How many entries around the section did not fit, not even as stubs. */
  left_out?: LeftOut;
}

/** Counts of what did not fit around a section. */
export interface LeftOut {
  /** Documents without their outlines. */
  documents?: number;
  /** Sections that refer to this one, at least. */
  back_references?: number;
  /** Other sections of its documents. */
  siblings?: number;
  /** What this section refers to. */
  references?: number;
}

/** A section that did not fit; a later page or a recall by itself gives it. */
export interface OmittedSection extends SectionSummary {
  /** Bytes of its content. */
  bytes: number;
  /** Always `true`. */
  omitted: true;
}

/** A section that could not be read. */
export interface UnreadSection {
  /** As given. */
  kbid: string;
  /** Why. */
  error: { code: string; message: string };
}

/** A section, why it could not be read, or a stub where it did not fit. */
export type RecallItem = RecalledSection | OmittedSection | UnreadSection;

/** Items in the order asked for. */
export interface RecallResult {
  /** One for each id. */
  items: RecallItem[];
  /** Gives what did not fit. */
  cursor?: string;
  /** What was left out, in words. */
  notice?: string;
}

/** Sections as they are stored. */
export interface ReadParams {
  /** 1 to 1000. */
  kbids: string[];
}

/** A section as it is stored. */
export interface StoredSectionItem {
  /** The section's id. */
  kbid: string;
  /** MIME type, or `skill`. */
  sectionType: string;
  /** Text, or base64 of an image. */
  content: string;
  /** Bytes of the content. */
  size: number;
}

/** Sections that are there and those that are not, in the order asked for. */
export interface ReadResult {
  /** One for each id. */
  sections: (StoredSectionItem | UnreadSection)[];
}

/** A document by its docid. */
export interface DocumentParams {
  /** The document. */
  docid: string;
}

/** A document as it is stored. */
export interface DocumentRecord {
  /** The document. */
  docid: string;
  /** Its title, or `null` where it has none. */
  title: string | null;
  /** MIME type, or `agent`. */
  type: string;
  /** Where it was learned from, or `null`. */
  source: string | null;
  /** When it was first stored. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
  /** Its sections in order, with the white space before each where it is not one blank line. */
  sections: (SectionSummary & { gap?: string })[];
  /** Of an agent: what it is. */
  agent?: { name: string; description: string; persona: string };
}

/** Text composed of sections and documents (D16). */
export interface ContentParams {
  /** Kbids and docids, 1 to 1000. */
  ids: string[];
  /** The text ends before it has more bytes than this. @default {16 MiB} */
  max_bytes?: number;
  /** From the answer before. */
  cursor?: string;
}

/** Composed text. */
export interface ContentResult {
  /** Always `text/markdown`. */
  type: "text/markdown";
  /** The text, or the part of it that fits. */
  data: string;
  /** Code points of `data`. */
  total: number;
  /** Code points of the whole, where `data` is a part. */
  total_all?: number;
  /** Gives the next part. */
  cursor?: string;
  /** Ids that are not stored; the text says so in their place. */
  missing?: string[];
  /** What was left out, in words. */
  notice?: string;
}

/** The revisions of a section, by any of them. */
export interface HistoryParams {
  /** The section. */
  kbid: string;
}

/** One revision. */
export interface Revision {
  /** The section. */
  kbid: string;
  /** Its title, or `null` where it has none or is not known any more. */
  heading: string | null;
  /** When it was first stored, or `null` where that is not known any more. */
  created_at: string | null;
  /** It is the current one. */
  current: boolean;
  /** It was removed; `kbdb restore` brings it back while it is in the trash. */
  removed: boolean;
}

/** All revisions, oldest first. */
export interface HistoryResult {
  /** The current one, or `null` where it was removed. */
  current: string | null;
  /** Oldest first. */
  revisions: Revision[];
}
