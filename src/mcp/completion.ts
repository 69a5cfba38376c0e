/**
 * Completing names of prompts and addresses of resources (D25).
 *
 * @module
 */

import { listPrompts } from "./prompts.ts";
import type { McpCompletionRef, McpCompletionResult, McpPrompt } from "./types.ts";
import { documentUri, sectionUri } from "./uris.ts";
import {
  AbsentDatabase,
  type IdPage,
  type McpServerClient,
  type McpWorkerClient,
} from "./worker_client.ts";

type CompletingClient = McpWorkerClient & Partial<McpServerClient>;

const MOST = 100;
const KINDS = ["section", "document"];
const NONE: IdPage = { ids: [], total: 0 };
/** A whole template, with its variable or the beginning of its value. */
const TEMPLATE = /^kbdb:\/\/(section|document)\/\{(?:kbid|kb_id|docid|doc_id)\}$/;
const TAIL = /^kbdb:\/\/(section|document)\/(.*)$/s;
/** Arguments of prompts that take an id by their names. */
const TAKES_DOCID = /^doc_?id$|document/i;
const TAKES_KBID = /^kb_?id$|section/i;

/**
 * Values that begin with what was typed so far.
 *
 * @param argument As the protocol has it: `{ name, value }`
 */
export async function handleCompletion(
  ref: McpCompletionRef,
  argument: Readonly<Record<string, string>> | undefined,
  client: CompletingClient,
): Promise<McpCompletionResult> {
  try {
    const { ids, total } = ref.type === "ref/prompt"
      ? await completePrompt(ref.name ?? "", argument, client)
      : await completeUri(ref.uri ?? "", argument?.value ?? "", client);
    return { completion: { values: ids, hasMore: total > ids.length, total } };
  } catch (error) {
    if (!(error instanceof AbsentDatabase)) throw error;
    return { completion: { values: [], hasMore: false, total: 0 } };
  }
}

/** The value of an argument of a prompt that is named exactly, else names of prompts. */
async function completePrompt(
  name: string,
  argument: Readonly<Record<string, string>> | undefined,
  client: CompletingClient,
): Promise<IdPage> {
  const prompts = await listPrompts(client);
  const exact = prompts.find((prompt) => prompt.name === name);
  const asked = exact?.arguments.find((one) => one.name === argument?.name);
  if (asked) return await argumentValues(asked.name, argument?.value ?? "", client);
  const typed = name !== "" ? name : argument?.value ?? "";
  return page(prompts.map((prompt: McpPrompt) => prompt.name), typed);
}

async function argumentValues(
  name: string,
  typed: string,
  client: CompletingClient,
): Promise<IdPage> {
  if (TAKES_KBID.test(name)) return await client.kbidsFrom?.(typed, MOST) ?? NONE;
  if (TAKES_DOCID.test(name)) return await client.docidsFrom?.(typed, MOST) ?? NONE;
  return NONE;
}

/** The variable of a template, else whole addresses. */
async function completeUri(uri: string, typed: string, client: CompletingClient): Promise<IdPage> {
  const [, variable] = TEMPLATE.exec(uri) ?? [];
  if (variable) return await idsOf(variable, typed, client);
  const [, kind, tail] = TAIL.exec(uri) ?? [];
  if (kind) return await addresses(kind, decoded(tail), client);
  const kinds = KINDS.filter((one) => `kbdb://${one}/`.startsWith(uri));
  const pages = await Promise.all(kinds.map((one) => addresses(one, "", client)));
  return {
    ids: pages.flatMap(({ ids }) => ids).slice(0, MOST),
    total: pages.reduce((sum, { total }) => sum + total, 0),
  };
}

async function addresses(kind: string, typed: string, client: CompletingClient): Promise<IdPage> {
  const { ids, total } = await idsOf(kind, typed, client);
  return { ids: ids.map(kind === "section" ? sectionUri : documentUri), total };
}

async function idsOf(kind: string, typed: string, client: CompletingClient): Promise<IdPage> {
  const page = kind === "section"
    ? client.kbidsFrom?.(typed, MOST)
    : client.docidsFrom?.(typed, MOST);
  return await page ?? NONE;
}

function decoded(tail: string): string {
  try {
    return decodeURIComponent(tail);
  } catch {
    return tail;
  }
}

function page(all: readonly string[], typed: string): IdPage {
  const found = all.filter((value) => value.startsWith(typed));
  return { ids: found.slice(0, MOST), total: found.length };
}
