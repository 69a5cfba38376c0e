/**
 * The least that a daemon under Node can be; see `daemon.ts`.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { argv } from "node:process";
import { wasmMemoryBytes } from "../../src/core/text.ts";

const [address, ...files] = argv.slice(2);
let bytes = 0;
for (const file of files) bytes += readFileSync(file).length;
const answer = `${bytes} ${wasmMemoryBytes()}\n`;
const server = createServer((connection) => {
  connection.on("data", () => connection.end(answer));
  server.close();
});
server.listen(address);
