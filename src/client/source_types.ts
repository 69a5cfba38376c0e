/**
 * From a file's name to the type that it is learned as.
 *
 * @module
 */

import { extname } from "node:path";

/** What is also learned where it is found in a folder, by extension. */
const PROSE = {
  "text/markdown": "md markdown mdown mkd mkdn",
  "text/plain": "txt text rst adoc asciidoc org",
};

/** What a file that is named outright may be besides. */
const OTHERS = {
  "application/json": "json geojson webmanifest",
  "image/png": "png",
  "image/jpeg": "jpg jpeg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/svg+xml": "svg",
  "image/avif": "avif",
  "image/bmp": "bmp",
  "text/css": "css scss sass less",
  "text/csv": "csv",
  "text/html": "html htm",
  "text/javascript": "js mjs cjs jsx",
  "text/tab-separated-values": "tsv",
  "text/typescript": "ts mts cts tsx",
  "text/xml": "xml xsd xsl",
  "text/yaml": "yaml yml",
  "text/x-c": "c h",
  "text/x-c++": "cc cpp cxx hh hpp hxx",
  "text/x-clojure": "clj cljs cljc",
  "text/x-csharp": "cs",
  "text/x-dart": "dart",
  "text/x-diff": "diff patch",
  "text/x-elixir": "ex exs",
  "text/x-erlang": "erl hrl",
  "text/x-fsharp": "fs fsi fsx",
  "text/x-go": "go",
  "text/x-graphql": "graphql gql",
  "text/x-groovy": "groovy gradle",
  "text/x-haskell": "hs",
  "text/x-ini": "ini cfg conf properties",
  "text/x-java": "java",
  "text/x-julia": "jl",
  "text/x-kotlin": "kt kts",
  "text/x-lisp": "lisp el scm",
  "text/x-lua": "lua",
  "text/x-nix": "nix",
  "text/x-objectivec": "m mm",
  "text/x-ocaml": "ml mli",
  "text/x-perl": "pl pm",
  "text/x-php": "php",
  "text/x-powershell": "ps1 psm1",
  "text/x-protobuf": "proto",
  "text/x-python": "py pyi",
  "text/x-r": "r",
  "text/x-ruby": "rb",
  "text/x-rust": "rs",
  "text/x-scala": "scala sc",
  "text/x-shellscript": "sh bash zsh fish",
  "text/x-sql": "sql",
  "text/x-swift": "swift",
  "text/x-tex": "tex sty",
  "text/x-toml": "toml",
  "text/x-vue": "vue",
  "text/x-zig": "zig",
};

const IN_FOLDERS = byExtension(PROSE);
const BY_NAME = byExtension({ ...PROSE, ...OTHERS });

/** The type that a file found in a folder is learned as, or `null` where it is passed over. */
export function typeInFolder(name: string): string | null {
  return IN_FOLDERS.get(extensionOf(name)) ?? null;
}

/** The type of a file that was named outright: where nothing is known of it, plain text. */
export function typeOfFile(name: string): string {
  return BY_NAME.get(extensionOf(name)) ?? "text/plain";
}

/** Whether a content of this type is bytes and no text. */
export function isImageType(type: string): boolean {
  return /^image\//i.test(type);
}

function extensionOf(name: string): string {
  return extname(name).slice(1).toLowerCase();
}

function byExtension(types: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(types).flatMap(([type, extensions]) =>
      extensions.split(" ").map((extension): [string, string] => [extension, type])
    ),
  );
}
