/**
 * A client that has the documents' methods and no others, and writes down how it is called.
 *
 * @module
 */

import { serializeSkillContent } from "../../src/rpc/skill_text.ts";
import type { McpWorkerClient, Section } from "../../src/mcp/worker_client.ts";

/** A call: the method and what it was given. */
export type Call = readonly [method: string, ...args: unknown[]];

/** The skill that is stored. */
export const SKILL: Section = {
  kbid: "1".repeat(26),
  sectionType: "skill",
  content: serializeSkillContent({
    name: "explain",
    description: "Explains",
    body: "Explain {{ topic }}.",
    arguments: [],
  }),
  size: 100,
};

/** The agent that is stored; its second skill is gone. */
export const AGENT = {
  docid: "agent-clerk",
  title: "clerk",
  type: "agent",
  source: null,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  sections: [
    { kbid: SKILL.kbid, heading: "explain", type: "skill" },
    { kbid: "2".repeat(26), heading: null, type: "skill" },
  ],
  agent: { name: "clerk", description: "Answers", persona: "You are a clerk." },
};

const ADDED = {
  kbid: "3".repeat(26),
  type: "text/markdown",
  title: null,
  description: null,
  indexed_terms_count: 2,
  elapsed_ms: 1,
  attached: false,
};

const ANSWERS: Record<string, (...args: never[]) => unknown> = {
  search: () => ({ items: [], total: 0, offset: 0, limit: 20, has_more: false, elapsed_ms: 1 }),
  addSection: () => ADDED,
  removeSection: () => ({ removed: true, elapsed_ms: 1 }),
  readSections: (kbids: string[]) =>
    kbids.map((kbid) =>
      kbid === SKILL.kbid ? SKILL : { kbid, error: { code: "not_found", message: "not stored" } }
    ),
  retrieveDocument: () => AGENT,
  recall: ({ kbids }: { kbids: string[] }) => ({
    items: kbids.map((kbid) => ({
      kbid,
      heading: null,
      type: "text/markdown",
      content: "Herons.",
      docids: [],
      tags: [],
      created_at: AGENT.created_at,
    })),
  }),
  content: () => ({ type: "text/markdown", data: "Herons.", total: 7 }),
  dbStatus: () => ({ initialized: true, contextPath: "/x", warnings: [] }),
  integrityCheck: () => ({ ok: true, errors: [], sections_checked: 0, documents_checked: 0 }),
  gc: () => ({ removed_sections: 0, removed_bytes: 0, elapsed_ms: 1 }),
  rebuildIndexes: () => ({ sections_reindexed: 0, terms_indexed: 0, elapsed_ms: 1 }),
  groupSections: ({ agent, sections }: { agent: { name: string }; sections: string[] }) => ({
    docid: `agent-${agent.name}`,
    name: agent.name,
    skills: sections,
  }),
  removeGrouping: (docid: string) => ({ docid, removed: true }),
  listByType: () => [SKILL],
  listDocumentsByType: () => [
    { docid: AGENT.docid, name: "clerk", description: "Answers", skillCount: 2 },
  ],
  disconnect: () => undefined,
};

/** The methods that the documents name. */
export const METHODS: readonly string[] = Object.keys(ANSWERS);

/** A client, and the calls that were made so far. */
export function fakeWorkerClient(
  replaced: Record<string, (...args: never[]) => unknown> = {},
): { client: McpWorkerClient; calls: Call[] } {
  const calls: Call[] = [];
  const answers = { ...ANSWERS, ...replaced };
  const methods = METHODS.map((method) => [method, (...args: unknown[]) => {
    calls.push([method, ...args]);
    return Promise.resolve().then(() => answers[method](...args as never[]));
  }]);
  return { client: Object.fromEntries(methods) as McpWorkerClient, calls };
}
