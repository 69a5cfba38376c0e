/**
 * Where short socket names go. Hosts strip or change TMPDIR and XDG_RUNTIME_DIR for some of their
 * children, which would then never find each other; so neither is looked at.
 *
 * @module
 */
import { win32 } from "node:path";
import type { Host } from "./types.ts";

/** The folder of {@linkcode Host.runtimeDir}. */
export function runtimeDirOf(host: Pick<Host, "os" | "uid" | "env">): string {
  if (host.os !== "windows") return `/tmp/kbdb-${host.uid()}`;
  const local = host.env("LOCALAPPDATA");
  const profile = host.env("USERPROFILE") ?? "C:\\";
  return win32.join(local ?? win32.join(profile, "AppData", "Local"), "kbdb", "run");
}
