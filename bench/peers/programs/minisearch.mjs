/** MiniSearch in memory, with a Porter stemmer from a package and a cutter of our own. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LIMIT, serve } from "./serve.mjs";
import { cut, readSections } from "./texts.mjs";

await serve(async ({ packages, load }) => {
  const { default: MiniSearch } = await load("minisearch");
  const { stemmer } = await load("stemmer");
  const index = new MiniSearch({
    fields: ["title", "tags", "content"],
    storeFields: ["title", "content"],
    processTerm: (term) => stemmer(term.toLowerCase()),
  });
  let count = 0;
  const add = ({ title, tags, content }) =>
    index.add({ id: count++, title, tags: tags.join(" "), content });
  return {
    version() {
      const path = join(packages, "node_modules/minisearch/package.json");
      return `MiniSearch ${JSON.parse(readFileSync(path, "utf8")).version}`;
    },
    index(file) {
      for (const section of readSections(file)) add(section);
      return count;
    },
    search(query) {
      return index.search(query).slice(0, LIMIT)
        .map(({ title, content }) => ({ title, snippet: cut(content, query) }));
    },
    insert: add,
  };
});
