/**
 * The one place that asks which runtime this is.
 *
 * @module
 */
import type { Platform } from "./types.ts";

/** The platform that this program runs on. */
export const platform: Platform = "Deno" in globalThis
  ? (await import("./deno.ts")).platform
  : (await import("./node.ts")).platform;
