/**
 * Stored things as pieces of Markdown. What is stored stays inside its piece: it is escaped, or fenced
 * in so that it cannot close the fence (D29).
 *
 * @module
 */

import type { SectionSummary } from "../../rpc/reading.ts";
import type { AgentFacts } from "../../store/document_store.ts";
import { isImage } from "../index/records.ts";
import { base64Of } from "../stored_text.ts";

/** An image of more bytes is named, not shown. */
const SHOWN_IMAGE_BYTES = 256 * 1024;
const SPECIAL = /[\\`*_[\]<>|~]/g;

/** Languages whose name is not their type's. */
const LANGUAGES: Readonly<Record<string, string>> = {
  "x-shellscript": "sh",
  "x-c++": "cpp",
  "x-c++src": "cpp",
  "x-csrc": "c",
  "x-csharp": "csharp",
  "x-script.python": "python",
  ecmascript: "javascript",
};

/** A line that kbdb puts into a text to say what is not there. */
export function note(sentence: string): string {
  return `*[kbdb: ${escaped(sentence)}]*`;
}

/** Plain text as it looks the same in Markdown, on one line. */
export function escaped(text: string): string {
  return text.replace(/\s+/g, " ").trim().replace(SPECIAL, "\\$&");
}

/** Address of a section. */
export function sectionUri(kbid: string): string {
  return `kbdb://section/${kbid}`;
}

/** Address of a document, or of a heading in it. */
export function documentUri(docid: string, fragment: string | null): string {
  const anchor = fragment === null ? "" : `#${addressPart(fragment)}`;
  return `kbdb://document/${addressPart(docid)}${anchor}`;
}

/** A link. */
export function link(label: string, uri: string): string {
  return `[${escaped(label)}](${uri})`;
}

/** A text as a code block. */
export function fence(text: string, language: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const ticks = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${ticks}${language}\n${text}\n${ticks}`;
}

/** The language of a code block with content of this type. */
export function languageOf(type: string): string {
  if (type === "skill") return "json";
  const name = type.split(";")[0].replace(/^[^/]*\//, "").trim();
  return LANGUAGES[name] ?? name.replace(/^x-/, "").replace(/\+json$|^json$/, "json");
}

/** Whether content of this type can stand in a code block where a text asks for code. */
export function isCode(type: string): boolean {
  return type === "application/json" || (type.startsWith("text/") && type !== "text/markdown");
}

/** An image as an address, or `null` where it is none or too large to be shown. */
export function dataUri(type: string, bytes: Uint8Array): string | null {
  if (!isImage(type) || bytes.length > SHOWN_IMAGE_BYTES) return null;
  return `data:${type.replace(/[^\w.+/;=-]/g, "")};base64,${base64Of(bytes)}`;
}

/** An image as it is shown inside a text, or a note with its address where it is too large. */
export function image(
  picture: { kbid: string; type: string; bytes: Uint8Array },
  label: string,
): string {
  const { kbid, type, bytes } = picture;
  const uri = dataUri(type, bytes);
  if (uri !== null) return `!${link(label, uri)}`;
  const sentence = `${label} is an image of ${bytes.length} bytes, too large to be shown here`;
  return `${note(sentence)} ${link(label, sectionUri(kbid))}`;
}

/** An agent: who it is and which skills it has. */
export function agentText(agent: AgentFacts, skills: readonly SectionSummary[]): string {
  const lines = skills.map(({ kbid, heading }) =>
    heading === null
      ? `- ${note(`skill ${kbid} is not stored`)}`
      : `- ${link(heading, sectionUri(kbid))}`
  );
  const parts = [`# ${escaped(agent.name)}`, escaped(agent.description), agent.persona];
  return [...parts, ...(lines.length > 0 ? [lines.join("\n")] : [])].join("\n\n");
}

/** Parentheses would end a link. */
function addressPart(text: string): string {
  return encodeURIComponent(text).replace(/[()'*!]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
}
