/**
 * FlexSearch in memory, with a Porter stemmer from a package and a cutter of our own. `suggest` is
 * its way to find what holds some of the words; it ranks by place and not by rarity.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LIMIT, serve } from "./serve.mjs";
import { cut, readSections, wordsOf } from "./texts.mjs";

await serve(async ({ packages, load }) => {
  const { Index } = (await load("flexsearch")).default;
  const { stemmer } = await load("stemmer");
  const index = new Index({ tokenize: "strict", encode: (text) => wordsOf(text).map(stemmer) });
  const texts = [];
  const add = ({ title, tags, content }) => {
    index.add(texts.length, `${title}\n${tags.join(" ")}\n${content}`);
    texts.push({ title, content });
  };
  return {
    version() {
      const path = join(packages, "node_modules/flexsearch/package.json");
      return `FlexSearch ${JSON.parse(readFileSync(path, "utf8")).version}`;
    },
    index(file) {
      for (const section of readSections(file)) add(section);
      return texts.length;
    },
    search(query) {
      return index.search(query, { limit: LIMIT, suggest: true }).map((id) => {
        const { title, content } = texts[id];
        return { title, snippet: cut(content, query) };
      });
    },
    insert: add,
  };
});
