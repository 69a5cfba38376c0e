import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { tempDir } from "../../tests/support/temp_dir.ts";
import { type Collection, readCollection } from "./collection.ts";

const FILES = {
  "corpus.jsonl":
    '{"_id": "d1", "title": "T", "text": "x", "date": 5}\n{"_id": "d2", "text": ""}\n',
  "queries.jsonl": '{"_id": "q1", "text": "x", "group": "g"}\r\n\r\n',
  "qrels.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td9\t0\n",
};

/** Reads a collection of these files, with some of them changed. */
function read(changed: Partial<typeof FILES> = {}): Collection {
  const folder = tempDir("kbdb-collection-");
  try {
    for (const [name, text] of Object.entries({ ...FILES, ...changed })) {
      writeFileSync(folder.join(name), text);
    }
    return readCollection(folder.path);
  } finally {
    folder.remove();
  }
}

test("readCollection() reads the layout of BEIR", () => {
  const { entries, queries, grades } = read();
  assert.deepEqual(entries, [{ id: "d1", title: "T", text: "x" }, {
    id: "d2",
    title: "",
    text: "",
  }]);
  assert.deepEqual(queries, [{ id: "q1", text: "x", group: "g" }]);
  assert.deepEqual(grades, new Map([["q1", new Map([["d1", 2], ["d9", 0]])]]));
});

test("readCollection() names the line that is wrong", () => {
  const corpus = (line: string) => () => read({ "corpus.jsonl": `{"_id":"a","text":""}\n${line}` });
  assert.throws(corpus("{"), /corpus\.jsonl:2: no JSON/);
  assert.throws(corpus("null"), /corpus\.jsonl:2: _id must be a string/);
  assert.throws(corpus('{"_id": "b"}'), /corpus\.jsonl:2: text must be a string/);
  assert.throws(corpus('{"_id": "b", "text": "", "title": 5}'), /:2: title must be a string/);
  assert.throws(corpus('{"_id": "a", "text": ""}'), /the id a comes twice/);
  const qrels = (line: string) => () => read({ "qrels.tsv": `query\tentry\tgrade\n${line}\n` });
  assert.throws(qrels("q1 d1 1"), /qrels\.tsv:2: it must be a query, an entry and a whole number/);
  assert.throws(qrels("q1\td1\t0.5"), /qrels\.tsv:2/);
  assert.throws(qrels("q1\t0\td1\t1"), /qrels\.tsv:2/);
  assert.throws(qrels("q2\td1\t1"), /judges query q2, which is not there/);
});
