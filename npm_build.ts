/**
 * Builds the npm package into `npm/`: the doors bundled for Node with everything they need,
 * so that the package has no runtime dependencies. `package.json` is derived from `deno.json`.
 *
 * ```sh
 * deno task npm
 * ```
 *
 * @module
 */

import * as esbuild from "esbuild";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import ts from "typescript";

/** The oldest Node that the package runs on. */
export const NODE_VERSION = "20.15";

const DOORS = ["mod", "cli", "worker", "indexer"];
/** The links of `README.md` lead to the rest. */
const DOCUMENTS = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "docs"];
const CORE = "kbdb_wasm_bg.wasm";

/** The part of `deno.json` that the package is made of. */
interface DenoConfig {
  name: string;
  version: string;
  license: string;
  description: string;
  exports: Record<string, string>;
}

// --- Bundling -------------------------------------------------------------------------------

/** The expression by which a source file names the entry file of the daemon or of its thread. */
const ENTRY_URL = /new URL\(\s*"(?:\.{1,2}\/)+(worker|indexer)\.ts",\s*import\.meta\.url,?\s*\)/g;

/** A module that Deno is not to load before it is needed; the bundler has to see its name. */
const HIDDEN_IMPORT = /import\(\s*new URL\(("[^"]+"),\s*import\.meta\.url,?\s*\)\.href,?\s*\)/g;

/** What the SDK of the protocol would check forms with that a user filled in, which kbdb never asks for. */
const NO_VALIDATOR = "export class AjvJsonSchemaValidator {}";

/** How a bundle differs from the sources. */
export interface SourceChanges {
  /** Folder of the bundle; the core's binary is put there. */
  outDir: string;
  /** URL of the folder of the bundled entry files, relative to the bundle. */
  entries: string;
  /** Files, by absolute path, that are the main module where they are bundled. */
  mainModules?: readonly string[];
}

/**
 * Adapts the sources to Node: loads the core's binary from a file beside the bundle, and names the
 * bundled entry files of the daemon and of its thread.
 */
export function adaptSources(changes: SourceChanges): esbuild.Plugin {
  return {
    name: "kbdb-sources",
    setup(build) {
      build.onLoad({ filter: /\.wasm$/ }, ({ path }) => {
        mkdirSync(changes.outDir, { recursive: true });
        copyFileSync(path, join(changes.outDir, CORE));
        return { contents: coreLoader(path), loader: "js", resolveDir: dirname(path) };
      });
      build.onLoad({ filter: /validation[\\/]ajv-provider\.js$/ }, () => {
        return { contents: NO_VALIDATOR, loader: "js" };
      });
      build.onLoad({ filter: /[\\/]deno\.json$/ }, ({ path }) => {
        return { contents: publicConfig(path), loader: "json" };
      });
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (path.includes("node_modules")) return undefined;
        return { contents: adaptText(path, changes), loader: "ts" };
      });
    },
  };
}

function adaptText(path: string, { entries, mainModules }: SourceChanges): string {
  const isMain = String(mainModules?.includes(path) ?? false);
  return readFileSync(path, "utf8")
    .replace(HIDDEN_IMPORT, "import($1)")
    .replace(ENTRY_URL, `new URL("${entries}$1.js", import.meta.url)`)
    .replaceAll("import.meta.main", isMain);
}

/** What programs may read from `deno.json`; tasks and the like stay out of the bundle. */
function publicConfig(path: string): string {
  const { name, version, description, license }: DenoConfig = JSON.parse(
    readFileSync(path, "utf8"),
  );
  return JSON.stringify({ name, version, description, license });
}

/** A module that stands for the WebAssembly file: it exports what the file exports. */
function coreLoader(path: string): string {
  const module = new WebAssembly.Module(readFileSync(path));
  const from = [...new Set(WebAssembly.Module.imports(module).map((one) => one.module))];
  const names = WebAssembly.Module.exports(module).map((one) => one.name);
  return [
    `import { readFileSync } from "node:fs";`,
    ...from.map((name, index) => `import * as import${index} from ${JSON.stringify(name)};`),
    `const bytes = readFileSync(new URL("./${CORE}", import.meta.url));`,
    `const imports = { ${from.map((n, index) => `${JSON.stringify(n)}: import${index}`)} };`,
    `const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);`,
    `export const { ${names.join(", ")} } = instance.exports;`,
  ].join("\n");
}

/** Bundles the doors of the project in `root` into `outDir`. */
async function bundleDoors(root: string, outDir: string): Promise<esbuild.Metafile> {
  const main = ["cli.ts", "worker.ts"].map((name) => join(root, name));
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: DOORS.map((name) => `${name}.ts`),
    outdir: outDir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: `node${NODE_VERSION}`,
    chunkNames: "chunk-[hash]",
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    plugins: [adaptSources({ outDir, entries: "./", mainModules: main })],
  });
  const command = join(outDir, "cli.js");
  writeFileSync(command, "#!/usr/bin/env node\n" + readFileSync(command, "utf8"), { mode: 0o755 });
  return metafile;
}

// --- Checks ---------------------------------------------------------------------------------

function fail(reason: string): never {
  throw new Error(`Cannot build the npm package: ${reason}`);
}

/** What each door starts: its entry file must have been renamed wherever the door's code is. */
const STARTED = {
  "mod.js": ["worker", "indexer"],
  "cli.js": ["worker", "indexer"],
  "worker.js": ["indexer"],
};

function checkEntryUrls(outDir: string, { outputs }: esbuild.Metafile): void {
  for (const [door, entries] of Object.entries(STARTED)) {
    const texts = [...reachable(outputs, door, true)]
      .map((name) => readFileSync(join(outDir, name), "utf8"));
    for (const entry of entries) {
      const form = `new URL("./${entry}.ts", import.meta.url)`;
      if (texts.some((text) => text.includes(`${entry}.ts"`))) {
        fail(`${door} names ${entry}.ts otherwise than as ${form}`);
      }
      if (!texts.some((text) => text.includes(form.replace(".ts", ".js")))) {
        fail(`${door} never names ${entry}.ts as ${form}`);
      }
    }
  }
}

/** The front ends must start without the core, and the daemon must have it. */
function checkCoreIsLazy({ outputs }: esbuild.Metafile): void {
  const holdsCore = (names: Set<string>) =>
    [...names].some((name) =>
      Object.keys(outputFor(outputs, name).inputs).some((input) => input.endsWith(".wasm"))
    );
  for (const door of ["mod.js", "cli.js"]) {
    if (holdsCore(reachable(outputs, door, false))) fail(`${door} loads the core at its start`);
  }
  for (const door of ["worker.js", "indexer.js"]) {
    if (!holdsCore(reachable(outputs, door, true))) fail(`${door} never loads the core`);
  }
}

type Outputs = esbuild.Metafile["outputs"];

function outputFor(outputs: Outputs, name: string): Outputs[string] {
  const found = Object.entries(outputs).find(([path]) => posix.basename(path) === name);
  return found?.[1] ?? fail(`${name} was not made`);
}

/** Names of the output files that `start` loads, at its start or also later. */
function reachable(outputs: Outputs, start: string, later: boolean): Set<string> {
  const names = new Set([start]);
  for (const name of names) {
    for (const { path, kind, external } of outputFor(outputs, name).imports) {
      if (external || (kind === "dynamic-import" && !later)) continue;
      names.add(posix.basename(path));
    }
  }
  return names;
}

// --- Declarations ---------------------------------------------------------------------------

/** Types are made, not checked: that is the business of `deno check`. */
const DECLARATION_OPTIONS: ts.CompilerOptions = {
  allowImportingTsExtensions: true,
  declaration: true,
  emitDeclarationOnly: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  noCheck: true,
  resolveJsonModule: true,
  strict: true,
  stripInternal: true,
  target: ts.ScriptTarget.ESNext,
  types: [],
};

/** Writes the declarations of `mod.ts` and of all files that these name, into `outDir`. */
function writeDeclarations(root: string, outDir: string): void {
  const program = ts.createProgram([join(root, "mod.ts")], DECLARATION_OPTIONS);
  const files = new Set(["mod.ts"]);
  for (const file of files) {
    const text = declarationOf(program, join(root, file));
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (!fileName.startsWith(".")) fail(`the types of ${file} need the package ${fileName}`);
      files.add(posix.join(posix.dirname(file), fileName));
    }
    const target = join(outDir, file.replace(/\.ts$/, ".d.ts"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text.replace(/((?:from|import\()\s*"\.[^"]*)\.ts"/g, '$1.js"'));
  }
}

function declarationOf(program: ts.Program, path: string): string {
  let text: string | undefined;
  program.emit(program.getSourceFile(path), (_, content) => text = content, undefined, true);
  return text ?? fail(`${path} has no declarations`);
}

// --- Package files --------------------------------------------------------------------------

/** What `package.json` says, from what `deno.json` says. */
function derivePackage(config: DenoConfig): Record<string, unknown> {
  const exports = Object.entries(config.exports).map(([name, source]) => {
    const file = source.replace(/\.ts$/, ".js");
    return [name, name === "." ? { types: "./types/mod.d.ts", default: file } : file];
  });
  return {
    name: config.name,
    version: config.version,
    description: config.description,
    license: config.license,
    type: "module",
    bin: { kbdb: "cli.js" },
    exports: { ...Object.fromEntries(exports), "./package.json": "./package.json" },
    files: ["*.js", "*.wasm", "types", "docs", "*.md", "THIRD-PARTY-LICENSES.txt"],
    engines: { node: `>=${NODE_VERSION}` },
    publishConfig: { access: "public" },
  };
}

/** Folders of the npm packages that ended up in the bundle. */
function bundledPackages(root: string, { inputs }: esbuild.Metafile): string[] {
  const folders = Object.keys(inputs)
    .map((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0])
    .filter((folder) => folder !== undefined);
  return [...new Set(folders)].sort().map((folder) => resolve(root, folder));
}

/** Name, version and full licence text of a package. */
function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) fail(`${name} ${version} comes without a licence text`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}

function writeLicences(root: string, outDir: string, metafile: esbuild.Metafile): void {
  const parts = bundledPackages(root, metafile).map(licenceOf);
  // Of the crates inside the core; kept beside them, since only cargo knows which they are.
  parts.push(readFileSync(join(root, "wasm/THIRD-PARTY-LICENSES.txt"), "utf8"));
  const text = parts.join(`\n${"-".repeat(80)}\n\n`);
  writeFileSync(join(outDir, "THIRD-PARTY-LICENSES.txt"), text);
}

/** Builds the package of the project in `root` into its folder `npm`, and returns that folder. */
export async function buildPackage(root: string): Promise<string> {
  const outDir = join(root, "npm");
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir);
  const metafile = await bundleDoors(root, outDir);
  checkEntryUrls(outDir, metafile);
  checkCoreIsLazy(metafile);
  writeDeclarations(root, join(outDir, "types"));
  const config: DenoConfig = JSON.parse(readFileSync(join(root, "deno.json"), "utf8"));
  const manifest = JSON.stringify(derivePackage(config), null, 2) + "\n";
  writeFileSync(join(outDir, "package.json"), manifest);
  writeLicences(root, outDir, metafile);
  for (const name of DOCUMENTS) {
    cpSync(join(root, name), join(outDir, name), { recursive: true });
  }
  return outDir;
}

if (import.meta.main) {
  const outDir = await buildPackage(import.meta.dirname!);
  await esbuild.stop();
  console.error(`Built ${outDir}`);
}
