/** Taking a segment out of the core. */

import type { wasm } from "./load.ts";
import type { Segment } from "./search_index.ts";

/** A copy of what the core gave, whose own is freed; `null` where it gave nothing. */
export function copied(sealed: wasm.SealedSegment | undefined): Segment | null {
  if (sealed === undefined) return null;
  const segment = {
    terms: sealed.terms(),
    positions: sealed.positions(),
    corpus: sealed.corpus(),
  };
  sealed.free();
  return segment;
}
