import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { run, runtime } from "./support/command.ts";
import { projectRoot } from "./support/project.ts";
import { tempDir } from "./support/temp_dir.ts";

test("the core loads under Deno without any permission", async (context) => {
  if (runtime !== "deno") return context.skip("Node has no permissions to refuse");
  using folder = tempDir();
  const core = pathToFileURL(join(projectRoot, "src/core/text.ts")).href;
  const script = folder.join("script.ts");
  writeFileSync(
    script,
    `import { kbid } from "${core}";\nconsole.log(kbid(new TextEncoder().encode("hello")));\n`,
  );
  const { code, stdout } = await run([
    process.execPath,
    "run",
    "--no-prompt",
    "--no-check",
    script,
  ]);
  assert.deepEqual([code, stdout], [0, "1cy96vmqxgmc72dt1v5b2vkrmy\n"]);
});
