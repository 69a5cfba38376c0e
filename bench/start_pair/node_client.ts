/**
 * The least that a client under Node can be; see `client.ts`.
 *
 * @module
 */

import { spawn } from "node:child_process";
import { connect } from "node:net";
import { argv, execPath } from "node:process";
import { fileURLToPath } from "node:url";

const [address, ...files] = argv.slice(2);
const daemon = fileURLToPath(new URL("./node_daemon.mjs", import.meta.url));
spawn(execPath, [daemon, address, ...files], { stdio: "ignore", detached: true }).unref();

function ask(): void {
  const connection = connect(address);
  connection.on("connect", () => connection.write("hello\n"));
  connection.on("data", () => connection.end());
  connection.on("error", () => setTimeout(ask, 2));
}

ask();
