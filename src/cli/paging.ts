/**
 * Lists that come in pages: one page where a page was asked for, else everything.
 *
 * @module
 */

import { type CommandContext, EXIT } from "./command.ts";
import type { Output } from "./output.ts";

/** Flags of a list. */
export const PAGE_FLAGS = {
  limit: { kind: "count", value: "N", help: "Only a page of at most N, 1 to 1000 (else all)" },
  cursor: { kind: "text", value: "CURSOR", help: "The page after the one that named it" },
} as const;

/** A page of items, with what else the answer says. */
interface Page<Item> {
  items: Item[];
  cursor?: string;
}

/** How a list is fetched and shown. */
export interface Listing<Item, Answer extends Page<Item>> {
  /** Fetches the page that a cursor names, else the one that the flags ask for. */
  page(cursor: { cursor?: string }): Promise<Answer>;
  /** One item, on lines that end. */
  shown(item: Item): string;
  /** The last line, where there is something to say about the whole. */
  summary?(answer: Answer): string;
  /** What is said of a list without items. */
  readonly empty: string;
}

/** Prints a list. */
export async function printList<Item, Answer extends Page<Item>>(
  context: CommandContext,
  listing: Listing<Item, Answer>,
): Promise<number> {
  const { flags, output } = context;
  const single = flags.limit !== undefined || flags.cursor !== undefined;
  if (!single && output.format === "text") return await printParts(output, listing);
  const answer = single ? await listing.page({}) : await gather(listing);
  await output.result(answer, () => pageText(answer, listing));
  return EXIT.ok;
}

function pageText<Item, Answer extends Page<Item>>(
  answer: Answer,
  listing: Listing<Item, Answer>,
): string {
  const more = answer.cursor === undefined ? "" : `More with --cursor ${answer.cursor}\n`;
  if (answer.items.length === 0 && more === "") return `${listing.empty}\n`;
  return answer.items.map(listing.shown).join("") + more + (listing.summary?.(answer) ?? "");
}

/** Prints each page as it comes, as long as somebody reads. */
async function printParts<Item, Answer extends Page<Item>>(
  output: Output,
  listing: Listing<Item, Answer>,
): Promise<number> {
  let last: Answer | null = null;
  for await (const answer of pages(listing)) {
    const text = answer.items.map(listing.shown).join("");
    if (text !== "" && !(await output.part(text))) return EXIT.ok;
    if (last === null && text === "") await output.part(`${listing.empty}\n`);
    last = answer;
  }
  const summary = last && last.items.length > 0 ? listing.summary?.(last) : undefined;
  if (summary !== undefined) await output.part(summary);
  return EXIT.ok;
}

/** All pages as one. */
async function gather<Item, Answer extends Page<Item>>(
  listing: Listing<Item, Answer>,
): Promise<Answer> {
  let whole: Answer | null = null;
  const items: Item[] = [];
  for await (const answer of pages(listing)) {
    items.push(...answer.items);
    whole = answer;
  }
  const { cursor: _, ...rest } = whole!;
  return { ...rest, items } as Answer;
}

async function* pages<Item, Answer extends Page<Item>>(
  listing: Listing<Item, Answer>,
): AsyncGenerator<Answer> {
  let answer = await listing.page({});
  yield answer;
  while (answer.cursor !== undefined) {
    answer = await listing.page({ cursor: answer.cursor });
    yield answer;
  }
}
