/**
 * What all engines have in common: they are programs that answer lines of JSON on standard input
 * with lines of JSON on standard output, one after another, and take the time themselves, so that
 * the way to the program counts for none of them.
 *
 * | request                | answer                                                             |
 * | ---------------------- | ------------------------------------------------------------------ |
 * | `{describe: true}`     | `{version}` of the engine and what it runs on                      |
 * | `{index: FILE}`        | `{ms, sections}`: from the file of JSON lines to searchable        |
 * | `{search: [QUERY]}`    | `{ms: [...], results, snippet_chars}`: sums over all queries       |
 * | `{insert: [SECTION]}`  | `{ms: [...]}`: one after another                                   |
 * | `{memory: true}`       | `{rss, client_rss?}` in bytes                                      |
 * | `{close: true}`        | `{}`, and the program ends                                         |
 *
 * What fails is answered with `{error}`. Arguments: the folder for data, then the folder where the
 * packages are installed, or for kbdb the module.
 */

import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

/** How many results a search asks for. */
export const LIMIT = 20;

const [data, packages] = process.argv.slice(2);

/** Imports an installed package. */
async function load(name) {
  const { resolve } = createRequire(join(packages, "package.json"));
  return await import(pathToFileURL(resolve(name)).href);
}

/** Serves the engine that `open` makes, until it is closed. */
export async function serve(open) {
  let engine;
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    let answer;
    try {
      engine ??= await open({ data, packages, load });
      answer = await answerTo(engine, request);
    } catch (error) {
      answer = { error: error?.message ?? String(error) };
    }
    process.stdout.write(JSON.stringify(answer) + "\n");
    if (request.close) process.exit();
  }
  // The driver is gone.
  await engine?.close?.();
  process.exit();
}

async function answerTo(engine, request) {
  if (request.describe) return { version: `${await engine.version()}, ${runtime()}` };
  if (request.index !== undefined) return await index(engine, request.index);
  if (request.search !== undefined) return await search(engine, request.search);
  if (request.insert !== undefined) return await insert(engine, request.insert);
  if (request.memory) return (await engine.memory?.()) ?? { rss: process.memoryUsage.rss() };
  if (request.close) await engine.close?.();
  return {};
}

function runtime() {
  const { deno, node } = process.versions;
  return deno === undefined ? `Node ${node}` : `Deno ${deno}`;
}

async function index(engine, file) {
  const start = performance.now();
  const sections = await engine.index(file);
  return { ms: performance.now() - start, sections };
}

async function search(engine, queries) {
  const answer = { ms: [], results: 0, snippet_chars: 0 };
  for (const query of queries) {
    const start = performance.now();
    const items = await engine.search(query);
    answer.ms.push(performance.now() - start);
    answer.results += items.length;
    for (const { snippet } of items) answer.snippet_chars += snippet.length;
  }
  return answer;
}

async function insert(engine, sections) {
  const ms = [];
  for (const section of sections) {
    const start = performance.now();
    await engine.insert(section);
    ms.push(performance.now() - start);
  }
  return { ms };
}
