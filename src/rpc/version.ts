/**
 * The package's version, as client and daemon tell each other.
 *
 * @module
 */

import config from "../../deno.json" with { type: "json" };

/** Such as `0.1.0`. */
export const VERSION: string = config.version;

/** Below 0 if version `a` is older than `b`, 0 if none is newer; what follows `1.2.3` is left out. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(/[.+-]/, 3).map(Number));
  const differing = left.findIndex((part, i) => part !== right[i]);
  return differing < 0 ? 0 : left[differing] - right[differing] || 0;
}
