/**
 * The kinds of every method's parameters.
 *
 * @module
 */

import { type Kinds, refuseWrongKinds } from "../rpc/kinds.ts";
import type { SkillArgument } from "../rpc/prompts.ts";
import type { Params, ServiceMethod } from "../rpc/protocol.ts";
import type { LearnItem } from "../rpc/writing.ts";

const ITEM: Kinds<LearnItem> = {
  content: "text",
  base64: "switch?",
  encoding: "text?",
  type: "text?",
  title: "text?",
  description: "text?",
  docid: "text?",
  tags: "texts?",
  source: "text?",
  document: "switch?",
  replace: "switch?",
};

const ARGUMENT: Kinds<SkillArgument> = { name: "text", description: "text?", required: "switch?" };

const PARAMS: { readonly [M in ServiceMethod]: Kinds<Params<M>> } = {
  learn: { key: "text", items: "objects" },
  revise: {
    key: "text",
    kbid: "text",
    content: "text",
    title: "text?",
    description: "text?",
    tags: "texts?",
  },
  unlearn: { key: "text", kbid: "text?", docid: "text?" },
  gc: { dry_run: "switch?", include_standalone: "switch?" },
  trash: { limit: "number?", cursor: "text?" },
  restore: { key: "text", ids: "texts" },
  emptyTrash: { older_than_days: "number?" },
  search: {
    query: "text",
    mode: "text?",
    match: "text?",
    limit: "number?",
    offset: "number?",
    cursor: "text?",
    content: "switch?",
    tag: "texts?",
    type: "texts?",
    docid: "texts?",
    max_bytes: "number?",
  },
  recall: { kbids: "texts", depth: "number?", max_bytes: "number?", cursor: "text?" },
  read: { kbids: "texts" },
  document: { docid: "text" },
  content: { ids: "texts", max_bytes: "number?", cursor: "text?" },
  history: { kbid: "text" },
  listDocuments: { prefix: "text?", type: "text?", limit: "number?", cursor: "text?" },
  listSections: {
    type: "text?",
    tag: "text?",
    docid: "text?",
    prefix: "text?",
    limit: "number?",
    cursor: "text?",
  },
  listTags: {},
  skillLearn: {
    key: "text",
    name: "text",
    description: "text",
    body: "text",
    arguments: "objects?",
  },
  skillList: {},
  skillGet: { name: "text?", kbid: "text?" },
  skillRender: { name: "text?", kbid: "text?", arguments: "values?" },
  skillDelete: { key: "text", kbid: "text" },
  skillInstall: { key: "text", name: "text" },
  skillBuiltins: {},
  agentCreate: { key: "text", name: "text", description: "text", persona: "text", skills: "texts" },
  agentList: {},
  agentGet: { docid: "text" },
  agentDelete: { key: "text", docid: "text" },
  status: {},
  check: {},
  rebuild: { adopt: "switch?" },
};

/**
 * The parameters of a call, once their values are of the right kinds.
 *
 * @throws {KbdbError} `bad_request`, naming what was expected and what came
 */
export function checkedParams<M extends ServiceMethod>(method: M, given: unknown): Params<M> {
  const action = actionOf(method);
  refuseWrongKinds(action, { given, kinds: PARAMS[method] });
  const params = given as Params<M>;
  for (const item of (params as Partial<Params<"learn">>).items ?? []) {
    refuseWrongKinds(action, { given: item, kinds: ITEM });
  }
  if (method === "skillLearn") {
    for (const argument of (params as Params<"skillLearn">).arguments ?? []) {
      refuseWrongKinds(action, { given: argument, kinds: ARGUMENT });
    }
  }
  return params;
}

/** Whether a name is that of a method which serves a database. */
export function isServiceMethod(name: string): name is ServiceMethod {
  return Object.hasOwn(PARAMS, name);
}

/** `listTags` as `list tags`, `skillGet` as `get the skill`. */
function actionOf(method: ServiceMethod): string {
  const [first, ...rest] = method.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  if (first === "skill" || first === "agent") return `${rest.join(" ")} the ${first}`;
  return [first, ...rest].join(" ");
}
