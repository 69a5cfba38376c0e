/**
 * Whether stored bytes are what their type says.
 *
 * @module
 */

import { isUtf8 } from "node:buffer";
import { parseSkillContent } from "../../rpc/skill_text.ts";
import { imageFault } from "../write/image_bytes.ts";
import { isImage } from "../index/records.ts";
import { SKILL_TYPE } from "../prompts/stored_skills.ts";

const JSON_TYPE = /^application\/(?:.+\+)?json$/;
const decoder = new TextDecoder();

/** What of the bytes contradicts their type, or `null`. */
export function typeFault(type: string, bytes: Uint8Array): string | null {
  if (isImage(type)) return imageFault(type, bytes)?.reason ?? null;
  if (!isUtf8(bytes)) return `its type is ${type}, and its bytes are no UTF-8`;
  if (type === SKILL_TYPE) return faultOf(() => parseSkillContent(decoder.decode(bytes)));
  if (JSON_TYPE.test(type)) return faultOf(() => JSON.parse(decoder.decode(bytes)), type);
  return null;
}

function faultOf(parse: () => unknown, type?: string): string | null {
  try {
    parse();
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return type === undefined ? reason : `its type is ${type}, and it cannot be parsed: ${reason}`;
  }
}
