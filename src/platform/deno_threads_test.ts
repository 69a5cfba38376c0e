import assert from "node:assert/strict";
import { test } from "node:test";
import { tempDir } from "../../tests/support/temp_dir.ts";

const HOST = new URL("./host.ts", import.meta.url).href;

/**
 * What a script of the sources prints, run with these flags. Not through `node:child_process`, which
 * hands the rights of this program on.
 */
function runScript(script: string, flags: readonly string[]): string {
  using folder = tempDir();
  const path = folder.join("script.ts");
  Deno.writeTextFileSync(path, `import { platform } from "${HOST}";\n${script}`);
  const args = ["run", "--no-check", "--no-prompt", ...flags, path];
  const { stdout, stderr, success } = new Deno.Command(Deno.execPath(), { args }).outputSync();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

test("a thread takes its line with parent()", () => {
  const stdout = runScript(
    `const port = platform.threads.parent();
     if (port === null) {
       const thread = platform.threads.start(import.meta.url);
       thread.post("ping");
       console.log(await thread.receive());
       thread.end();
     } else port.post([await port.receive(), "pong"]);`,
    ["-A"],
  );
  assert.equal(stdout, `[ "ping", "pong" ]\n`);
});

test("start() refuses a module that may not be loaded, and asks nobody", () => {
  const stdout = runScript(
    `for (const entry of ["file:///tmp/x.ts", "https://example.org/x.ts"]) {
       try {
         platform.threads.start(entry);
       } catch ({ code, message }) {
         console.log(code, message);
       }
     }`,
    [],
  );
  const refusals = ["--allow-read", "--allow-import"].map((flag) =>
    "unsupported Cannot use a thread: " +
    `Deno was started without the right to; run it with ${flag}\n`
  );
  assert.equal(stdout, refusals.join(""));
});
