/**
 * The methods of a database by name, for whatever makes the calls.
 *
 * @module
 */

import type {
  CheckResult,
  Params,
  Progress,
  RebuildResult,
  Result,
  ServiceMethod,
  StatusResult,
} from "../rpc/protocol.ts";
import type { SearchParams, SearchResultFor } from "../rpc/searching.ts";
import type { GcResult, LearnItem, LearnItemResult } from "../rpc/writing.ts";

/** Told how far long work has come. */
export type OnProgress = (progress: Progress) => void;

/** Parameters as callers give them: request keys are made here. */
export type Given<M extends ServiceMethod> = Omit<Params<M>, "key">;

/** Every method of a database. What writes carries a request key, so that it may be repeated. */
export abstract class Calls {
  protected abstract call<M extends ServiceMethod>(
    method: M,
    params: Params<M>,
    onProgress?: OnProgress,
  ): Promise<Result<M>>;

  /** Stores contents, each a transaction of its own. */
  async learn(items: LearnItem[], onProgress?: OnProgress): Promise<LearnItemResult[]> {
    return (await this.call("learn", { ...newKey(), items }, onProgress)).results;
  }

  /** Stores a correction in the place of a section. */
  revise(params: Given<"revise">): Promise<Result<"revise">> {
    return this.call("revise", { ...params, ...newKey() });
  }

  /** Takes a section or a document out. */
  unlearn(params: Given<"unlearn">): Promise<Result<"unlearn">> {
    return this.call("unlearn", { ...params, ...newKey() });
  }

  /** Takes out what nothing needs any more. */
  gc(params: Params<"gc"> = {}, onProgress?: OnProgress): Promise<GcResult> {
    return this.call("gc", params, onProgress);
  }

  /** What lies in the trash, page by page. */
  trash(params: Params<"trash"> = {}): Promise<Result<"trash">> {
    return this.call("trash", params);
  }

  /** Brings things back from the trash. */
  restore(ids: string[]): Promise<Result<"restore">> {
    return this.call("restore", { ...newKey(), ids });
  }

  /** Removes for good what lies in the trash. */
  emptyTrash(params: Params<"emptyTrash"> = {}): Promise<Result<"emptyTrash">> {
    return this.call("emptyTrash", params);
  }

  /** Ranked sections, documents or counts for a query. */
  async search<const P extends SearchParams>(params: P): Promise<SearchResultFor<P>> {
    return await this.call("search", params) as SearchResultFor<P>;
  }

  /** Sections by id, with as much around them as `depth` says. */
  recall(params: Params<"recall">): Promise<Result<"recall">> {
    return this.call("recall", params);
  }

  /** Sections as they are stored. */
  read(kbids: string[]): Promise<Result<"read">> {
    return this.call("read", { kbids });
  }

  /** A document as it is stored. */
  document(docid: string): Promise<Result<"document">> {
    return this.call("document", { docid });
  }

  /** Text composed of sections and documents. */
  content(params: Params<"content">): Promise<Result<"content">> {
    return this.call("content", params);
  }

  /** All revisions of a section. */
  history(kbid: string): Promise<Result<"history">> {
    return this.call("history", { kbid });
  }

  /** Documents, page by page. */
  listDocuments(params: Params<"listDocuments"> = {}): Promise<Result<"listDocuments">> {
    return this.call("listDocuments", params);
  }

  /** Sections, page by page. */
  listSections(params: Params<"listSections"> = {}): Promise<Result<"listSections">> {
    return this.call("listSections", params);
  }

  /** All tags with the number of their sections. */
  listTags(): Promise<Result<"listTags">> {
    return this.call("listTags", {});
  }

  /** Stores a skill. */
  skillLearn(params: Given<"skillLearn">): Promise<Result<"skillLearn">> {
    return this.call("skillLearn", { ...params, ...newKey() });
  }

  /** All skills. */
  skillList(): Promise<Result<"skillList">> {
    return this.call("skillList", {});
  }

  /** A skill by id or by name. */
  skillGet(params: Params<"skillGet">): Promise<Result<"skillGet">> {
    return this.call("skillGet", params);
  }

  /** A skill's text with values in place. */
  skillRender(params: Params<"skillRender">): Promise<Result<"skillRender">> {
    return this.call("skillRender", params);
  }

  /** Takes a skill out. */
  skillDelete(kbid: string): Promise<Result<"skillDelete">> {
    return this.call("skillDelete", { ...newKey(), kbid });
  }

  /** Stores a skill that comes with the program. */
  skillInstall(name: string): Promise<Result<"skillInstall">> {
    return this.call("skillInstall", { ...newKey(), name });
  }

  /** The skills that come with the program. */
  skillBuiltins(): Promise<Result<"skillBuiltins">> {
    return this.call("skillBuiltins", {});
  }

  /** Creates an agent, or puts another in its place. */
  agentCreate(params: Given<"agentCreate">): Promise<Result<"agentCreate">> {
    return this.call("agentCreate", { ...params, ...newKey() });
  }

  /** All agents. */
  agentList(): Promise<Result<"agentList">> {
    return this.call("agentList", {});
  }

  /** An agent by its docid. */
  agentGet(docid: string): Promise<Result<"agentGet">> {
    return this.call("agentGet", { docid });
  }

  /** Takes an agent out. */
  agentDelete(docid: string): Promise<Result<"agentDelete">> {
    return this.call("agentDelete", { ...newKey(), docid });
  }

  /** The state of database and daemon. */
  status(): Promise<StatusResult> {
    return this.call("status", {});
  }

  /** Verifies everything stored. */
  check(onProgress?: OnProgress): Promise<CheckResult> {
    return this.call("check", {}, onProgress);
  }

  /** Makes the index again from truth. */
  rebuild(params: Params<"rebuild"> = {}, onProgress?: OnProgress): Promise<RebuildResult> {
    return this.call("rebuild", params, onProgress);
  }
}

/** A request that is repeated under its key is applied once. */
function newKey(): { key: string } {
  return { key: crypto.randomUUID() };
}
