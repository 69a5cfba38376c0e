/** Looks through all texts, in memory: what the driver is tested with. */

import { LIMIT, serve } from "./serve.mjs";
import { cut, readSections, wordsOf } from "./texts.mjs";

await serve(() => {
  const texts = [];
  const add = ({ title, content }) => texts.push({ title, content });
  return {
    version: () => "trivial 1",
    index(file) {
      for (const section of readSections(file)) add(section);
      return texts.length;
    },
    search(query) {
      const wanted = query.split(" ");
      return texts
        .filter(({ content }) => wordsOf(content).some((word) => wanted.includes(word)))
        .slice(0, LIMIT)
        .map(({ title, content }) => ({ title, snippet: cut(content, query) }));
    },
    insert: add,
  };
});
