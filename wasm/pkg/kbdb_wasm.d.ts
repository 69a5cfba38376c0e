/* tslint:disable */
/* eslint-disable */

/**
 * A sealed segment, whose bytes the index goes on using.
 */
export class SealedSegment {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * A copy of entries, records and postings.
     */
    corpus(): Uint8Array;
    /**
     * A copy of the places of words.
     */
    positions(): Uint8Array;
    /**
     * A copy of the dictionaries.
     */
    terms(): Uint8Array;
}

/**
 * A searchable set of entries.
 */
export class SearchIndex {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Adds an entry; returns how many different words it holds.
     */
    add(record: string, body: Uint8Array | number[]): number;
    /**
     * The words of a text as indexing sees them, as JSON.
     */
    analyze(text: string): string;
    /**
     * How many entries have what is asked for.
     */
    count(request: string): number;
    /**
     * Dead entries of a segment.
     */
    dead(segment: number): Uint8Array;
    /**
     * A record as JSON, or `null`.
     */
    get(kbid: string): string;
    /**
     * Records that have what is asked for, as JSON.
     */
    list(request: string): string;
    /**
     * Appends a sealed segment.
     */
    load(terms: Uint8Array | number[], corpus: Uint8Array | number[], dead: Uint8Array | number[]): void;
    /**
     * An empty index for a Snowball language.
     */
    constructor(language: string);
    /**
     * Numbers about the matches of a query, as JSON.
     */
    queryStats(request: string): string;
    /**
     * Takes an entry out.
     */
    remove(kbid: string): boolean;
    /**
     * Puts a merged segment, where there is one, in the place of those it was merged from.
     */
    replaceSegments(first: number, dead_at_merge: Uint8Array[], terms: Uint8Array | number[] | null | undefined, corpus: Uint8Array | number[] | null | undefined, dead: Uint8Array | number[]): void;
    /**
     * Turns the tail into a segment.
     */
    seal(): SealedSegment | undefined;
    /**
     * A page of documents as JSON.
     */
    searchDocuments(request: string): string;
    /**
     * A page of results as JSON.
     */
    search(request: string): string;
    /**
     * Sizes of the segments, as JSON.
     */
    segments(): string;
    /**
     * A piece of `body` around the rarest word of the query.
     */
    snippet(query: string, body: Uint8Array | number[], width: number): string;
    /**
     * Numbers as JSON.
     */
    stats(): string;
    /**
     * About how many bytes the tail takes.
     */
    tailBytes(): number;
    /**
     * Entries in the tail.
     */
    tailEntries(): number;
    /**
     * Values with their counts, as JSON.
     */
    values(request: string): string;
}

/**
 * Joins segments into one.
 */
export class SegmentMerger {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Adds the next segment.
     */
    add(terms: Uint8Array | number[], positions: Uint8Array | number[], corpus: Uint8Array | number[], dead: Uint8Array | number[]): void;
    /**
     * The merged segment; none where nothing lives.
     */
    finish(): SealedSegment | undefined;
    /**
     * A merger without segments.
     */
    constructor();
}

/**
 * Checksum of these bytes.
 */
export function checksum(bytes: Uint8Array | number[]): number;

/**
 * Version of the calls and of the segment bytes.
 */
export function coreVersion(): number;

/**
 * Id of these bytes.
 */
export function kbid(bytes: Uint8Array | number[]): string;

/**
 * Bytes of linear memory.
 */
export function memoryBytes(): number;

/**
 * The text to store, as UTF-8.
 */
export function preprocess(bytes: Uint8Array | number[], encoding: string): Uint8Array;

/**
 * The references of a text, as JSON.
 */
export function references(text: Uint8Array | number[], form: string): string;

/**
 * The sections of a preprocessed document, as JSON.
 */
export function splitMarkdown(text: Uint8Array | number[]): string;
