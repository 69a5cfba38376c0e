/**
 * What the tests of this room share.
 *
 * @module
 */

import type { Platform } from "../platform/types.ts";
import type { Params, Result, ServiceMethod } from "../rpc/protocol.ts";
import type { LearnItem, LearnItemResult } from "../rpc/writing.ts";
import { Client, type DatabaseConnection } from "./client.ts";

/** Answers calls in the place of a database. */
export type Answering = <M extends ServiceMethod>(method: M, params: Params<M>) => unknown;

/** A client whose calls `answer` answers. */
export function fakeClient(platform: Platform, answer: Answering): Client {
  const connection: DatabaseConnection = {
    call: async <M extends ServiceMethod>(method: M, params: Params<M>) =>
      await answer(method, params) as Result<M>,
    subscribe: () => Promise.resolve(() => {}),
    settings: () => Promise.resolve({ max_reply_bytes: 1000 }),
    close: () => Promise.resolve(),
  };
  const openInProcess = () => Promise.resolve(connection);
  return new Client(platform, { path: "/db", workerEntry: "", openInProcess, daemon: "never" });
}

/** The answer to an item that was taken. */
export function taken(item: LearnItem, outcome: "added" | "unchanged" = "added"): LearnItemResult {
  const { type = "text/markdown", docid } = item;
  const result = {
    kbid: "0".repeat(26),
    type,
    title: null,
    description: null,
    indexed_terms_count: 1,
    elapsed_ms: 1,
    attached: docid !== undefined,
  };
  return { ok: true, outcome, sections: 1, result };
}
