/**
 * SQLite FTS5 with its Porter stemmer and its own snippets: by `better-sqlite3`, or by the SQLite of
 * the runtime where that cannot be loaded. A write-ahead log that is flushed at each commit.
 */

import { join } from "node:path";
import { LIMIT, serve } from "./serve.mjs";
import { readSections } from "./texts.mjs";

/** Words of a snippet: about 150 characters. */
const SNIPPET_WORDS = 24;

async function openSqlite(load, path) {
  try {
    const { default: Database } = await load("better-sqlite3");
    return { db: new Database(path), binding: "better-sqlite3" };
  } catch {
    const { DatabaseSync } = await import("node:sqlite");
    return { db: new DatabaseSync(path), binding: "node:sqlite" };
  }
}

await serve(async ({ data, load }) => {
  const { db, binding } = await openSqlite(load, join(data, "fts5.db"));
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("PRAGMA synchronous = FULL");
  db.exec(
    "CREATE VIRTUAL TABLE sections USING fts5(title, tags, content, tokenize = 'porter unicode61')",
  );
  const insert = db.prepare("INSERT INTO sections (title, tags, content) VALUES (?, ?, ?)");
  const search = db.prepare(
    `SELECT rowid, title, snippet(sections, 2, '', '', '…', ${SNIPPET_WORDS}) AS snippet
     FROM sections WHERE sections MATCH ? ORDER BY rank LIMIT ${LIMIT}`,
  );
  const add = ({ title, tags, content }) => insert.run(title, tags.join(" "), content);
  return {
    version: () => `SQLite ${db.prepare("SELECT sqlite_version() AS v").get().v}, ${binding}`,
    index(file) {
      let count = 0;
      db.exec("BEGIN");
      for (const section of readSections(file)) {
        add(section);
        count++;
      }
      db.exec("COMMIT");
      return count;
    },
    search: (query) => search.all(query.split(" ").map((word) => `"${word}"`).join(" OR ")),
    insert: add,
    close: () => db.close(),
  };
});
