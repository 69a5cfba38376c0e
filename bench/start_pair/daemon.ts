/**
 * The least that a daemon can be: it reads the files that it is given, loads the search core, and
 * answers every line with a line. What kbdb's own daemon needs beyond this is its own doing.
 *
 * @module
 */

import { wasmMemoryBytes } from "../../src/core/text.ts";

const [address, ...files] = Deno.args;
let bytes = 0;
for (const file of files) bytes += Deno.readFileSync(file).length;
const listener = Deno.listen({ transport: "unix", path: address });
const answer = new TextEncoder().encode(`${bytes} ${wasmMemoryBytes()}\n`);
for await (const connection of listener) {
  await connection.read(new Uint8Array(1024));
  await connection.write(answer);
  connection.close();
  Deno.exit();
}
