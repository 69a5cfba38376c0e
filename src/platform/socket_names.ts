/**
 * Names of Unix sockets: how long they may be, and how one comes to be without ever being open to
 * others or taking another's place.
 *
 * @module
 */
import { basename, dirname, join } from "node:path";
import { systemCode } from "./file_errors.ts";
import { randomName } from "./random_name.ts";
import { type SocketAttempt, socketError, toSocketError } from "./socket_errors.ts";
import { type Host, SocketError } from "./types.ts";

/** The most bytes of a socket's path. The system's own limits count an end byte too. */
function longestSocketPath(os: Host["os"]): number {
  return os === "linux" ? 107 : 103;
}

/** Throws `too_long` if `address` does not fit. Node would cut it silently and use another name. */
export function checkSocketPath(attempt: SocketAttempt, os: Host["os"]): void {
  const { action, address } = attempt;
  const limit = longestSocketPath(os);
  const length = new TextEncoder().encode(address).length;
  if (length <= limit) return;
  const reason = `the path has ${length} bytes, and a socket's may have ${limit}`;
  throw new SocketError("too_long", action, address, `${reason}; use a shorter folder`);
}

/** What stands under a name, as far as sockets care. */
export interface NodeIdentity {
  readonly isSocket: boolean;
  /** Device and inode, or whatever else tells two things of one name apart. */
  readonly identity: string;
}

/** The file calls that naming a socket takes. Errors are the runtime's own. */
export interface NamingCalls {
  /** `undefined` if nothing is there. Does not follow links. */
  identify(path: string): NodeIdentity | undefined;
  chmod(path: string, mode: number): void;
  link(from: string, to: string): void;
  rename(from: string, to: string): void;
  unlink(path: string): void;
}

/**
 * A name beside `address`, no longer than it. The socket is bound to this one, made private, and
 * only then given its real name with {@linkcode publishSocket}: so nobody can meet it while it is
 * open to others, and the runtime, which on closing removes the name that it bound, cannot remove
 * the socket of a successor.
 */
export function draftSocketName(address: string): string {
  const length = Math.max(2, Math.min(10, basename(address).length));
  return join(dirname(address), "." + randomName(length - 1));
}

/** Gives the socket bound to `draft` its real name; `in_use` or `not_a_socket` if that is taken. */
export function publishSocket(
  calls: NamingCalls,
  names: { draft: string; address: string },
): NodeIdentity {
  const { draft, address } = names;
  const attempt = { action: "listen on", address };
  try {
    calls.chmod(draft, 0o600);
    const own = calls.identify(draft);
    if (!own) throw socketError("missing", attempt);
    giveName(calls, names);
    return own;
  } catch (error) {
    throw explain(calls, error, attempt);
  } finally {
    unlinkQuietly(calls, draft);
  }
}

/** Removes the name `address` if it is still that of the socket `own`. */
export function retireSocket(calls: NamingCalls, address: string, own: NodeIdentity): void {
  try {
    if (calls.identify(address)?.identity === own.identity) calls.unlink(address);
  } catch {
    // The folder is gone or out of reach; nobody can connect through it either.
  }
}

/** Tells a socket that nobody serves, or a taken name, from something that is no socket at all. */
export function explain(calls: NamingCalls, error: unknown, attempt: SocketAttempt): SocketError {
  const told = toSocketError(error, attempt);
  if (told.code !== "refused" && told.code !== "in_use") return told;
  try {
    const there = calls.identify(attempt.address);
    return there && !there.isSocket ? socketError("not_a_socket", attempt) : told;
  } catch {
    return told;
  }
}

/** A second name for one socket fails if the name is taken, where a rename would replace it. */
function giveName(calls: NamingCalls, names: { draft: string; address: string }): void {
  try {
    calls.link(names.draft, names.address);
  } catch (error) {
    if (systemCode(error) === "EEXIST" || calls.identify(names.address)) throw error;
    // Some file systems know no second names; the daemon's lock guards this short moment.
    calls.rename(names.draft, names.address);
  }
}

function unlinkQuietly(calls: NamingCalls, path: string): void {
  try {
    calls.unlink(path);
  } catch {
    // Renamed already, or never bound.
  }
}
