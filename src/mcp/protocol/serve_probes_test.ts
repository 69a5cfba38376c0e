import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOf, faultsOf, matches, WIRE_PROBES } from "../../../tests/mcp/wire_probes.ts";
import { TestClient } from "./testing.ts";

for (const probe of WIRE_PROBES) {
  test(`serve() on the wire: ${probe.name}`, async () => {
    const client = new TestClient();
    client.send(bytesOf(probe));
    await client.end();
    assert.deepEqual(faultsOf(probe, client.lines.join("")), []);
  });
}

test("matches() asks for what is named, and no more", () => {
  assert(matches({ a: 1, b: "text", c: [1] }, { a: 1, b: /^t/, c: [1], d: undefined }));
  for (const matcher of [{ a: 2 }, { a: undefined }, { b: 1 }, { a: { c: 1 } }, [1]]) {
    assert(!matches({ a: 1 }, matcher), JSON.stringify(matcher));
  }
});

test("faultsOf() names what is missing and what is too much", () => {
  const probe = { name: "x", fresh: true, send: [], expect: [{ id: 1, error: /e/ }] } as const;
  assert.deepEqual(faultsOf(probe, '{"id":2}\n{"method":"m"}\n'), [
    'Missing: {"id":1,"error":"/e/"}',
    'Unexpected: {"id":2}',
  ]);
  assert.deepEqual(faultsOf(probe, '{"id":1,"error":"e"}\n{"method":"m"}'), [
    "The last line has no end",
  ]);
});
