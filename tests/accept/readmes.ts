/**
 * Learns the documentation of two hundred installed packages together and holds the references
 * between them against a list that was made by reading the files.
 *
 * @module
 */

import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openDatabase, type RecalledSection } from "../../mod.ts";
import { kbdbJson } from "../support/command.ts";
import { readProjectFile } from "../support/project.ts";
import { tempDir } from "../support/temp_dir.ts";
import { installPackages } from "./learn_packages.ts";
import { expectCleanCheck, scratchDatabase } from "./scratch.ts";

const PACKAGES = 200;

/** A section, by the document that holds it and its heading. */
interface Place {
  readonly document: string;
  readonly heading: string;
}

/** A section and all sections that refer to it, as a person found them. */
interface Expected extends Place {
  readonly from: readonly Place[];
}

/** Names of the first packages that have a README, `@scope/name` included. */
function packagesWithReadme(installed: string): string[] {
  const names = readdirSync(installed, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .flatMap(({ name }) =>
      name.startsWith("@")
        ? readdirSync(join(installed, name)).map((inner) => `${name}/${inner}`)
        : [name]
    );
  const hasReadme = (name: string) =>
    readdirSync(join(installed, name)).some((file) => file.toLowerCase() === "readme.md");
  return names.filter(hasReadme).sort().slice(0, PACKAGES);
}

/** Copies a package's Markdown files, without those of packages inside it. */
function copyMarkdown(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== "node_modules") {
      copyMarkdown(join(from, entry.name), join(to, entry.name));
    } else if (entry.isFile() && entry.name.toLowerCase().endsWith(".md")) {
      mkdirSync(to, { recursive: true });
      cpSync(join(from, entry.name), join(to, entry.name));
    }
  }
}

/** What refers to each expected section, as kbdb tells it. */
async function compareReferences(database: string, expected: readonly Expected[]): Promise<void> {
  await using db = await openDatabase(database);
  const wrong: string[] = [];
  for (const { document, heading, from } of expected) {
    const docid = `packages/${document}`;
    const { sections } = await db.document(docid);
    const section = sections.find((one) => one.heading === heading);
    if (section === undefined) throw new Error(`${document} has no section ${heading}`);
    const { items } = await db.recall([section.kbid], { depth: 1 });
    const { back_references = [] } = items[0] as RecalledSection;
    const places = await Promise.all(back_references.map(async ({ kbid }) => {
      const [{ docids, heading }] = (await db.recall([kbid!])).items as RecalledSection[];
      return `${docids[0].slice("packages/".length)} > ${heading}`;
    }));
    const found = [...new Set(places)].sort().join("; ");
    const wanted = from.map((place) => `${place.document} > ${place.heading}`).sort().join("; ");
    if (found !== wanted) wrong.push(`${document} > ${heading}: ${found || "none"}, not ${wanted}`);
  }
  console.log(
    `back-references as read by hand: ${expected.length - wrong.length} of ${expected.length}`,
  );
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
}

/** The part `readmes` of the acceptance. */
export async function learnReadmes(): Promise<void> {
  const installed = installPackages();
  const names = packagesWithReadme(installed);
  if (names.length < PACKAGES) throw new Error(`Only ${names.length} packages have a README`);
  using folder = tempDir("kbdb-readmes-");
  const root = folder.join("packages");
  for (const name of names) copyMarkdown(join(installed, name), join(root, name));
  await using database = await scratchDatabase();
  const learned = await kbdbJson<{ files: number; sections: number }>(
    ["learn", root, "--db", database.path],
    { timeoutMs: 300_000 },
  );
  console.log(`${names.length} packages, ${learned.files} files, ${learned.sections} sections`);
  await expectCleanCheck(database.path);
  const check = await kbdbJson<{ unresolved_links: number; references_checked: number }>(
    ["check", "--db", database.path],
    { timeoutMs: 120_000 },
  );
  console.log(`unresolved links: ${check.unresolved_links}`);
  if (check.unresolved_links === 0) throw new Error("No unresolved link was counted");
  const list = readProjectFile(join("tests/accept", "back_references.json"));
  await compareReferences(database.path, JSON.parse(list));
}
