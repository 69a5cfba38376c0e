/**
 * What was found, as an answer shows it.
 *
 * @module
 */

import type { IndexRecord } from "../../core/search_index.ts";
import type { SearchItem } from "../../rpc/searching.ts";
import type { ReadOutcome } from "../../store/read_outcome.ts";
import { isImage } from "../index/records.ts";
import type { CheckedSearch } from "./params.ts";
import type { Found } from "./sources.ts";
import { snippetOf } from "./snippets.ts";
import { base64Of } from "../stored_text.ts";

const NOTHING = new Uint8Array();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Makes items of what was found, and gathers what is to be said about them. */
export class ItemMaker {
  readonly notes: string[] = [];

  /** For this question. */
  constructor(private readonly asked: CheckedSearch) {}

  /** The item; `null` where the disk no longer has the section whole, which is reported. */
  item(found: Found): SearchItem | null {
    const { source, hit: { record, matched_terms } } = found;
    const id = source.texts.idOf(record.kbid);
    const content = this.#contentOf(found);
    if (content.state === "missing" || content.state === "damaged") {
      const reason = content.state === "missing" ? "its file is missing" : content.reason;
      source.texts.lost(record.kbid, reason);
      return null;
    }
    if (content.state === "unreadable") {
      this.notes.push(`Section ${id} could not be read: ${content.reason}`);
    }
    const bytes = content.state === "found" ? content.value : NOTHING;
    return {
      kbid: id,
      heading: record.heading,
      type: record.type,
      docids: record.docids,
      snippet: this.#snippet(found, bytes),
      matched_terms,
      ...(this.asked.content ? wholeOf(record, bytes) : {}),
      tags: record.tags,
    };
  }

  /** Takes the content out of an item that has no room for it. */
  withoutContent(item: SearchItem): void {
    if (item.content === undefined) return;
    delete item.content;
    delete item.encoding;
    this.notes.push(`The content of ${item.kbid} did not fit: recall or content gives it`);
  }

  #contentOf({ source: { texts }, hit: { record } }: Found): ReadOutcome<Uint8Array> {
    // An image is not shown, so that reading it would only push texts out of the cache.
    if (this.asked.content || !isImage(record.type)) return texts.content(record.kbid);
    return texts.has(record.kbid) ? { state: "found", value: NOTHING } : { state: "missing" };
  }

  #snippet({ source, hit }: Found, bytes: Uint8Array): string {
    const { record, matched_terms } = hit;
    if (isImage(record.type)) return "";
    const body = source.texts.readable(record.kbid, bytes);
    const cut = (text: Uint8Array) => source.index.snippet(this.asked.query, text);
    return snippetOf({ record, matched_terms, body }, cut);
  }
}

function wholeOf(record: IndexRecord, bytes: Uint8Array): Pick<SearchItem, "content" | "encoding"> {
  if (!isImage(record.type)) return { content: decoder.decode(bytes) };
  return { content: base64Of(bytes), encoding: "base64" };
}
