/** The door to the WebAssembly core: the only file that imports the generated package. */

import * as wasm from "../../wasm/pkg/kbdb_wasm.js";

/** Version of the calls and of the segment bytes that this layer is written for. */
export const CORE_VERSION = 2;

const found = wasm.coreVersion();
if (found !== CORE_VERSION) {
  throw new Error(
    `Cannot use the search core: it has version ${found}, version ${CORE_VERSION} is expected; ` +
      "build it with `deno run -A wasm/build.ts`",
  );
}

export { wasm };
