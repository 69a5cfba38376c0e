/**
 * From files and standard input to the items that are sent: decoded where that is safe, named, typed.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { basename } from "node:path";
import type { FileInfo, Platform } from "../platform/types.ts";
import { KbdbError } from "../rpc/errors.ts";
import { MAX_SECTION_BYTES } from "../rpc/protocol.ts";
import type { LearnItem } from "../rpc/writing.ts";
import type { OnProgress } from "./calls.ts";
import { isImageType, typeOfFile } from "./source_types.ts";

/** How files are to be learned. */
export interface LearnFilesOptions {
  /** The docid of a single file. */
  docid?: string;
  /** Takes the place of the learned folder's name in docids. */
  prefix?: string;
  /** The title of a single file's document. */
  title?: string;
  /** Added to those that the sections have. */
  tags?: string[];
  /** The type of all files; then a folder's files are taken whatever their extension. */
  type?: string;
  /** How to decode files without a byte order mark. @default {"utf-8"} */
  encoding?: "utf-8" | "latin1";
  /** Takes the place of documents whoever they were learned from. @default {false} */
  replace?: boolean;
  /**
   * Takes documents out whose files were in a learned folder and are there no more; they go to the
   * trash. Nothing is taken out where a folder could not be read or no file was found in it.
   * @default {false}
   */
  prune?: boolean;
  /** Told how many files and sections are done. */
  onProgress?: OnProgress;
}

/** A path that was named. */
export interface Root {
  /** Real path. */
  readonly path: string;
  /** As the caller named it. */
  readonly name: string;
  readonly info: FileInfo;
}

/** A file and what it is learned as. */
export interface SourceFile {
  readonly path: string;
  readonly docid: string;
  readonly type: string;
  /** In a folder, an empty file is passed over. */
  readonly inFolder: boolean;
}

/** Content of standard input as an item. */
export function textItem(
  bytes: Uint8Array,
  options: LearnFilesOptions & { description?: string },
): LearnItem {
  const { docid, title, tags, type, description, replace } = options;
  return {
    ...contentOf(bytes, options),
    ...(docid === undefined ? {} : { docid }),
    ...(title === undefined ? {} : { title }),
    ...(tags === undefined ? {} : { tags }),
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...(replace === undefined ? {} : { replace }),
  };
}

/** A file that was named outright. */
export function fileOf(root: Root, options: LearnFilesOptions): SourceFile {
  const prefix = options.prefix?.replace(/\/+$/, "");
  return {
    path: root.path,
    docid: options.docid ?? (prefix ? `${prefix}/${root.name}` : root.name),
    type: options.type ?? typeOfFile(root.name),
    inFolder: false,
  };
}

/**
 * Reads a file into the item that is sent.
 *
 * @throws {KbdbError} `too_large` beyond the limit of a section
 * @throws {FileError} if it cannot be read
 */
export function itemOf(
  platform: Platform,
  from: { file: SourceFile; options: LearnFilesOptions },
): LearnItem {
  const { file, options } = from;
  const { size } = platform.files.stat(file.path);
  if (size > MAX_SECTION_BYTES) {
    throw new KbdbError(
      "too_large",
      `Cannot learn ${file.path}: its ${size} bytes are over the limit of ${MAX_SECTION_BYTES}. ` +
        "Divide it.",
    );
  }
  const { type, docid, path } = file;
  const { encoding, tags, replace } = options;
  const title = options.title ?? (isImageType(type) ? basename(path) : undefined);
  return {
    ...contentOf(platform.files.read(path), { encoding, type }),
    docid,
    document: true,
    source: path,
    type,
    ...(title === undefined ? {} : { title }),
    ...(tags === undefined ? {} : { tags }),
    ...(replace === undefined ? {} : { replace }),
  };
}

/** Text goes as text; images, and whatever has to be decoded first or cannot be, go as bytes. */
export function contentOf(
  bytes: Uint8Array,
  options: { encoding?: LearnItem["encoding"]; type?: string },
): Pick<LearnItem, "content" | "base64" | "encoding"> {
  const { encoding, type = "" } = options;
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) ||
    (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (!isUtf16 && encoding !== "latin1" && !isImageType(type)) {
    try {
      const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      return { content: decoder.decode(bytes) };
    } catch {
      // The daemon names the byte that is no UTF-8.
    }
  }
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
  return { content, base64: true, ...(encoding ? { encoding } : {}) };
}
