import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Place, type WireMessage, WireServer } from "./wire_server.ts";

const SECTIONS = 400;

let place: Place;
let path = "";

/** Text with so many sections. */
function handbook(sections: number, of = "birds"): string {
  return Array.from(
    { length: sections },
    (_, i) => `# Chapter ${i} of ${of}\n\nBird number ${i} is told of in ${of}, heron ${i}.\n`,
  ).join("\n");
}

before(async () => {
  place = new Place();
  path = await place.database();
  await using server = WireServer.on(path);
  await server.hello();
  await server.tool("learn", { content: handbook(SECTIONS), docid: "handbook" });
  for (const bird of ["Owl", "Stork"]) await server.tool("learn", { content: `${bird}, alone.` });
});

after(() => place[Symbol.asyncDispose]());

/** What was told of the progress of one call. */
function progressOf(server: WireServer, token: unknown): WireMessage[] {
  return server.told("notifications/progress").filter((one) => one.progressToken === token);
}

/** Calls that take long, with the token that each is given. */
const LONG: [name: string, args: object, token: unknown][] = [
  ["rebuild", {}, 0],
  ["check", {}, "a token"],
  ["gc", { include_standalone: true }, ""],
  ["learn", { content: handbook(SECTIONS, "another"), docid: "other" }, 7],
];

for (const [name, args, token] of LONG) {
  const shown = JSON.stringify(token);
  test(`${name} tells how far it is, under the token ${shown} [notify-out-6 missed-notify-1 missed-notify-2 client-progress-1 ruling-d36-2]`, async () => {
    await using server = WireServer.on(path);
    await server.hello();
    const result = await server.call(name, args, { progressToken: token });
    assert.equal(result.isError, undefined);
    const told = progressOf(server, token);
    assert(told.length > 1, `${told.length} messages`);
    const numbers = told.map(({ progress }) => progress);
    assert.deepEqual(numbers, [...new Set(numbers)].sort((a, b) => a - b));
    for (const { message, total } of told) {
      assert(typeof message === "string" && message !== "");
      assert(total === undefined || typeof total === "number");
    }
    // All of it came before the answer.
    const answered = server.messages.findIndex((one) =>
      one.result === undefined ? false : one.result.content
    );
    const last = server.messages.findLastIndex((one) => one.method === "notifications/progress");
    assert(last < answered);
    const count = server.told("notifications/progress").length;
    await server.call(name, args);
    assert.equal(server.told("notifications/progress").length, count);
  });
}

test("searches and pings are answered while a rebuild runs [ruling-d60-1 life-ping-1]", async () => {
  await using server = WireServer.on(path);
  await server.hello();
  const order: string[] = [];
  const long = Array.from(
    { length: 3 },
    () => server.call("rebuild").then(() => order.push("rebuild")),
  );
  const search = server.tool("search", { query: "heron" }).then(({ total }) => {
    order.push("search");
    assert(total >= SECTIONS);
  });
  const ping = server.request("ping").then(() => order.push("ping"));
  await Promise.all([...long, search, ping]);
  assert.equal(order.at(-1), "rebuild");
  assert(order.indexOf("ping") < order.indexOf("rebuild"), order.join());
});

test("a write that is cancelled is applied whole or not at all [ruling-d51-3 notify-in-2 client-sdk-3]", async () => {
  await using server = WireServer.on(path);
  await server.hello();
  await server.tool("status");
  const PARTS = 30;
  const ids = Array.from({ length: 12 }, (_, i) => i);
  for (const id of ids) {
    const content = handbook(PARTS, `book ${id}`);
    const params = { name: "learn", arguments: { content, docid: `book-${id}` } };
    server.send({ jsonrpc: "2.0", id, method: "tools/call", params });
    // Some are cancelled before they are begun, some while they are worked on.
    await new Promise((resolve) => setTimeout(resolve, 2 * (id % 4)));
    server.notify("notifications/cancelled", { requestId: id });
  }
  const { ok } = await server.tool("check");
  assert.equal(ok, true);
  const sizes = [];
  for (const id of ids) {
    const { result } = await server.request("tools/call", {
      name: "retrieve",
      arguments: { docid: `book-${id}` },
    });
    sizes.push(result.isError ? 0 : JSON.parse(result.content[0].text).sections.length);
  }
  assert.deepEqual(sizes.filter((size) => size !== 0 && size !== PARTS), []);
  await server.end();
  const answered = server.messages.filter(({ id }) => ids.includes(id)).map(({ id }) => id);
  // One may have been answered before its cancel was read.
  assert.equal(new Set(answered).size, answered.length);
});
