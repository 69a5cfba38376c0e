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
     * Dead entries of a segment.
     */
    dead(segment: number): Uint8Array;
    /**
     * A record as JSON, or `null`.
     */
    get(kbid: string): string;
    /**
     * Records of a kind as JSON.
     */
    list(kind: string, after: string | null | undefined, limit: number): string;
    /**
     * Appends a sealed segment.
     */
    load(terms: Uint8Array | number[], corpus: Uint8Array | number[], dead: Uint8Array | number[]): void;
    /**
     * An empty index for a Snowball language.
     */
    constructor(language: string);
    /**
     * Takes an entry out.
     */
    remove(kbid: string): boolean;
    /**
     * Turns the tail into a segment.
     */
    seal(): SealedSegment | undefined;
    /**
     * A page of results as JSON.
     */
    search(request: string): string;
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
 * The sections of a preprocessed document, as JSON.
 */
export function splitMarkdown(text: Uint8Array | number[]): string;
