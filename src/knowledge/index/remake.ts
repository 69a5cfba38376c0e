/**
 * Making the index again while writes go on: what was written meanwhile is taken in by the builder,
 * in rounds, until so little is left that it can be applied in the moment of the change.
 *
 * @module
 */

import type { JournalRecord } from "../../store/journal_record.ts";
import type { Store } from "../../store/store.ts";
import type { FillReport, Report } from "./fill.ts";
import type { BuiltSegment } from "./build.ts";
import type { IndexBuilder } from "./builders.ts";
import type { KeptSegment } from "./calls.ts";

/** Fewer sections than this take no round of their own. */
const FEW_SECTIONS = 200;
/** Where writes come faster than they are taken in, the rest has to wait for the change. */
const MAX_ROUNDS = 5;

/** Transactions that were applied while an index was being made. */
export class Meanwhile {
  #records: JournalRecord[] = [];
  #sections = 0;
  readonly #names = new Set<string>();

  constructor(private readonly store: Store) {}

  /** How many sections they change that nobody has taken. */
  get sections(): number {
    return this.#sections;
  }

  add(record: JournalRecord): void {
    // Contents are read again, since many would take much memory: they never change under an id.
    const sections = record.sections.map((change) => ({ ...change, content: null }));
    this.#records.push({ ...record, sections, requests: [] });
    this.#sections += sectionsIn(record);
    for (const name of this.#namesIn(record)) this.#names.add(name);
  }

  /** Those that were not taken before. */
  take(): readonly JournalRecord[] {
    const records = this.#records;
    this.#records = [];
    this.#sections = 0;
    return records;
  }

  /** Puts back what was taken and could not be used. */
  giveBack(records: readonly JournalRecord[]): void {
    this.#records = [...records, ...this.#records];
    this.#sections = this.#records.reduce((sum, record) => sum + sectionsIn(record), 0);
  }

  /** Whether a file, named as in a report, was written or removed by any of them. */
  touches(name: string): boolean {
    return this.#names.has(name);
  }

  #namesIn({ sections, documents, removal }: JournalRecord): string[] {
    const kbids = [...sections.map(({ meta }) => meta), ...removal?.sections ?? []];
    const docids = [...documents.map(({ docid }) => docid), ...removal?.documents ?? []];
    return [
      ...kbids.map(({ kbid }) => `section ${kbid}`),
      ...docids.map((docid) => `documents/${this.store.paths.documentName(docid)}`),
    ];
  }
}

/** A new index, yet to be put in place. */
export interface RemadeIndex {
  readonly filled: FillReport;
  readonly built: readonly BuiltSegment<KeptSegment>[];
  /** Transactions up to this one are in it. */
  readonly seq: number;
}

/** Has everything stored made into a new index. Before it is put in place, `meanwhile` is to be applied. */
export async function remakeIndex(
  builder: IndexBuilder,
  parts: { store: Store; meanwhile: Meanwhile; seq: number; report: Report },
): Promise<RemadeIndex> {
  const { store, meanwhile, report } = parts;
  let { seq } = parts;
  const filled = await builder.fill(report);
  store.raiseSeq(filled.lastSeq);
  for (let round = 0; round < MAX_ROUNDS && meanwhile.sections > FEW_SECTIONS; round++) {
    const records = meanwhile.take();
    if (!(await inFiles(store))) {
      meanwhile.giveBack(records);
      break;
    }
    await builder.apply(records);
    seq = records.at(-1)!.seq;
  }
  return { filled, built: await builder.finish(), seq };
}

/** Whether everything committed is in files, where a builder finds it. */
export async function inFiles(store: Store): Promise<boolean> {
  try {
    await store.flushFiles();
    return true;
  } catch {
    return false;
  }
}

function sectionsIn({ sections, removal }: JournalRecord): number {
  return sections.length + (removal?.sections.length ?? 0);
}
