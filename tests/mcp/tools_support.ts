/**
 * What the tests of the tools share: sizes of replies, pages followed to their end, images of any
 * size, clients that are none, and faults put into a database by hand.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { kbid as kbidOf } from "../../src/core/text.ts";
import type { McpToolResult } from "../../src/mcp/types.ts";
import type { McpServerClient } from "../../src/mcp/worker_client.ts";
import { DatabasePaths } from "../../src/store/paths.ts";
import type { TestSession } from "./session.ts";

/** One pixel. */
export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A kbid of nothing that is stored. */
export const NOBODY = "1cy96vmqxgmc72dt1v5b2vkrmy";

/** The form of a kbid. */
export const KBID = /^[0-9abcdefghjkmnpqrstvwxyz]{26}$/;

/** Keys of what learn and revise answer. */
export const ADDED = [
  "kbid",
  "type",
  "title",
  "description",
  "indexed_terms_count",
  "elapsed_ms",
  "attached",
];

/** Base64 of something that counts as a PNG and has so many bytes. */
export function pngOf(bytes: number): string {
  const image = Buffer.alloc(bytes, 7);
  Buffer.from([0x89, 80, 78, 71, 13, 10, 26, 10]).copy(image);
  return image.toString("base64");
}

/** Bytes of a text. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/** The texts of a result's blocks. */
export function textsOf({ content }: McpToolResult): string[] {
  return content.flatMap((block) => block.type === "text" ? [block.text] : []);
}

/** Bytes of all text in a result. */
export function textBytes(result: McpToolResult): number {
  return textsOf(result).reduce((sum, text) => sum + bytesOf(text), 0);
}

/** Bytes of the frame that carries a result. */
export function frameBytes(result: McpToolResult): number {
  return bytesOf(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
}

/** Fails where text is not laid out as its tool promises. */
export function assertLayout(text: string, indent: 0 | 2): void {
  assert.equal(text, JSON.stringify(JSON.parse(text), null, indent));
}

/** The pages of a tool, by their cursors; none has more text than `room`. */
export async function* pagesOf(
  session: TestSession,
  call: { tool: string; args: Record<string, unknown>; room: number },
  // deno-lint-ignore no-explicit-any
): AsyncGenerator<any> {
  const { tool, args, room } = call;
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const result = await session.result(tool, cursor === undefined ? args : { ...args, cursor });
    const [text] = textsOf(result);
    assert.notEqual(result.isError, true, text);
    assert(textBytes(result) <= room, `${tool} gave ${textBytes(result)} bytes`);
    const value = JSON.parse(text);
    yield value;
    cursor = (result.structuredContent as { cursor?: string }).cursor;
  }
}

/** A client that answers with what it is given and keeps what it was asked. */
export function fakeClient(answers: Record<string, unknown>) {
  const calls: unknown[][] = [];
  const entries = Object.entries(answers).map(([name, answer]) => [name, (...args: unknown[]) => {
    calls.push([name, ...args]);
    return Promise.resolve(answer);
  }]);
  return { client: Object.fromEntries(entries) as unknown as McpServerClient, calls };
}

/** A client whose calls of one name fail with a value. */
export function failingClient(name: string, thrown: unknown): McpServerClient {
  return { [name]: () => Promise.reject(thrown) } as unknown as McpServerClient;
}

/** The id of a text. */
export function idOfText(text: string): string {
  return kbidOf(new TextEncoder().encode(text));
}

/** Where things lie in a session's database. */
export function pathsOf(session: TestSession): DatabasePaths {
  return new DatabasePaths(session.path);
}

/** Writes a file by hand. */
export function seed(path: string, content: Uint8Array | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
