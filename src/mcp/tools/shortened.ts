/**
 * Shortening names and lists that are longer than any use: a heading of a megabyte, a section in
 * thousands of documents. What is shortened ends in `…`, what is left out is counted.
 *
 * @module
 */

/** More of a name is of no use. */
const TEXT_LENGTH = 1000;

/** How much is left, step by step, until it fits. */
const STEPS = [
  { text: TEXT_LENGTH, list: 20 },
  { text: TEXT_LENGTH, list: 3 },
  { text: 200, list: 1 },
];

/** Said with what was shortened. */
export const SHORTENED = "Names without end are shortened, long lists of them too.";

/** The beginning of a text, with `…` where it goes on. */
export function shortText(text: string, length = TEXT_LENGTH): string {
  // The mark has three bytes, and should not make anything longer.
  if (text.length <= length + 3) return text;
  // Half a surrogate pair is no text.
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The beginning and the end of a message: what failed, and the way out. */
export function shortMessage(text: string): string {
  const kept = TEXT_LENGTH / 2;
  return text.length <= 2 * TEXT_LENGTH
    ? text
    : `${shortText(text, kept)}${text.slice(-kept).replace(/^[\udc00-\udfff]/, "")}`;
}

/** The value with all its texts shortened. */
export function shortTexts<T>(value: T): T {
  return mapped(value, { text: TEXT_LENGTH, list: Infinity }) as T;
}

/** The value with its texts and its lists of texts shortened until it fits; `null` if it never does. */
export function shortened<T extends object>(
  value: T,
  fits: (value: T) => boolean,
): T | null {
  const { notice, ...rest } = value as { notice?: string };
  const said = notice === undefined ? SHORTENED : `${notice} ${SHORTENED}`;
  for (const step of STEPS) {
    const short = { ...mapped(rest, step) as T, notice: said };
    if (fits(short)) return short;
  }
  return null;
}

interface Step {
  readonly text: number;
  readonly list: number;
}

function mapped(value: unknown, step: Step): unknown {
  if (typeof value === "string") return shortText(value, step.text);
  if (Array.isArray(value)) return value.map((item) => mapped(item, step));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, item]) => entriesOf(key, item, step));
  return Object.fromEntries(entries);
}

/** A list of texts that is too long has beside it how many are left out. */
function entriesOf(key: string, item: unknown, step: Step): [string, unknown][] {
  const isLong = Array.isArray(item) && item.length > step.list && typeof item[0] === "string";
  if (!isLong) return [[key, mapped(item, step)]];
  return [
    [key, mapped(item.slice(0, step.list), step)],
    [`${key}_omitted`, item.length - step.list],
  ];
}
