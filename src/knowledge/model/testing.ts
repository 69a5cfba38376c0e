/**
 * A model of a database that is simple enough to be right: maps, and the rules of writing in a few
 * lines each. Tests compare what a database shows with what the model shows.
 *
 * @module
 */

import { kbid } from "../../core/text.ts";

/** How many different texts there are. */
const TEXTS = 15;
/** Documents that the steps speak of. */
const DOCIDS = ["a", "b", "c", "d/e f.md"];
const TAGS = ["red", "blue"];

/** One thing to do to a database. */
export type Step =
  | { do: "learn"; text: number; docid?: string; tags: string[] }
  | { do: "replace"; texts: number[]; docid: string; tags: string[]; document: boolean }
  | { do: "revise"; text: number; by: number }
  | { do: "unlearn"; text: number }
  | { do: "unlearn document"; docid: string }
  | { do: "restore"; ids: string[] }
  | { do: "gc"; standalone: boolean }
  | { do: "empty trash" };

interface ModelSection {
  tags: string[];
  standalone: boolean;
  retired: boolean;
  supersedes: string[];
  by: string | null;
}

interface ModelRemoval {
  sections: Map<string, { section: ModelSection; places: { docid: string; index: number }[] }>;
  documents: Map<string, string[]>;
}

/** What anybody can see of a stored text. */
export interface ShownText {
  /** What search finds, or why it does not find it. */
  state: "live" | "retired" | `superseded by ${string}`;
  docids: string[];
  tags: string[];
  standalone: boolean;
}

/** What anybody can see of a database. */
export interface Picture {
  /** By text: what is known of it, or `missing`. */
  texts: Record<string, ShownText | "missing">;
  documents: Record<string, string[]>;
  histories: Record<string, string>;
  trash: string[];
  /** What gc would take. */
  unneeded: string[];
  counts: { sections: number; documents: number };
}

/** The text of a number; every fifth refers to the one before it. */
export function textOf(n: number): string {
  const marker = n % 5 === 4 ? ` see $(link:${idOf(n - 1)})` : "";
  return `# T${n}\n\nword${n} shared${marker}`;
}

/** The kbid of a text. */
export function idOf(n: number): string {
  return kbid(new TextEncoder().encode(textOf(n)));
}

/** All numbers of texts. */
export function texts(): number[] {
  return Array.from({ length: TEXTS }, (_, n) => n);
}

/** All docids. */
export function docids(): string[] {
  return DOCIDS;
}

/** A random step; most of them meet something that is there. */
export function randomStep(pick: (below: number) => number, model: Model): Step {
  const one = <T>(of: readonly T[]) => of[pick(of.length)];
  const stored = texts().filter((n) => model.sections.has(idOf(n)));
  const text = pick(TEXTS);
  const known = stored.length > 0 && pick(8) > 0 ? one(stored) : text;
  const docid = one(DOCIDS);
  const tags = TAGS.filter(() => pick(4) === 0);
  const chance = pick(100);
  if (chance < 10) return { do: "learn", text, tags };
  if (chance < 22) return { do: "learn", text, docid, tags };
  if (chance < 38) {
    const own = [pick(TEXTS), pick(TEXTS), pick(TEXTS)];
    const texts = Array.from({ length: 1 + pick(6) }, () => one(own));
    return { do: "replace", texts, docid, tags, document: true };
  }
  if (chance < 42) return { do: "replace", texts: [text], docid, tags, document: false };
  if (chance < 60) return { do: "revise", text: known, by: text };
  if (chance < 75) return { do: "unlearn", text: known };
  if (chance < 83) return { do: "unlearn document", docid };
  if (chance < 94) {
    return { do: "restore", ids: [...someTrashed(pick, model), one([docid, idOf(text)])] };
  }
  if (chance < 98) return { do: "gc", standalone: pick(6) === 0 };
  return { do: "empty trash" };
}

function someTrashed(pick: (below: number) => number, model: Model): string[] {
  const { sections, documents } = model.trashed();
  return [...sections.keys(), ...documents.keys()].filter(() => pick(3) === 0).slice(0, 4);
}

/** The model. */
export class Model {
  readonly sections = new Map<string, ModelSection>();
  readonly documents = new Map<string, string[]>();
  #removals: ModelRemoval[] = [];

  /** A model of its own with the same in it. */
  clone(): Model {
    const copy = new Model();
    for (const [id, section] of this.sections) copy.sections.set(id, structuredClone(section));
    for (const [docid, ids] of this.documents) copy.documents.set(docid, [...ids]);
    copy.#removals = structuredClone(this.#removals);
    return copy;
  }

  /** Does what a step says; tells whether it is refused. */
  take(step: Step): { refused: boolean } {
    if (step.do === "learn") this.#learn(step);
    else if (step.do === "replace") this.#replace(step);
    else if (step.do === "revise") {
      return { refused: !this.#revise(idOf(step.text), idOf(step.by)) };
    } else if (step.do === "unlearn") this.#unlearn(idOf(step.text));
    else if (step.do === "unlearn document") this.#unlearnDocument(step.docid);
    else if (step.do === "restore") this.#restore(step.ids);
    else if (step.do === "gc") this.#sweep(step.standalone);
    else this.#removals = [];
    return { refused: false };
  }

  /** What a database in this state shows. */
  get picture(): Picture {
    const byText = (show: (id: string, n: number) => unknown) =>
      Object.fromEntries(texts().map((n) => [`T${n}`, show(idOf(n), n)]));
    const live = [...this.sections.values()].filter(({ retired }) => !retired);
    const { sections, documents } = this.trashed();
    return {
      texts: byText((id) => this.#shown(id)) as Picture["texts"],
      documents: Object.fromEntries([...this.documents].sort()),
      histories: byText((id) => this.#history(id)) as Picture["histories"],
      trash: [...sections.keys(), ...documents.keys()].sort(),
      unneeded: this.#unneeded(false),
      counts: { sections: live.length, documents: this.documents.size },
    };
  }

  /** What lies in the trash and is not in use, each as it was removed last. */
  trashed() {
    const sections: ModelRemoval["sections"] = new Map();
    const documents: ModelRemoval["documents"] = new Map();
    for (const removal of this.#removals) {
      for (const [id, removed] of removal.sections) sections.set(id, removed);
      for (const [docid, ids] of removal.documents) documents.set(docid, ids);
    }
    for (const id of this.sections.keys()) sections.delete(id);
    for (const docid of this.documents.keys()) documents.delete(docid);
    return { sections, documents };
  }

  #shown(id: string): Picture["texts"][string] {
    const section = this.sections.get(id);
    if (!section) return "missing";
    const { retired, by, standalone } = section;
    const state = !retired ? "live" : by === null ? "retired" : `superseded by ${by}` as const;
    return { state, docids: this.#holders(id), tags: [...section.tags].sort(), standalone };
  }

  #holders(id: string): string[] {
    return [...this.documents].filter(([, ids]) => ids.includes(id)).map(([docid]) => docid).sort();
  }

  #learn({ text, docid, tags }: Extract<Step, { do: "learn" }>): void {
    const id = idOf(text);
    if (docid !== undefined) {
      const ids = this.documents.get(docid) ?? [];
      this.documents.set(docid, ids.includes(id) ? ids : [...ids, id]);
    }
    this.#store(id, { tags, standalone: docid === undefined });
  }

  #replace({ texts, docid, tags }: Extract<Step, { do: "replace" }>): void {
    const old = this.documents.get(docid) ?? [];
    const ids = texts.map(idOf);
    this.documents.set(docid, ids);
    for (const id of ids) this.#store(id, { tags, standalone: false });
    for (const id of old) {
      const section = this.sections.get(id);
      if (!section || ids.includes(id)) continue;
      if (this.#holders(id).length === 0 && !section.standalone) section.retired = true;
    }
  }

  #store(id: string, { tags, standalone }: { tags: string[]; standalone: boolean }): void {
    const known = this.sections.get(id) ??
      { tags: [], standalone: false, retired: false, supersedes: [], by: null };
    this.sections.set(id, {
      ...known,
      tags: [...new Set([...known.tags, ...tags])],
      standalone: known.standalone || standalone,
      retired: false,
      by: null,
    });
  }

  #revise(id: string, by: string): boolean {
    const old = this.sections.get(id);
    if (!old || old.retired) return false;
    if (id === by) return true;
    for (const [docid, ids] of this.documents) {
      this.documents.set(docid, ids.map((other) => other === id ? by : other));
    }
    const known = this.sections.get(by);
    const chain = new Set([id, ...old.supersedes, ...known?.supersedes ?? []]);
    chain.delete(by);
    this.#store(by, { tags: old.tags, standalone: old.standalone });
    const section = this.sections.get(by)!;
    section.supersedes = [...chain];
    section.standalone ||= this.#holders(by).length === 0;
    Object.assign(old, { retired: true, by });
    return true;
  }

  #unlearn(id: string): void {
    const section = this.sections.get(id);
    if (!section) return;
    const removal: ModelRemoval = { sections: new Map(), documents: new Map() };
    const places = this.#holders(id).flatMap((docid) => this.#placesIn(docid, id));
    for (const docid of this.#holders(id)) {
      const ids = this.documents.get(docid)!;
      const rest = ids.filter((other) => other !== id);
      if (rest.length > 0) this.documents.set(docid, rest);
      else this.documents.delete(docid);
      if (rest.length === 0) removal.documents.set(docid, ids);
    }
    this.sections.delete(id);
    removal.sections.set(id, { section, places });
    this.#removals.push(removal);
  }

  #unlearnDocument(docid: string): void {
    const ids = this.documents.get(docid);
    if (!ids) return;
    const removal: ModelRemoval = { sections: new Map(), documents: new Map([[docid, ids]]) };
    for (const id of new Set(ids)) {
      const section = this.sections.get(id)!;
      if (section.standalone || this.#holders(id).length > 1) continue;
      removal.sections.set(id, { section, places: this.#placesIn(docid, id) });
      this.sections.delete(id);
    }
    this.documents.delete(docid);
    this.#removals.push(removal);
  }

  #placesIn(docid: string, id: string): { docid: string; index: number }[] {
    const ids = this.documents.get(docid)!;
    return ids.flatMap((other, index) => other === id ? [{ docid, index }] : []);
  }

  #restore(ids: readonly string[]): void {
    const { sections, documents } = this.trashed();
    const back = new Set(ids.filter((id) => sections.has(id)));
    const backDocuments = new Set<string>();
    const isThere = (id: string) => back.has(id) || this.sections.has(id);
    for (const docid of ids) {
      const listed = documents.get(docid) ?? [];
      for (const id of listed) if (sections.has(id)) back.add(id);
      if (listed.some(isThere)) backDocuments.add(docid);
    }
    for (const id of back) {
      for (const { docid } of sections.get(id)!.places) {
        if (documents.get(docid)?.every(isThere)) backDocuments.add(docid);
      }
    }
    for (const docid of backDocuments) {
      this.documents.set(docid, documents.get(docid)!.filter(isThere));
      for (const id of this.documents.get(docid)!) {
        const section = this.sections.get(id);
        if (section) Object.assign(section, { retired: false, by: null });
      }
    }
    this.#putBack(back, backDocuments);
  }

  #putBack(back: ReadonlySet<string>, backDocuments: ReadonlySet<string>): void {
    const { sections, documents } = this.trashed();
    const removalOf = (id: string) => this.#removals.findLastIndex((one) => one.sections.has(id));
    const wentWith = (docid: string, id: string) =>
      backDocuments.has(docid) &&
      this.#removals.findLastIndex((one) => one.documents.has(docid)) === removalOf(id);
    const places = [...back].flatMap((id) =>
      sections.get(id)!.places.map((place) => ({ ...place, id, removal: removalOf(id) }))
    ).sort((a, b) => b.removal - a.removal || a.index - b.index);
    for (const { docid, index, id } of places) {
      if (!wentWith(docid, id)) this.documents.get(docid)?.splice(index, 0, id);
    }
    for (const id of back) {
      const { section } = sections.get(id)!;
      this.sections.set(id, section);
      if (this.#holders(id).length > 0) Object.assign(section, { retired: false, by: null });
      else if (!section.retired) section.standalone = true;
    }
    for (const { sections: old, documents: oldDocuments } of this.#removals) {
      for (const id of back) if (old.get(id) === sections.get(id)) old.delete(id);
      for (const docid of backDocuments) {
        if (oldDocuments.get(docid) === documents.get(docid)) oldDocuments.delete(docid);
      }
    }
  }

  #unneeded(withStandalone: boolean): string[] {
    const marked = new Set(
      texts().filter((n) => n % 5 === 4 && this.sections.get(idOf(n))?.retired === false)
        .map((n) => idOf(n - 1)),
    );
    return [...this.sections.keys()].filter((id) => {
      const { retired } = this.sections.get(id)!;
      return (retired || withStandalone) && !marked.has(id) && this.#holders(id).length === 0;
    }).sort();
  }

  #sweep(withStandalone: boolean): void {
    const removal: ModelRemoval = { sections: new Map(), documents: new Map() };
    for (const id of this.#unneeded(withStandalone)) {
      removal.sections.set(id, { section: this.sections.get(id)!, places: [] });
      this.sections.delete(id);
    }
    if (removal.sections.size > 0) this.#removals.push(removal);
  }

  /** Ids, oldest first, with `*` behind the current one and `-` behind removed ones. */
  #history(start: string): string {
    const path = [start];
    for (let next = this.#next(start, path); next !== null && !path.includes(next);) {
      path.push(next);
      next = this.#next(next, path);
    }
    if (path.length === 1 && !this.#remains(start)) return "unknown";
    const newest = path.at(-1)!;
    const all = new Set<string>();
    for (const id of path.toReversed()) {
      all.add(id);
      for (const older of this.#remains(id)?.supersedes ?? []) all.add(older);
    }
    for (let size = 0; size < all.size;) {
      size = all.size;
      for (const older of this.#remains([...all].at(-1)!)?.supersedes ?? []) all.add(older);
    }
    const shown = [...all].map((id) =>
      id + (id === newest && this.sections.has(id) ? "*" : "") + (this.sections.has(id) ? "" : "-")
    );
    return shown.reverse().join(" ");
  }

  #remains(id: string): ModelSection | undefined {
    return this.sections.get(id) ?? this.trashed().sections.get(id)?.section;
  }

  #next(id: string, path: readonly string[]): string | null {
    const remains = this.#remains(id);
    if (remains) return remains.by;
    const naming = [...this.sections].filter(([, { supersedes }]) => supersedes.includes(id))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const live = naming.find(([, { retired }]) => !retired);
    return (live ?? (path.length === 1 ? naming[0] : undefined))?.[0] ?? null;
  }
}
