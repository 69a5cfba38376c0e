/** What went wrong in the core, for callers that act on it. */
export type CoreErrorCode = "bad_encoding" | "bad_argument" | "corrupt_index" | "version_mismatch";

const CODES: readonly string[] = [
  "bad_encoding",
  "bad_argument",
  "corrupt_index",
  "version_mismatch",
];

/**
 * A failure of the core: its code, and a sentence that names the state it met.
 *
 * @example
 * ```ts
 * import { CoreError } from "./core_error.ts";
 * const error = new CoreError("corrupt_index", "Cannot read the index segment: it is empty");
 * if (error.code !== "corrupt_index") throw new Error("unexpected code");
 * ```
 */
export class CoreError extends Error {
  override name = "CoreError";

  /** Makes the error of this code. */
  constructor(
    /** What kind of failure this is. */
    readonly code: CoreErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Runs `call` and turns the `code: sentence` strings that the core throws into errors. */
export function translated<T>(call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw typeof thrown === "string" ? parsed(thrown) : thrown;
  }
}

function parsed(thrown: string): Error {
  const colon = thrown.indexOf(": ");
  const code = thrown.slice(0, colon);
  if (!CODES.includes(code)) return new Error(thrown);
  return new CoreError(code as CoreErrorCode, thrown.slice(colon + 2));
}
