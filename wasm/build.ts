/**
 * Builds the WebAssembly core into `wasm/pkg`, or checks that it is the one its sources give.
 *
 * `deno run -A wasm/build.ts` builds. With `--check` the hash of the sources is compared, which needs no
 * Rust; where the very compiler that built the package is at hand, the bytes are compared as well.
 */

const root = new URL(".", import.meta.url);
const pkg = new URL("pkg/", root);

const README = `# Generated

The files in this folder are written by \`deno run -A wasm/build.ts\` from \`wasm/core\` and
\`wasm/bindings\`. Edit those. \`SOURCES.json\` tells which sources and which compiler they come from.
`;

/** What `SOURCES.json` holds. */
interface Origin {
  sources: string;
  rustc: string;
}

/** The files that decide what is built, as paths below `wasm/`. */
async function sourceFiles(): Promise<string[]> {
  const files = ["Cargo.toml", "Cargo.lock"];
  const folders = ["core/", "bindings/"];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const entry of Deno.readDir(new URL(folder, root))) {
      if (entry.isDirectory) folders.push(`${folder}${entry.name}/`);
      else if (/\.(rs|toml)$/.test(entry.name)) files.push(folder + entry.name);
    }
  }
  return files.sort();
}

async function sourceHash(): Promise<string> {
  let text = "";
  for (const file of await sourceFiles()) {
    const content = (await Deno.readTextFile(new URL(file, root))).replaceAll("\r\n", "\n");
    text += `${file} ${content.length}\n${content}`;
  }
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Standard output of a command, or `null` where it cannot be run or fails. */
async function output(command: string, args: string[], env = {}): Promise<string | null> {
  try {
    const result = await new Deno.Command(command, { args, env, stderr: "null" }).output();
    return result.success ? new TextDecoder().decode(result.stdout).trim() : null;
  } catch {
    return null;
  }
}

/** The environment under which the compiler has the WebAssembly target, and its version. */
async function toolchain(): Promise<{ env: Record<string, string>; rustc: string } | null> {
  for (const env of await environments()) {
    const target = ["--print", "target-libdir", "--target", "wasm32-unknown-unknown"];
    const libraries = await output("rustc", target, env);
    const rustc = await output("rustc", ["--version"], env);
    if (libraries && rustc && await exists(libraries)) return { env, rustc };
  }
  return null;
}

/** The compiler as it is called, then every other one that rustup has. */
async function environments(): Promise<Record<string, string>[]> {
  const list = await output("rustup", ["toolchain", "list"]) ?? "";
  const names = Array.from(list.matchAll(/^\S+-\S+|^\S+$/gm), ([name]) => name);
  return [{}, ...names.map((name) => ({ RUSTUP_TOOLCHAIN: name }))];
}

async function exists(path: string | URL): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** Flags that keep names of this machine out of the binary, so that it is the same everywhere. */
function rustFlags(): string {
  const home = Deno.env.get("HOME") ?? "";
  const cargo = Deno.env.get("CARGO_HOME") ?? `${home}/.cargo`;
  const here = decodeURIComponent(root.pathname).replace(/\/$/, "");
  const remap = [[here, "wasm"], [cargo, "cargo"]].map(([from, to]) =>
    `--remap-path-prefix=${from}=${to}`
  );
  return ["-C target-feature=+simd128", ...remap].join(" ");
}

async function build(into: string, env: Record<string, string>): Promise<void> {
  const target = ["--release", "--target", "bundler", "--mode", "no-install", "--no-pack"];
  const command = new Deno.Command("wasm-pack", {
    args: ["build", "bindings", ...target, "--out-dir", into],
    cwd: root,
    env: { ...env, RUSTFLAGS: rustFlags() },
  });
  const { success } = await command.spawn().status;
  if (!success) throw new Error("Cannot build the WebAssembly core: wasm-pack failed");
  await Deno.remove(`${into}/.gitignore`).catch(() => {});
}

async function buildPackage(): Promise<void> {
  const found = await toolchain();
  if (found === null) {
    throw new Error(
      "Cannot build the WebAssembly core: no compiler with the wasm32-unknown-unknown target; " +
        "run `rustup target add wasm32-unknown-unknown`",
    );
  }
  const origin: Origin = { sources: await sourceHash(), rustc: found.rustc };
  const fresh = new URL("target/pkg/", root);
  await Deno.remove(fresh, { recursive: true }).catch(() => {});
  await build(decodeURIComponent(fresh.pathname), found.env);
  await Deno.writeTextFile(new URL("SOURCES.json", fresh), JSON.stringify(origin, null, 2) + "\n");
  await Deno.writeTextFile(new URL("README.md", fresh), README);
  // Only now, so that a build that fails leaves the package as it was.
  await Deno.remove(pkg, { recursive: true }).catch(() => {});
  await Deno.rename(fresh, pkg);
}

async function checkPackage(): Promise<string> {
  const origin: Origin = JSON.parse(await Deno.readTextFile(new URL("SOURCES.json", pkg)));
  if (origin.sources !== await sourceHash()) {
    throw new Error(
      "wasm/pkg is not up to date: its sources have changed; run `deno run -A wasm/build.ts`",
    );
  }
  const found = await toolchain();
  const packer = await output("wasm-pack", ["--version"]);
  if (packer === null || found?.rustc !== origin.rustc) {
    return "wasm/pkg is up to date (sources compared)";
  }
  await compareBytes(found.env);
  return "wasm/pkg is up to date (sources and rebuilt bytes compared)";
}

async function compareBytes(env: Record<string, string>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await build(folder, env);
    for await (const { name } of Deno.readDir(folder)) {
      const [built, committed] = [await Deno.readFile(`${folder}/${name}`), await read(name)];
      if (built.length !== committed?.length || built.some((byte, at) => byte !== committed[at])) {
        throw new Error(
          `wasm/pkg/${name} is not what its sources give: run \`deno run -A wasm/build.ts\``,
        );
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function read(name: string): Promise<Uint8Array | null> {
  return await Deno.readFile(new URL(name, pkg)).catch(() => null);
}

try {
  if (Deno.args.includes("--check")) console.log(await checkPackage());
  else await buildPackage();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  Deno.exit(1);
}
