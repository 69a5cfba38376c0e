/**
 * From a file's name to the type that it is learned as.
 *
 * @module
 */

import { extname } from "node:path";

const MARKDOWN = ["md", "markdown", "mdown", "mkd"];
const PLAIN = ["txt", "text", "rst", "adoc", "org"];

/** What a file that is named outright may also be, by its extension. */
const CODE: Record<string, string> = {
  json: "application/json",
  ts: "text/typescript",
  tsx: "text/typescript",
  js: "text/javascript",
  mjs: "text/javascript",
  cjs: "text/javascript",
  jsx: "text/javascript",
  py: "text/x-python",
  rs: "text/x-rust",
  go: "text/x-go",
  c: "text/x-c",
  h: "text/x-c",
  cpp: "text/x-c++",
  java: "text/x-java",
  rb: "text/x-ruby",
  sh: "text/x-shellscript",
  sql: "text/x-sql",
  css: "text/css",
  html: "text/html",
  xml: "text/xml",
  csv: "text/csv",
  yaml: "text/yaml",
  yml: "text/yaml",
  toml: "text/x-toml",
};

/** The type that a file found in a folder is learned as, or `null` where it is passed over. */
export function typeInFolder(name: string): string | null {
  const extension = extensionOf(name);
  if (MARKDOWN.includes(extension)) return "text/markdown";
  return PLAIN.includes(extension) ? "text/plain" : null;
}

/** The type of a file that was named outright: any text will do. */
export function typeOfFile(name: string): string {
  return typeInFolder(name) ?? CODE[extensionOf(name)] ?? "text/plain";
}

function extensionOf(name: string): string {
  return extname(name).slice(1).toLowerCase();
}
