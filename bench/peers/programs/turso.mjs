/**
 * tantivy as Turso ships it: an index over a table of its SQLite-like database, still called
 * experimental there. It offers no stemmer and marks matches in whole texts only, so that a cutter of
 * our own makes the snippets. The index is made after the table is filled, which is many times
 * faster than the other way round.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LIMIT, serve } from "./serve.mjs";
import { cut, readSections } from "./texts.mjs";

const COLUMNS = "title, tags, content";

await serve(async ({ data, packages, load }) => {
  const { connect } = await load("@tursodatabase/database");
  const db = await connect(join(data, "turso.db"), { experimental: ["index_method"] });
  await db.exec("PRAGMA synchronous = FULL");
  await db.exec(
    "CREATE TABLE sections (id INTEGER PRIMARY KEY, title TEXT, tags TEXT, content TEXT)",
  );
  const insert = await db.prepare(`INSERT INTO sections (${COLUMNS}) VALUES (?, ?, ?)`);
  let select;
  const add = ({ title, tags, content }) => insert.run(title, tags.join(" "), content);
  return {
    version() {
      const path = join(packages, "node_modules/@tursodatabase/database/package.json");
      return `Turso ${JSON.parse(readFileSync(path, "utf8")).version}`;
    },
    async index(file) {
      let count = 0;
      await db.exec("BEGIN");
      for (const section of readSections(file)) {
        await add(section);
        count++;
      }
      await db.exec("COMMIT");
      await db.exec(`CREATE INDEX words ON sections USING fts (${COLUMNS})`);
      select = await db.prepare(
        `SELECT id, title, content FROM sections WHERE fts_match(${COLUMNS}, ?1)
         ORDER BY fts_score(${COLUMNS}, ?1) DESC LIMIT ${LIMIT}`,
      );
      return count;
    },
    async search(query) {
      const rows = await select.all(query);
      return rows.map(({ title, content }) => ({ title, snippet: cut(content, query) }));
    },
    insert: add,
    close: () => db.close(),
  };
});
