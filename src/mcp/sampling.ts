/**
 * Letting the host's model write a text, where the host offers that (D59).
 *
 * @module
 */

import type { RequestContext, RpcParams } from "./protocol/types.ts";

/** The most tokens that are asked for. */
const MAX_TOKENS = 2048;

/** Asks for a text, or `undefined` where the client cannot. */
export function sampler(
  { peer, signal }: RequestContext,
): ((prompt: string) => Promise<string>) | undefined {
  if (!peer.facts?.capabilities.sampling) return undefined;
  return async (prompt) => {
    const content = { type: "text", text: prompt };
    const params = { messages: [{ role: "user", content }], maxTokens: MAX_TOKENS };
    const answer = await peer.request("sampling/createMessage", params, signal);
    return textOf(answer);
  };
}

/** The texts of an answer; a host gives one block or several. */
export function textOf({ content }: RpcParams): string {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.flatMap((block) => {
    const { type, text } = (block ?? {}) as { type?: unknown; text?: unknown };
    return type === "text" && typeof text === "string" ? [text] : [];
  }).join("\n");
}
