/**
 * Reads a test collection in the layout of BEIR: `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

/** A text to be found. */
export interface Entry {
  readonly id: string;
  /** Empty where there is none. */
  readonly title: string;
  readonly text: string;
  /** Queries of a group look among the entries of that group only. */
  readonly group?: string;
}

/** A query. */
export interface Query {
  readonly id: string;
  readonly text: string;
  readonly group?: string;
}

/** Entries, queries, and which entry is how relevant to which query. */
export interface Collection {
  /** Name of the folder. */
  readonly name: string;
  readonly entries: readonly Entry[];
  readonly queries: readonly Query[];
  /** By query and entry; a query may have none. */
  readonly grades: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Grades of entries by their ids, of queries by theirs. */
type Grades = Map<string, Map<string, number>>;

/** A line of a file, and where it stands. */
interface Line {
  readonly text: string;
  readonly place: string;
}

/**
 * Reads a collection.
 *
 * @throws {Error} naming file and line, if a line is not what it should be
 */
export function readCollection(folder: string): Collection {
  const entries = distinct(linesOf(folder, "corpus.jsonl").map(entryOf));
  const queries = distinct(linesOf(folder, "queries.jsonl").map(queryOf));
  const grades = gradesOf(linesOf(folder, "qrels.tsv"));
  const known = new Set(queries.map(({ id }) => id));
  const unknown = [...grades.keys()].find((id) => !known.has(id));
  if (unknown !== undefined) {
    throw new Error(`Cannot use ${folder}: qrels.tsv judges query ${unknown}, which is not there`);
  }
  return { name: basename(resolve(folder)), entries, queries, grades };
}

function linesOf(folder: string, file: string): Line[] {
  const path = join(folder, file);
  return readFileSync(path, "utf8").split("\n")
    .map((text, i) => ({ text: text.replace(/\r$/, ""), place: `${path}:${i + 1}` }))
    .filter(({ text }) => text.trim() !== "");
}

function entryOf(line: Line): Entry {
  const { title, ...rest } = fieldsOf(line, ["_id", "text"], ["title", "group"]);
  return { ...named(rest), title: title ?? "" };
}

function queryOf(line: Line): Query {
  return named(fieldsOf(line, ["_id", "text"], ["group"]));
}

function named({ _id, text, group }: Record<string, string>): Query {
  return { id: _id, text, ...(group ? { group } : {}) };
}

/** The fields of a line that are of use; others are left out. */
function fieldsOf(line: Line, needed: string[], others: string[]): Record<string, string> {
  const value = parsed(line);
  const fields: Record<string, string> = {};
  for (const name of [...needed, ...others]) {
    const field = value[name];
    if (typeof field === "string") fields[name] = field;
    else if (field !== undefined || needed.includes(name)) {
      throw new Error(`Cannot read ${line.place}: ${name} must be a string`);
    }
  }
  return fields;
}

function parsed({ text, place }: Line): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch (cause) {
    throw new Error(`Cannot read ${place}: no JSON (${(cause as Error).message})`, { cause });
  }
}

function distinct<T extends { id: string }>(all: T[]): T[] {
  const seen = new Set<string>();
  for (const { id } of all) {
    if (seen.has(id)) throw new Error(`Cannot use a collection in which the id ${id} comes twice`);
    seen.add(id);
  }
  return all;
}

/** Columns query, entry, grade; the first line names them. */
function gradesOf([, ...lines]: readonly Line[]): Grades {
  const grades: Grades = new Map();
  for (const { text, place } of lines) {
    const [query, entry, grade, ...more] = text.split("\t");
    if (more.length > 0 || !/^-?\d+$/.test(grade ?? "")) {
      throw new Error(`Cannot read ${place}: it must be a query, an entry and a whole number`);
    }
    if (!grades.has(query)) grades.set(query, new Map());
    grades.get(query)!.set(entry, Number(grade));
  }
  return grades;
}
