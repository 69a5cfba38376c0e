/**
 * How the daemon, which may serve for days, gives back the memory that it needed for a moment.
 *
 * @module
 */

/** For V8: room for young objects stays small, instead of growing with the first burst of writes. */
export const DAEMON_V8_FLAG = "--max-semi-space-size=4";

/**
 * For the C library of Linux, which otherwise keeps memory for each of many threads that ran; others
 * take no notice.
 */
export const DAEMON_VARIABLES = { MALLOC_ARENA_MAX: "2" };
