/**
 * The import rule of `docs/architecture.md`: which room may import which, where the modules of the
 * host may appear (D55), and that no runtime is named outside `src/platform`.
 *
 * @module
 */

import { posix } from "node:path";
import { type HostName, hostNames, type Import, parse, readImports } from "./source_reader.ts";

/** What a room may import besides its own files. */
interface Room {
  /** Rooms whose every file it may import. */
  readonly rooms: readonly string[];
  /** Single files of other rooms that are vocabulary: types, limits, error classes. */
  readonly files?: readonly string[];
  /** Rooms from which types may be imported, and nothing else. */
  readonly types?: readonly string[];
  /** Whether npm packages may be imported. */
  readonly packages: boolean;
}

const PLATFORM_WORDS = "src/platform/types.ts";
const RPC_WORDS = ["src/rpc/protocol.ts", "src/rpc/errors.ts"];

/** The table of rooms. A room that is not listed here may not exist. */
const ROOMS: Readonly<Record<string, Room>> = {
  cli: {
    rooms: ["client", "platform"],
    files: [...RPC_WORDS, "src/rpc/nearest.ts", "src/rpc/results.ts", "src/rpc/version.ts"],
    types: ["rpc"],
    packages: true,
  },
  mcp: { rooms: ["client", "rpc", "platform"], packages: true },
  client: { rooms: ["rpc", "platform"], packages: true },
  rpc: { rooms: [], files: [PLATFORM_WORDS], types: ["platform"], packages: true },
  daemon: { rooms: ["rpc", "knowledge", "platform"], packages: true },
  knowledge: {
    rooms: ["store", "core", "embedding"],
    files: [PLATFORM_WORDS, ...RPC_WORDS, "src/rpc/changes.ts", "src/rpc/skill_text.ts"],
    types: ["rpc"],
    packages: true,
  },
  embedding: { rooms: ["platform"], packages: true },
  store: { rooms: ["platform"], packages: true },
  core: { rooms: [], packages: false },
  platform: { rooms: [], packages: false },
};

const DOORS = ["mod.ts", "cli.ts", "worker.ts", "indexer.ts"];
/** The floor that a start is compared with: loads the core and does nothing. */
const BENCH_FLOOR = "bench/start_pair/";
const NODE_ANYWHERE = ["path", "buffer", "crypto", "zlib"];
const DEVELOPMENT_PACKAGES = ["esbuild", "typescript"];

/** Tests, and `testing.ts`, in which a room keeps what its tests share. */
const TEST_FILE = /(?:_test|\/testing)\.ts$/;

/** Where a file stands in the rule. */
type Place =
  | { kind: "room"; room: string }
  | { kind: "door" | "test" | "bench" | "free" };

/** Finds the place of a file from its path below the root of the project. */
function placeOf(path: string): Place {
  if (DOORS.includes(path)) return { kind: "door" };
  if (path.startsWith(BENCH_FLOOR)) return { kind: "free" };
  if (path.startsWith("bench/")) return { kind: "bench" };
  if (!path.startsWith("src/")) return { kind: "free" };
  return TEST_FILE.test(path) ? { kind: "test" } : { kind: "room", room: path.split("/")[1] };
}

/**
 * All breaches of the rule in one file, as sentences that name the line. `path` is relative to the
 * root of the project, with `/`.
 *
 * @example A store that reaches for a runtime
 * ```ts
 * import assert from "node:assert/strict";
 * import { breaches } from "./import_rule.ts";
 *
 * const found = breaches("src/store/journal.ts", 'import { readFile } from "node:fs";');
 * assert.equal(found.length, 1);
 * ```
 */
export function breaches(path: string, text: string): string[] {
  const place = placeOf(path);
  if (place.kind === "free") return [];
  const source = parse(path, text);
  return [
    ...readImports(source).flatMap((one) => at(path, one, importBreach(path, place, one))),
    ...hostNames(source).flatMap((one) => at(path, one, hostBreach(path, place, one))),
  ];
}

function at(path: string, { line }: { line: number }, reason: string | undefined): string[] {
  return reason === undefined ? [] : [`${path}:${line} ${reason}`];
}

function hostBreach(path: string, place: Place, { name }: HostName): string | undefined {
  if (path.startsWith("src/platform/") || place.kind === "bench") return undefined;
  // A test may use `node:process`, which both runtimes have; `Deno` only one has.
  if (place.kind === "test" && name !== "Deno") return undefined;
  return `names the host object ${name}: only src/platform may`;
}

function importBreach(path: string, place: Place, imported: Import): string | undefined {
  const { specifier } = imported;
  if (specifier === undefined) return "imports a computed name: the rule cannot be checked";
  if (specifier.startsWith("node:")) return nodeBreach(place, specifier.slice("node:".length));
  if (!specifier.startsWith(".")) return packageBreach(place, specifier);
  const target = posix.join(posix.dirname(path), specifier);
  return fileBreach(place, target, imported.typeOnly);
}

function nodeBreach(place: Place, name: string): string | undefined {
  if (place.kind === "test" || place.kind === "bench") return undefined;
  const room = place.kind === "room" ? place.room : "door";
  if (room === "platform") return undefined;
  if (NODE_ANYWHERE.includes(name) && room !== "core") return undefined;
  return `imports node:${name}: ${room === "core" ? "src/core may not" : "only src/platform may"}`;
}

function packageBreach(place: Place, name: string): string | undefined {
  if (/^[a-z]+:/.test(name)) return `imports ${name}: packages are imported by their bare names`;
  if (place.kind === "test" || place.kind === "bench") return undefined;
  if (DEVELOPMENT_PACKAGES.includes(name)) return `imports ${name}: it is for development only`;
  const allowed = place.kind === "room" && ROOMS[place.room]?.packages;
  return allowed ? undefined : `imports the package ${name}: this place takes none`;
}

function fileBreach(place: Place, target: string, typeOnly: boolean): string | undefined {
  switch (place.kind) {
    case "door":
      // The library, run as a program, is the command.
      return target.startsWith("src/") || target === "cli.ts"
        ? undefined
        : `imports ${target}: a door opens src only`;
    case "bench":
      return target.startsWith("src/") ? `imports ${target}: measure through a door` : undefined;
    case "test":
      return DOORS.includes(target) && target !== "mod.ts"
        ? `imports ${target}: start the command instead`
        : undefined;
    case "room":
      return roomBreach(place.room, target, typeOnly);
    case "free":
      return undefined;
  }
}

function roomBreach(name: string, target: string, typeOnly: boolean): string | undefined {
  const room = ROOMS[name];
  if (room === undefined) return `stands in src/${name}: no such room in the table`;
  if (TEST_FILE.test(target)) return `imports ${target}: it is for tests only`;
  if (name === "core" && target.startsWith("wasm/pkg/")) return undefined;
  if (target === "deno.json" && name === "rpc") return undefined;
  const [top, other] = target.split("/");
  if (top !== "src") return `imports ${target}: outside src`;
  if (other === name || room.rooms.includes(other)) return undefined;
  if (room.files?.includes(target)) return undefined;
  if (typeOnly && room.types?.includes(other)) return undefined;
  return `imports ${target}: src/${name} may not import from src/${other}`;
}
