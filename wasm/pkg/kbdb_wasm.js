/* @ts-self-types="./kbdb_wasm.d.ts" */
import * as wasm from "./kbdb_wasm_bg.wasm";
import { __wbg_set_wasm } from "./kbdb_wasm_bg.js";

__wbg_set_wasm(wasm);
wasm.__wbindgen_start();
export {
    SealedSegment, SearchIndex, SegmentMerger, checksum, coreVersion, kbid, memoryBytes, preprocess, references, splitMarkdown
} from "./kbdb_wasm_bg.js";
