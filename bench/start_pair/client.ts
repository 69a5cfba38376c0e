/**
 * The least that a client can be: it starts the least daemon, waits until it listens, and asks once.
 *
 * @module
 */

const [address, ...files] = Deno.args;
new Deno.Command(Deno.execPath(), {
  args: [
    "run",
    "-A",
    "--no-check",
    new URL("./daemon.ts", import.meta.url).href,
    address,
    ...files,
  ],
  stdin: "null",
  stdout: "null",
  stderr: "null",
  detached: true,
}).spawn().unref();

async function connect(): Promise<Deno.UnixConn> {
  while (true) {
    try {
      return await Deno.connect({ transport: "unix", path: address });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}

const connection = await connect();
await connection.write(new TextEncoder().encode("hello\n"));
await connection.read(new Uint8Array(1024));
connection.close();
