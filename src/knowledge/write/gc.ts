/**
 * Sweeping: sections that nothing needs any more go to the trash (D13). What was learned on purpose
 * without a document is needed, and so is what a document, an agent or a marker names. Skills are
 * never swept: nothing but their own list says that they are needed.
 *
 * @module
 */

import type { IndexRecord } from "../../core/search_index.ts";
import type { Progress } from "../../rpc/protocol.ts";
import type { GcParams, GcReason, GcResult, GcSection } from "../../rpc/writing.ts";
import type { SectionMeta } from "../../store/section_file.ts";
import type { BaseParts } from "../base_parts.ts";
import { Draft, elapsedSince, type WriteContext } from "./draft.ts";
import { isMarked } from "../references/markers.ts";
import { isStandalone } from "../index/records.ts";
import { idKey, referenceKeys } from "../references/references.ts";
import { entriesOf, listedSections } from "./roots.ts";
import { Slices } from "../slices.ts";
import { refuseReadOnly } from "./writer.ts";

/** Sections of one transaction: few enough not to keep searches waiting. */
const BATCH = 200;
/** More of the swept sections are counted, not listed. */
const LISTED = 10_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A section that nothing needs. */
interface Unneeded extends GcSection {
  /** What the index knew of it, to notice that it was changed meanwhile. */
  readonly record: IndexRecord | null;
}

/** What there is to sweep. */
interface Survey {
  /** In kbid order. */
  readonly unneeded: readonly Unneeded[];
  /** Still in their grace period. */
  readonly waiting: number;
  /** Those of them whose grace period has not begun: their document was removed by hand. */
  readonly unmarked: readonly Unneeded[];
}

/**
 * Takes out what nothing needs any more, or tells what would be taken out.
 *
 * @throws {KbdbError} if a manifest cannot be read; then nothing is removed
 */
export async function gc(
  parts: BaseParts,
  params: GcParams,
  report: (progress: Progress) => void,
): Promise<GcResult> {
  const start = performance.now();
  const { dry_run = false, include_standalone = false } = params;
  if (!dry_run) refuseReadOnly(parts.store);
  await parts.writer.inOrder(() => {});
  const survey = await new Surveyor(parts, { includeStandalone: include_standalone }).survey();
  const swept = dry_run ? survey.unneeded : await sweep(parts, survey, report);
  const sections = swept.slice(0, LISTED).map(({ record: _, ...section }) => section);
  return {
    removed_sections: swept.length,
    removed_bytes: swept.reduce((sum, { bytes }) => sum + bytes, 0),
    elapsed_ms: elapsedSince(start),
    ...(dry_run ? { dry_run } : {}),
    sections,
    ...(swept.length > LISTED ? { sections_omitted: swept.length - LISTED } : {}),
    ...(survey.waiting > 0 ? { waiting: survey.waiting } : {}),
  };
}

/** Looks through the index, and reads the sections that look unneeded. */
class Surveyor {
  readonly #slices = new Slices();
  readonly #marked = new Set<string>();
  /** May be unneeded; `null` where the index does not have it. */
  readonly #doubtful = new Map<string, IndexRecord | null>();
  readonly #known = new Set<string>();

  constructor(
    private readonly parts: BaseParts,
    private readonly options: { includeStandalone: boolean },
  ) {}

  async survey(): Promise<Survey> {
    const listed = await listedSections(this.parts);
    await this.#entries();
    for (const kbid of this.parts.store.listSections().kbids) {
      if (!this.#known.has(kbid)) this.#doubtful.set(kbid, null);
    }
    const unneeded: Unneeded[] = [];
    const unmarked: Unneeded[] = [];
    let waiting = 0;
    for (const [kbid, record] of [...this.#doubtful].sort(([a], [b]) => (a < b ? -1 : 1))) {
      await this.#slices.breathe();
      if (listed.has(kbid) || this.#marked.has(idKey(kbid))) continue;
      const found = this.#inspect(kbid, record);
      if (found === null) continue;
      if (found.isDue) unneeded.push(found.section);
      else waiting += 1;
      if (!found.isDue && found.retired === null) unmarked.push(found.section);
    }
    return { unneeded, waiting, unmarked };
  }

  async #entries(): Promise<void> {
    for await (const { kbid } of entriesOf(this.parts, "skill")) this.#known.add(kbid);
    for await (const record of entriesOf(this.parts, "retired")) this.#suspect(record);
    for await (const record of entriesOf(this.parts, "section")) {
      this.#known.add(record.kbid);
      for (const key of record.refs ?? []) if (key.startsWith(idKey(""))) this.#marked.add(key);
      if (this.options.includeStandalone || !isStandalone(record)) this.#suspect(record);
    }
  }

  #suspect(record: IndexRecord): void {
    this.#known.add(record.kbid);
    this.#doubtful.set(record.kbid, record);
  }

  /** What cannot be read is not swept. */
  #inspect(
    kbid: string,
    record: IndexRecord | null,
  ): { section: Unneeded; retired: string | null; isDue: boolean } | null {
    const stored = this.parts.store.readSection(kbid);
    if (stored.state !== "found" || stored.value.meta.type === "skill") return null;
    const { meta, content } = stored.value;
    const reason = reasonOf(meta);
    if (reason === "standalone" && !this.options.includeStandalone) return null;
    const { title: heading, type, retired } = meta;
    const section = { kbid, heading, type, bytes: content.length, reason, record };
    return { section, retired, isDue: reason === "standalone" || this.#isDue(retired) };
  }

  #isDue(retired: string | null): boolean {
    const { settings: { graceDays }, now } = this.parts;
    if (graceDays === 0) return true;
    return Date.parse(retired ?? "") + graceDays * DAY_MS <= now().getTime();
  }
}

function reasonOf(meta: SectionMeta): GcReason {
  if (meta.retired !== null) return meta.superseded_by === null ? "retired" : "superseded";
  return meta.standalone ? "standalone" : "retired";
}

/** Removes in batches; what came to be needed meanwhile stays. */
async function sweep(
  parts: BaseParts,
  survey: Survey,
  report: (progress: Progress) => void,
): Promise<Unneeded[]> {
  const swept: Unneeded[] = [];
  const total = survey.unneeded.length;
  for (const batch of batchesOf(survey.unneeded)) {
    swept.push(...await parts.writer.write(null, (context) => planSweep(parts, batch, context)));
    report({ done: swept.length, total, message: "sweeping" });
  }
  for (const batch of batchesOf(survey.unmarked)) {
    await parts.writer.write(null, (context) => planRetire(parts, batch, context));
  }
  return swept;
}

function planSweep(parts: BaseParts, batch: readonly Unneeded[], context: WriteContext) {
  const unneeded = stillUnneeded(parts, batch, context);
  const sections = unneeded.map(({ kbid }) => ({ kbid, places: [] }));
  const changes = new Draft(context).changes({ reason: "gc", sections });
  return { ...changes, answer: () => unneeded };
}

/** The grace period begins. */
function planRetire(parts: BaseParts, batch: readonly Unneeded[], context: WriteContext) {
  const draft = new Draft(context);
  for (const { kbid } of stillUnneeded(parts, batch, context)) {
    const known = draft.section(kbid);
    if (known) draft.changeSection(known, { meta: { retired: context.now }, docids: [] });
  }
  return { ...draft.changes(), answer: () => {} };
}

function stillUnneeded(
  parts: BaseParts,
  batch: readonly Unneeded[],
  { state }: WriteContext,
): Unneeded[] {
  const marked = new Set<string>();
  for (const { meta, docids, content } of state.pendingSections()) {
    if (meta.retired !== null) continue;
    for (const key of referenceKeys({ content, type: meta.type, docids })) marked.add(key);
  }
  return batch.filter(({ kbid, record }) =>
    !state.isPending(kbid) && state.hasSection(kbid) && !marked.has(idKey(kbid)) &&
    !isMarked(parts, kbid) && isSame(parts.keeper.index.get(kbid), record)
  );
}

/** Whether no write touched what decides on a section. */
function isSame(now: IndexRecord | null, before: IndexRecord | null): boolean {
  if (now === null || before === null) return now === before;
  return now.kind === before.kind && now.flags === before.flags &&
    now.docids.length === before.docids.length &&
    now.docids.every((docid, i) => docid === before.docids[i]);
}

function* batchesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += BATCH) yield items.slice(at, at + BATCH);
}
