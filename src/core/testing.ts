/** Sample entries for the tests of this folder. */

import type { IndexRecord, SearchIndex } from "./search_index.ts";
import { kbid } from "./text.ts";

/** Texts to bytes. */
export const encoder = new TextEncoder();

/** A repeatable source of numbers below `end`. */
export function generator(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

/** An entry and its text. */
export interface Sample {
  /** What is stored of it. */
  record: IndexRecord;
  /** What is searched. */
  body: string;
}

/** A section of this text; its key comes from heading and text. */
export function sample(body: string, fields: Partial<IndexRecord> = {}): Sample {
  const record: IndexRecord = {
    kbid: kbid(encoder.encode(`${fields.heading} ${body}`)),
    kind: "section",
    heading: null,
    description: null,
    type: "text/markdown",
    tags: [],
    docids: [],
    refs: [],
    flags: 0,
    bytes: encoder.encode(body).length,
    ...fields,
  };
  return { record, body };
}

/** Adds a sample to an index. */
export function add(index: SearchIndex, { record, body }: Sample): number {
  return index.add(record, encoder.encode(body));
}
