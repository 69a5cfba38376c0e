/**
 * From method to operation. What a daemon's first answer does not need is loaded when it is first
 * called.
 *
 * @module
 */

import type { BaseParts } from "../knowledge/base_parts.ts";
import type { KnowledgeBase, KnowledgeStatus } from "../knowledge/knowledge_base.ts";
import type { Params, Progress, Result, ServiceMethod } from "../rpc/protocol.ts";

/** Reports how far a call has come. */
export type ReportProgress = (progress: Progress) => void;

/** What an operation gives; the daemon adds to the status what it knows. */
type Answer<M extends ServiceMethod> = M extends "status" ? KnowledgeStatus : Result<M>;

/** Answers a method. */
type Handler<M extends ServiceMethod> = (
  base: KnowledgeBase,
  params: Params<M>,
  report: ReportProgress,
) => Answer<M> | Promise<Answer<M>>;

type Handlers = {
  readonly [M in ServiceMethod]: () => Handler<M> | Promise<Handler<M>>;
};

type Operation<P, R> = (parts: BaseParts, params: P, report: ReportProgress) => R | Promise<R>;

/** A handler that is there from the start. */
function now<H>(handler: H): () => H {
  return () => handler;
}

/** An operation in a module of its own. */
function later<P, R>(load: () => Promise<Operation<P, R>>) {
  return async () => {
    const operation = await load();
    return (base: KnowledgeBase, params: P, report: ReportProgress): Promise<R> =>
      base.run((parts) => operation(parts, params, report));
  };
}

/** What answers each method, once it is loaded. */
export const HANDLERS: Handlers = {
  learn: now((base, params, report) => base.learn(params, report)),
  revise: later(async () => (await import("../knowledge/write/revise.ts")).revise),
  unlearn: later(async () => (await import("../knowledge/write/unlearn.ts")).unlearn),
  gc: later(async () => (await import("../knowledge/write/gc.ts")).gc),
  trash: later(async () => (await import("../knowledge/write/trash_list.ts")).listTrash),
  restore: later(async () => (await import("../knowledge/write/restore.ts")).restore),
  emptyTrash: later(async () => (await import("../knowledge/write/trash_list.ts")).emptyTrash),

  search: now((base, params) => base.search(params)),
  recall: later(async () => (await import("../knowledge/read/recall.ts")).recall),
  read: later(async () => (await import("../knowledge/read/read.ts")).read),
  document: later(async () => (await import("../knowledge/read/read.ts")).document),
  content: later(async () => (await import("../knowledge/compose/compose.ts")).content),
  history: later(async () => (await import("../knowledge/write/history.ts")).history),
  listDocuments: later(async () => (await import("../knowledge/read/listing.ts")).listDocuments),
  listSections: later(async () => (await import("../knowledge/read/listing.ts")).listSections),
  listTags: later(async () => (await import("../knowledge/read/listing.ts")).listTags),

  skillLearn: later(async () => (await import("../knowledge/prompts/skills.ts")).skillLearn),
  skillList: later(async () => (await import("../knowledge/prompts/skills.ts")).skillList),
  skillGet: later(async () => (await import("../knowledge/prompts/skills.ts")).skillGet),
  skillRender: later(async () => (await import("../knowledge/prompts/skills.ts")).skillRender),
  skillDelete: later(async () => (await import("../knowledge/prompts/skills.ts")).skillDelete),
  skillInstall: later(async () => (await import("../knowledge/prompts/skills.ts")).skillInstall),
  skillBuiltins: later(async () => (await import("../knowledge/prompts/skills.ts")).skillBuiltins),
  agentCreate: later(async () => (await import("../knowledge/prompts/agents.ts")).agentCreate),
  agentList: later(async () => (await import("../knowledge/prompts/agents.ts")).agentList),
  agentGet: later(async () => (await import("../knowledge/prompts/agents.ts")).agentGet),
  agentDelete: later(async () => (await import("../knowledge/prompts/agents.ts")).agentDelete),

  status: now((base) => base.status()),
  check: now((base, _, report) => base.check(report)),
  rebuild: now((base, params, report) => base.rebuild(report, params)),
};

/** Methods that change what is stored. */
export const WRITES: ReadonlySet<ServiceMethod> = new Set<ServiceMethod>([
  "learn",
  "revise",
  "unlearn",
  "gc",
  "restore",
  "emptyTrash",
  "skillLearn",
  "skillDelete",
  "skillInstall",
  "agentCreate",
  "agentDelete",
  "rebuild",
]);
