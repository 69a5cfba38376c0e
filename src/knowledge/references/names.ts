/**
 * What texts call sections and documents by: paths relative to a document, heading anchors, and the
 * names of wiki links.
 *
 * @module
 */

/** A place that a link names: a path and a heading's anchor in it. */
export interface LinkTarget {
  readonly path: string;
  /** Without `#`; `null` where there is none. */
  readonly fragment: string | null;
}

/**
 * The anchor that GitHub gives a heading: lower case, without punctuation, `-` for spaces. Of equal
 * ones in a document the later get `-1`, `-2`: see {@linkcode anchorsOf}.
 */
export function slugOf(heading: string): string {
  return heading.normalize().toLowerCase().trim()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "").replaceAll(" ", "-");
}

/** The anchors of headings in the order of a document; `null` where there is no heading. */
export function anchorsOf(headings: readonly (string | null)[]): (string | null)[] {
  const taken = new Map<string, number>();
  return headings.map((heading) => {
    if (heading === null) return null;
    const slug = slugOf(heading);
    let anchor = slug;
    while (taken.has(anchor)) {
      const number = taken.get(slug)! + 1;
      taken.set(slug, number);
      anchor = `${slug}-${number}`;
    }
    taken.set(anchor, 0);
    return anchor;
  });
}

const HTML_ANCHOR = /<(?:a\b[^<>]*?\sname|[a-z][a-z0-9]*\b[^<>]*?\sid)\s*=\s*["']?([^"'\s>]+)/gi;

/** The anchors that a text sets in HTML, such as `<a id="usage"></a>`, as slugs. */
export function htmlAnchors(text: string): string[] {
  return [...text.matchAll(HTML_ANCHOR)].map(([, anchor]) => slugOf(anchor));
}

/** A name as wiki links compare it: NFC, lower case, single spaces. */
export function nameOf(text: string): string {
  return text.normalize().toLowerCase().trim().replace(/\s+/g, " ");
}

/** The names that a document answers to: its docid and its file's name, with and without extension. */
export function namesOf(docid: string): string[] {
  const name = nameOf(docid);
  const base = name.slice(name.lastIndexOf("/") + 1);
  return [...new Set([name, withoutExtension(name), base, withoutExtension(base)])];
}

/** Name and heading of a wiki link's target; `null` for a heading of the same document. */
export function wikiTarget(target: string): { name: string; heading: string | null } | null {
  const hash = target.indexOf("#");
  const name = nameOf(hash < 0 ? target : target.slice(0, hash));
  if (name === "") return null;
  // Of nested headings the last one is meant.
  return { name, heading: hash < 0 ? null : target.slice(target.lastIndexOf("#") + 1) };
}

/**
 * What a relative link's target, without percent escapes, may name: a docid may hold a `#`, too.
 * Nothing where the link is not relative.
 */
export function linkTargets(target: string): LinkTarget[] {
  if (target.startsWith("/") || target.startsWith("#")) return [];
  const plain = target.normalize();
  const hash = plain.lastIndexOf("#");
  if (hash < 0) return [{ path: plain, fragment: null }];
  const split = { path: plain.slice(0, hash), fragment: plain.slice(hash + 1) || null };
  return [split, { path: plain, fragment: null }];
}

/** The docid that a relative path means in a document; `null` where it leaves the top. */
export function docidAt(docid: string, path: string): string | null {
  const parts = docid.split("/").slice(0, -1);
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/") || null;
}

function withoutExtension(name: string): string {
  return name.replace(/(?<=[^/])\.[^./]*$/, "");
}
