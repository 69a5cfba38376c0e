/**
 * Resources: sections and documents by address.
 *
 * @module
 */

import { KbdbError } from "../rpc/errors.ts";
import { DEFAULT_REPLY_BYTES } from "../rpc/protocol.ts";
import { RESOURCE_NOT_FOUND } from "./error_codes.ts";
import { ProtocolError } from "./protocol/types.ts";
import { bytesOf } from "./tools/budget.ts";
import { isMissing } from "./tools/skills.ts";
import type { McpResourceResult, McpResourceTemplate } from "./types.ts";
import { parseUri, sectionUri } from "./uris.ts";
import { AbsentDatabase, type McpWorkerClient, type Section } from "./worker_client.ts";

/** Images are given up to this many bytes, since a frame stays below 1 MB (D28). */
const IMAGE_BYTES = 700_000;

/** How much a resource may hold. */
export interface ResourceOptions {
  /** Bytes of text. @default {80,000} */
  readonly room?: number;
}

/** The templates that `resources/templates/list` shows. */
export function createResourceTemplates(): McpResourceTemplate[] {
  return [
    {
      uriTemplate: "kbdb://section/{kbid}",
      name: "section",
      title: "Section",
      description: "A section by its kbid, as it is stored",
      mimeType: "text/plain",
    },
    {
      uriTemplate: "kbdb://document/{docid}",
      name: "document",
      title: "Document",
      description: "A document and its sections in order",
      mimeType: "application/json",
    },
  ];
}

/**
 * Reads a resource.
 *
 * @throws {ProtocolError} -32002 with the address where there is no such thing (D21), or where it is
 *   too large, naming the tool that gives it in parts (D50)
 */
export async function handleResourceRead(
  client: McpWorkerClient,
  uri: string,
  options: ResourceOptions = {},
): Promise<McpResourceResult> {
  const name = parseUri(uri);
  const { room = DEFAULT_REPLY_BYTES } = options;
  if (name === null) throw notFound(uri, `Resource not found: ${uri}`);
  try {
    if (name.kind === "document") return await documentResource(client, { ...name, uri, room });
    const [section] = await client.readSections([name.kbid]);
    if (isMissing(section)) throw new KbdbError("not_found", section.error.message);
    return { contents: [entryOf(section, { uri, room })] };
  } catch (error) {
    if (error instanceof AbsentDatabase) throw notFound(uri, error.message);
    const isAbout = error instanceof KbdbError &&
      ["not_found", "bad_request"].includes(error.code);
    throw isAbout ? notFound(uri, `Resource not found: ${uri}. ${error.message}`) : error;
  }
}

function entryOf(section: Section, { uri, room }: { uri: string; room: number }) {
  const { kbid, sectionType, content, size } = section;
  if (sectionType.startsWith("image/")) {
    if (size > IMAGE_BYTES) throw tooLarge(uri, `the command: kbdb retrieve ${kbid} > FILE`);
    return { uri, mimeType: sectionType, blob: content };
  }
  if (bytesOf(content) > room) throw tooLarge(uri, "the tool content, which gives it in parts");
  return {
    uri,
    mimeType: sectionType === "skill" ? "application/json" : sectionType,
    text: content,
  };
}

/** The manifest and the sections in order; images by address (D24). */
async function documentResource(
  client: McpWorkerClient,
  what: { docid: string; uri: string; room: number },
): Promise<McpResourceResult> {
  const { docid, uri, room } = what;
  const record = await client.retrieveDocument(docid);
  const read = await client.readSections(record.sections.map(({ kbid }) => kbid));
  const sections = record.sections.map((summary, i) => {
    const section = read[i];
    if (isMissing(section)) return { ...summary, error: section.error };
    const isImage = section.sectionType.startsWith("image/");
    return {
      ...summary,
      ...(isImage ? { uri: sectionUri(summary.kbid) } : { content: section.content }),
    };
  });
  const text = JSON.stringify({ ...record, sections }, null, 2);
  if (new TextEncoder().encode(text).length > room) {
    throw tooLarge(uri, "the tool content, which gives it in parts");
  }
  return { contents: [{ uri, mimeType: "application/json", text }] };
}

function notFound(uri: string, message: string): ProtocolError {
  return new ProtocolError(RESOURCE_NOT_FOUND, message, { uri });
}

function tooLarge(uri: string, way: string): ProtocolError {
  return notFound(uri, `Cannot read ${uri} at once: it is too large. Use ${way}.`);
}
