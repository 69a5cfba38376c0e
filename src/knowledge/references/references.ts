/**
 * What a text refers to, and the keys under which the index keeps it, so that the sections that refer
 * to something are found without reading all of them.
 *
 * @module
 */

import { type Reference, references } from "../../core/text.ts";
import type { MarkerType } from "../../rpc/reading.ts";
import { docidAt, linkTargets, slugOf, wikiTarget } from "./names.ts";

/** More keys of one section are left out; a longer key is no id, docid or name that can be stored. */
const MAX_KEYS = 10_000;
const MAX_KEY_LENGTH = 1200;

/** A text and where it stands. */
export interface ReferringText {
  readonly content: Uint8Array;
  /** MIME type. */
  readonly type: string;
  /** Documents that hold the section. */
  readonly docids: readonly string[];
}

/** What a reference names, before anything is looked up. */
export type Address =
  /** A kbid or docid as written, which may end in `#` and an anchor. */
  | { readonly by: "id"; readonly id: string }
  | { readonly by: "docid"; readonly docid: string; readonly fragment: string | null }
  | { readonly by: "name"; readonly name: string; readonly heading: string | null };

/** A reference in a text. */
export interface FoundReference {
  readonly marker: MarkerType;
  /** As written. */
  readonly target: string;
  /** Text that is shown for it, or `null`. */
  readonly label: string | null;
  /** Bytes of the whole construct. */
  readonly start: number;
  readonly end: number;
  /** Any of them may be what is meant; none where a relative link leaves the top. */
  readonly addresses: readonly Address[];
}

/** The references of a text in order; of links, those that may lead to something stored. */
export function referencesIn(text: ReferringText): FoundReference[] {
  const form = formOf(text.type);
  if (form === null) return [];
  return references(text.content, form).flatMap((found) => {
    const addresses = addressesOf(found, text.docids);
    return addresses === null ? [] : [{ ...found, addresses }];
  });
}

/** The index keys of what a text refers to, in order. */
export function referenceKeys(text: ReferringText): string[] {
  const keys = new Set<string>();
  for (const { addresses } of referencesIn(text)) {
    for (const key of addresses.flatMap(keysOf)) {
      if (key.length <= MAX_KEY_LENGTH && keys.size < MAX_KEYS) keys.add(key);
    }
  }
  return [...keys].sort();
}

/** Keys of what names an id. */
export function idKey(id: string, fragment: string | null = null): string {
  return `m:${withFragment(id.normalize(), fragment)}`;
}

/** Keys of links that lead to a document. */
export function docidKey(docid: string, fragment: string | null = null): string {
  return `d:${withFragment(docid.normalize(), fragment)}`;
}

/** Keys of wiki links with a name, as `nameOf` makes it. */
export function nameKey(name: string, heading: string | null = null): string {
  return `w:${withFragment(name, heading)}`;
}

/** Id and anchor of a marker's target that is no id as a whole. */
export function splitId(id: string): { id: string; fragment: string } | null {
  const hash = id.lastIndexOf("#");
  return hash <= 0 ? null : { id: id.slice(0, hash), fragment: id.slice(hash + 1) };
}

/** How the text of a type is read; `null` where it refers to nothing. */
function formOf(type: string): "markdown" | "plain" | null {
  if (type === "text/markdown") return "markdown";
  return type === "text/plain" ? "plain" : null;
}

/** `null` where the construct is no reference: it leads elsewhere, or to a place in the same text. */
function addressesOf(found: Reference, docids: readonly string[]): Address[] | null {
  const { marker, target } = found;
  if (marker === "wikilink") {
    const wiki = wikiTarget(target);
    return wiki && [{ by: "name", ...wiki }];
  }
  if (marker !== "mdlink") return [{ by: "id", id: target.normalize() }];
  const links = linkTargets(target);
  // What stands alone stands at the top.
  const bases = docids.length === 0 ? [""] : docids;
  return links.length === 0 ? null : bases.flatMap((base) =>
    links.flatMap((link) => {
      const docid = docidAt(base.normalize(), link.path);
      return docid === null ? [] : [{ by: "docid", docid, fragment: link.fragment } as const];
    })
  );
}

function keysOf(address: Address): string[] {
  if (address.by === "docid") {
    const { docid, fragment } = address;
    return fragment === null ? [docidKey(docid)] : [docidKey(docid), docidKey(docid, fragment)];
  }
  if (address.by === "name") {
    const { name, heading } = address;
    return heading === null ? [nameKey(name)] : [nameKey(name), nameKey(name, heading)];
  }
  const parts = splitId(address.id);
  const whole = idKey(address.id);
  return parts === null ? [whole] : [whole, idKey(parts.id), idKey(parts.id, parts.fragment)];
}

/** Anchors are compared as slugs, so that `#Next Steps` and `#next-steps` are the same. */
function withFragment(id: string, fragment: string | null): string {
  return fragment === null ? id : `${id}#${slugOf(fragment)}`;
}
