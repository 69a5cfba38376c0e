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
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bodyLength, capitalize, Writer } from "./prose.ts";
import { sectionId } from "./section_id.ts";

/** A generated section: one line of the batch file. */
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

/** Sections in one Markdown file of the form `files`. */
const SECTIONS_PER_FILE = 10;

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
 * `doc-000000.md`, `doc-000001.md` ... Returns the number of bytes written.
 */
export function writeCorpus(out: string, options: GenerateOptions = {}): number {
  mkdirSync(out, { recursive: true });
  return options.format === "files" ? writeFiles(out, options) : writeBatch(out, options);
}

function writeBatch(out: string, options: GenerateOptions): number {
  const file = openSync(join(out, "corpus.ndjson"), "w");
  let written = 0;
  let pending = "";
  const flush = () => {
    written += writeAll(file, Buffer.from(pending));
    pending = "";
  };
  for (const section of generate(options)) {
    pending += JSON.stringify(section) + "\n";
    if (pending.length > 1 << 20) flush();
  }
  flush();
  closeSync(file);
  return written;
}

function writeAll(file: number, bytes: Uint8Array): number {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
  return bytes.length;
}

function writeFiles(out: string, options: GenerateOptions): number {
  let written = 0;
  let files = 0;
  let sections: string[] = [];
  const flush = () => {
    const name = `doc-${String(files++).padStart(6, "0")}.md`;
    const bytes = Buffer.from(sections.join("\n\n") + "\n");
    writeFileSync(join(out, name), bytes);
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

/** Reads a number from the command line. */
function numberOption(name: string, text: string, range: { min: number; max: number }): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= range.min && value <= range.max) return value;
  throw new RangeError(
    `Cannot generate a corpus: --${name} is "${text}", it must be from ${range.min} to ${range.max}`,
  );
}

function main(): void {
  const { values } = parseArgs({
    options: {
      "count": { type: "string", default: "1000" },
      "avg-body-length": { type: "string", default: "250" },
      "ref-density": { type: "string", default: "0.05" },
      "seed": { type: "string", default: "42" },
      "out": { type: "string", default: "./bench/corpus/" },
      "format": { type: "string", default: "ndjson" },
    },
  });
  const { format, out } = values;
  if (format !== "ndjson" && format !== "files") {
    throw new RangeError(`Cannot generate a corpus: --format is "${format}", not ndjson or files`);
  }
  const count = numberOption("count", values.count, { min: 0, max: 1e9 });
  const bytes = writeCorpus(out, {
    count,
    format,
    avgBodyLength: numberOption("avg-body-length", values["avg-body-length"], { min: 1, max: 1e6 }),
    refDensity: numberOption("ref-density", values["ref-density"], { min: 0, max: 1 }),
    seed: numberOption("seed", values.seed, { min: 0, max: Number.MAX_SAFE_INTEGER }),
  });
  console.error(`${count} sections, ${(bytes / 1e6).toFixed(1)} MB in ${out}`);
}

if (import.meta.main) main();
