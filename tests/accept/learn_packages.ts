/**
 * Learns real documentation: the installed packages of `packages.json`, in one command, and proves
 * that every document is kept byte for byte.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sectionId } from "../../bench/section_id.ts";
import { kbdb, kbdbJson } from "../support/command.ts";
import { projectRoot, readProjectFile } from "../support/project.ts";
import {
  joinedSections,
  preprocess,
  storedContent,
  storedDocuments,
} from "../support/stored_documents.ts";
import { expectCleanCheck, scratchDatabase } from "./scratch.ts";

const MIN_FILES = 500;
const FOLDER = join(projectRoot, "build/accept/packages");

/** Installs the packages, unless the last run installed the same; returns their folder. */
export function installPackages(): string {
  const manifest = JSON.stringify(
    { private: true, dependencies: JSON.parse(readProjectFile("tests/accept/packages.json")) },
    null,
    2,
  );
  const stamp = join(FOLDER, "installed.json");
  const installed = join(FOLDER, "node_modules");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === manifest) return installed;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "package.json"), manifest);
  // Peers are not wanted: nothing of this is run, only read.
  const flags = [
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--legacy-peer-deps",
    "--loglevel=error",
  ];
  const { status } = spawnSync("npm", ["install", "--no-package-lock", ...flags], {
    cwd: FOLDER,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`Cannot install the packages: npm ended with ${status}`);
  writeFileSync(stamp, manifest);
  return installed;
}

function countMarkdown(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.md$/i.test(entry.name)).length;
}

/** Compares every document with the file it came from, and every section with its id. */
function compareDocuments(database: string): { documents: number; sections: number } {
  let documents = 0;
  const ids = new Set<string>();
  const different: string[] = [];
  for (const document of storedDocuments(database)) {
    documents++;
    for (const { kbid } of document.sections) ids.add(kbid);
    const source = Buffer.from(preprocess(readFileSync(document.source)));
    if (!source.equals(joinedSections(database, document))) different.push(document.docid);
  }
  const misnamed = [...ids].filter((kbid) =>
    sectionId(Buffer.from(storedContent(database, kbid)).toString()) !== kbid
  );
  console.log(`documents equal to their source: ${documents - different.length} of ${documents}`);
  console.log(`sections with the id of their bytes: ${ids.size - misnamed.length} of ${ids.size}`);
  if (different.length > 0) {
    throw new Error(`Documents differ: ${different.slice(0, 9).join(", ")}`);
  }
  if (misnamed.length > 0) throw new Error(`Sections misnamed: ${misnamed.slice(0, 9).join(", ")}`);
  return { documents, sections: ids.size };
}

/** The part `packages` of the acceptance. */
export async function learnPackages(): Promise<void> {
  const folder = installPackages();
  const files = countMarkdown(folder);
  console.log(`Markdown files installed: ${files}`);
  if (files < MIN_FILES) throw new Error(`At least ${MIN_FILES} files are needed`);
  await using database = await scratchDatabase();
  const start = performance.now();
  const learned = await kbdb(["learn", folder, "--db", database.path], {
    timeoutMs: 600_000,
    showErrors: true,
  });
  const took = (performance.now() - start) / 1000;
  console.log(learned.stdout.trimEnd());
  if (learned.code !== 0) throw new Error(`kbdb learn ended with ${learned.code}`);
  const { documents, sections } = compareDocuments(database.path);
  console.log(`learned in ${took.toFixed(1)} s, ${Math.round(sections / took)} sections/s`);
  if (documents < MIN_FILES) throw new Error(`Only ${documents} documents were learned`);
  await expectCleanCheck(database.path);
  const status = await kbdbJson<Record<string, unknown>>(["status", "--db", database.path]);
  if (status.documents !== documents || status.sections !== sections) {
    throw new Error(`kbdb status tells otherwise: ${JSON.stringify(status)}`);
  }
}
