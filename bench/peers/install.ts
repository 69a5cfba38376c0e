/**
 * Getting the peers: packages into a folder of their own, and the first command that serves them.
 *
 * @module
 */

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { type Command, commandsOf, type Engine } from "./engines.ts";
import { EngineProcess } from "./engine_process.ts";

const execFileAsync = promisify(execFile);
/** A compiler says much. */
const MAX_OUTPUT = 1 << 26;

/** An engine that answered. */
export interface ReadyEngine {
  readonly command: Command;
  readonly version: string;
}

/**
 * Installs what an engine needs into `folder` and starts it once.
 *
 * @throws {Error} with the reason where it cannot be had
 */
export async function prepare(
  engine: Engine,
  { folder, kbdb }: { folder: string; kbdb: "deno" | "node" },
): Promise<ReadyEngine> {
  const packages = join(folder, "packages", engine.id);
  mkdirSync(packages, { recursive: true });
  if (engine.packages.length > 0) await install(engine, packages);
  const reasons: string[] = [];
  for (const command of commandsOf(engine, { packages, kbdb })) {
    try {
      return { command, version: await versionOf(command, folder) };
    } catch (error) {
      reasons.push((error as Error).message);
    }
  }
  throw new Error(`Cannot start ${engine.name}: ${reasons.join("; ")}`);
}

async function install({ packages, compiled }: Engine, folder: string): Promise<void> {
  const done = join(folder, `done-${packages.join("-").replaceAll(/[^\w.-]/g, "-")}`);
  if (existsSync(done)) return;
  // Scripts are left out: they would fetch binaries from elsewhere.
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder];
  await npm(["install", ...quiet, ...packages]);
  if (compiled !== undefined) await compile(compiled, folder);
  mkdirSync(done);
}

/** Compiles a package here; where that fails, the engine may find another way. */
async function compile(name: string, folder: string): Promise<void> {
  console.error(`  compiling ${name}, which takes a minute or two`);
  const headers = await nodeHeaders();
  try {
    await npm(["rebuild", name, "--foreground-scripts", "--prefix", folder], {
      npm_config_build_from_source: "true",
      ...(headers === undefined ? {} : { npm_config_nodedir: headers }),
    });
  } catch (error) {
    console.error(`  it cannot be compiled: ${(error as Error).message}`);
  }
}

/** The folder of Node's headers, if they came with it. */
async function nodeHeaders(): Promise<string | undefined> {
  const path = await run(["node", "-p", "process.execPath"]);
  const folder = dirname(dirname(realpathSync(path.trim())));
  return existsSync(join(folder, "include/node/node.h")) ? folder : undefined;
}

async function npm(args: readonly string[], env: Record<string, string> = {}): Promise<void> {
  await run(["npm", ...args], env);
}

async function run(
  [program, ...args]: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  try {
    // On Windows npm is a script, which only a shell runs.
    const shell = process.platform === "win32";
    const options = { env: { ...process.env, ...env }, maxBuffer: MAX_OUTPUT, shell };
    return (await execFileAsync(program, args, options)).stdout;
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    const said = (stderr.trim() || message).split("\n").slice(-5).join(" ");
    throw new Error(`Cannot run ${program} ${args[0]}: ${said}`, { cause: error });
  }
}

async function versionOf(command: Command, folder: string): Promise<string> {
  const data = mkdtempSync(join(folder, "probe-"));
  try {
    await using process = new EngineProcess(command(data), "ignore");
    return (await process.request("describe", true)).version;
  } finally {
    rmSync(data, { recursive: true, force: true, maxRetries: 3 });
  }
}
