/**
 * Generates the synthetic corpus that kbdb is measured on: sections of made-up prose whose word
 * frequencies follow Zipf's law, with tags and cross-references. The same options give the same
 * bytes on every machine, and a larger count only adds sections at the end.
 *
 * ```sh
 * deno run -A bench/generate-corpus.ts --count 10000 --seed 42 --out bench/corpus
 * ```
 *
 * @module
 */

import { Buffer } from "node:buffer";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { bodyLength, capitalize, Writer } from "./prose.ts";
import { sectionId } from "./section_id.ts";

export { sectionId };

/** A generated section. A line of the batch file has the docid of its document, too. */
export interface Section {
  /** The prose; in the form `files` its heading line comes first. */
  content: string;
  /** Always `text/markdown`. */
  type: string;
  /** 3 to 8 words. */
  title: string;
  /** One to three of the 20 topic tags. */
  tags: string[];
}

/** `ndjson` is one batch file, `files` a folder of Markdown files with ten sections each. */
export type CorpusFormat = "ndjson" | "files";

/** What to generate. */
export interface GenerateOptions {
  /**
   * Sections to generate.
   * @default {1000}
   */
  count?: number;
  /**
   * Mean number of words of a body; bodies have 0.4 to 2 times as many.
   * @default {250}
   */
  avgBodyLength?: number;
  /**
   * Fraction of sections that refer to an earlier one.
   * @default {0.05}
   */
  refDensity?: number;
  /**
   * Seed of the random numbers.
   * @default {42}
   */
  seed?: number;
  /**
   * Decides what a section's content is, and with it the ids in references.
   * @default {"ndjson"}
   */
  format?: CorpusFormat;
}

/** Sections in one document: a Markdown file, or lines of the batch file with one docid. */
export const SECTIONS_PER_FILE = 10;

/**
 * Generates sections, one at a time.
 *
 * @example First section of a corpus
 * ```ts
 * import assert from "node:assert/strict";
 * import { generate } from "./generate-corpus.ts";
 *
 * const [section] = generate({ count: 1, seed: 7 });
 * assert.equal(section.type, "text/markdown");
 * ```
 */
export function* generate(options: GenerateOptions = {}): Iterable<Section> {
  const { count = 1000, avgBodyLength = 250, refDensity = 0.05, seed = 42 } = options;
  const writer = new Writer(seed);
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const title = capitalize(writer.words(writer.random.between(3, 8)).join(" "));
    const tags = writer.tags();
    const wanted = writer.random.chance(refDensity);
    const target = wanted && ids.length > 0 ? ids[writer.random.below(ids.length)] : undefined;
    const body = writer.body(bodyLength(avgBodyLength, writer.random), target);
    const content = options.format === "files" ? `## ${title}\n\n${body}` : body;
    ids.push(sectionId(content));
    yield { content, type: "text/markdown", title, tags };
  }
}

/**
 * Writes a corpus into the folder `out`, which is made if missing: `corpus.ndjson`, or files
 * `doc-000000.md`, `doc-000001.md` ... A corpus that is there is removed first. Returns the number
 * of bytes written.
 */
export function writeCorpus(out: string, options: GenerateOptions = {}): number {
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(out)) {
    if (/^doc-\d{6,}\.md$|^corpus\.ndjson$/.test(name)) rmSync(join(out, name));
  }
  return options.format === "files" ? writeFiles(out, options) : writeBatch(out, options);
}

function writeBatch(out: string, options: GenerateOptions): number {
  const file = openSync(join(out, "corpus.ndjson"), "w");
  let written = 0;
  let pending = "";
  let index = 0;
  const flush = () => {
    written += writeAll(file, Buffer.from(pending));
    pending = "";
  };
  for (const section of generate(options)) {
    const docid = documentName(index++);
    pending += JSON.stringify({ ...section, docid }) + "\n";
    if (pending.length > 1 << 20) flush();
  }
  flush();
  closeSync(file);
  return written;
}

/** The file, and in a batch the docid, that the section with this number is in. */
function documentName(index: number): string {
  return `doc-${String(Math.floor(index / SECTIONS_PER_FILE)).padStart(6, "0")}.md`;
}

function writeAll(file: number, bytes: Uint8Array): number {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
  return bytes.length;
}

function writeFiles(out: string, options: GenerateOptions): number {
  let written = 0;
  let index = 0;
  let sections: string[] = [];
  const flush = () => {
    const bytes = Buffer.from(sections.join("\n\n") + "\n");
    writeFileSync(join(out, documentName(index)), bytes);
    index += sections.length;
    written += bytes.length;
    sections = [];
  };
  for (const section of generate(options)) {
    sections.push(section.content);
    if (sections.length === SECTIONS_PER_FILE) flush();
  }
  if (sections.length > 0) flush();
  return written;
}

// --- Command line ---------------------------------------------------------------------------

const HELP = `Generates the synthetic corpus that kbdb is measured on.

Usage: deno run -A bench/generate-corpus.ts [FLAGS]

Flags:
  --count N            sections to generate; default: 1000
  --avg-body-length N  average words of a body, which has 0.4 to 2 times as many; default: 250
  --ref-density X      fraction of sections that refer to an earlier one, 0 to 1; default: 0.05
  --seed N             seed of the random numbers; default: 42
  --out FOLDER         where the corpus is written; default: ./bench/corpus/
  --format FORMAT      ndjson: one file for kbdb learn --batch (default);
                       files: a folder of Markdown files with ten sections each
  --help               show this help

The same flags give the same bytes on every machine; a larger count only adds sections at the end.

Examples:
  deno run -A bench/generate-corpus.ts                          1,000 sections in bench/corpus
  deno run -A bench/generate-corpus.ts --count 10000 --seed 7   more of them, and others
  kbdb learn --batch bench/corpus/corpus.ndjson                 learn what was generated`;

const FLAGS = {
  "count": { type: "string", default: "1000" },
  "avg-body-length": { type: "string", default: "250" },
  "ref-density": { type: "string", default: "0.05" },
  "seed": { type: "string", default: "42" },
  "out": { type: "string", default: "./bench/corpus/" },
  "format": { type: "string", default: "ndjson" },
  "help": { type: "boolean", short: "h", default: false },
} as const;

/** The smallest and the largest value of a flag, and whether it has to be whole. */
interface Range {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

function numberOption(name: string, text: string, { min, max, whole }: Range): number {
  const value = Number(text);
  const fits = text.trim() !== "" && value >= min && value <= max;
  if (fits && (!whole || Number.isInteger(value))) return value;
  const kind = whole ? "a whole number" : "a number";
  throw new RangeError(
    `Cannot generate a corpus: --${name} is "${text}", it must be ${kind} from ${min} to ${max}`,
  );
}

/**
 * What the command line asks for; `undefined` where it asks for help.
 *
 * @throws {RangeError} if a value does not fit
 * @throws {TypeError} if a flag is not known
 */
export function parseCorpusOptions(
  args: readonly string[],
): { out: string; options: Required<GenerateOptions> } | undefined {
  const { values } = parseArgs({ args: [...args], options: FLAGS });
  if (values.help) return undefined;
  const { format, out } = values;
  if (format !== "ndjson" && format !== "files") {
    throw new RangeError(`Cannot generate a corpus: --format is "${format}", not ndjson or files`);
  }
  const number = (name: "count" | "avg-body-length" | "ref-density" | "seed", range: Range) =>
    numberOption(name, values[name], range);
  const options = {
    count: number("count", { min: 0, max: 1e9, whole: true }),
    avgBodyLength: number("avg-body-length", { min: 1, max: 1e6, whole: false }),
    refDensity: number("ref-density", { min: 0, max: 1, whole: false }),
    seed: number("seed", { min: 0, max: Number.MAX_SAFE_INTEGER, whole: true }),
    format,
  } as const;
  return { out, options };
}

function main(): number {
  try {
    const asked = parseCorpusOptions(process.argv.slice(2));
    if (!asked) {
      console.log(HELP);
      return 0;
    }
    const bytes = writeCorpus(asked.out, asked.options);
    console.error(
      `${asked.options.count} sections, ${(bytes / 1e6).toFixed(1)} MB in ${asked.out}`,
    );
    return 0;
  } catch (error) {
    console.error(`${(error as Error).message}; see --help`);
    return error instanceof RangeError || error instanceof TypeError ? 2 : 1;
  }
}

if (import.meta.main) process.exitCode = main();
