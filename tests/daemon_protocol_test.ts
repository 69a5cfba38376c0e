import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync, realpathSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import ts from "typescript";
import { exitCodeOf, isErrorCode, rpcNumber } from "../src/rpc/errors.ts";
import { scratchDatabase } from "./accept/scratch.ts";
import { kbdbJson } from "./support/command.ts";
import { daemonPids, until } from "./support/processes.ts";
import { readProjectFile } from "./support/project.ts";
import { parse } from "./support/source_reader.ts";

const page = readProjectFile("docs/protocol.md");

/** The cells of a table's rows, by the first words of its header. */
function rowsOf(header: string): string[][] {
  const lines = page.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${header} `));
  assert.ok(start >= 0, `docs/protocol.md has no table of ${header}`);
  const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
  return lines.slice(start + 2, start + length).map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim().replaceAll("`", ""))
  );
}

/** The members of an interface of the protocol, each with its type. */
function membersOf(name: string): [name: string, type: ts.TypeNode][] {
  const source = parse("protocol.ts", readProjectFile("src/rpc/protocol.ts"));
  const found = source.statements.find((one): one is ts.InterfaceDeclaration =>
    ts.isInterfaceDeclaration(one) && one.name.text === name
  );
  assert.ok(found !== undefined, `src/rpc/protocol.ts declares no ${name}`);
  return found.members.filter(ts.isPropertySignature)
    .map((member) => [member.name.getText(), member.type!]);
}

/** A type as one line. */
function textOf(type: ts.TypeNode, member: string): string {
  assert.ok(ts.isTypeLiteralNode(type));
  const found = type.members.filter(ts.isPropertySignature)
    .find((one) => one.name.getText() === member);
  return found!.type!.getText().replace(/\s+/g, " ");
}

test("docs/protocol.md names every method with its types", () => {
  const declared = membersOf("Methods")
    .map(([method, type]) => [method, textOf(type, "params"), textOf(type, "result")]);
  assert.deepEqual(rowsOf("method").map((row) => row.slice(0, 3)), declared);
});

test("docs/protocol.md names every notification", () => {
  const names = ["progress", ...membersOf("Notifications").map(([name]) => name)];
  assert.deepEqual(rowsOf("notification").map(([name]) => name), names);
});

test("docs/protocol.md names every error code with its numbers", () => {
  const source = parse("errors.ts", readProjectFile("src/rpc/errors.ts"));
  const codes = source.statements.find((one): one is ts.TypeAliasDeclaration =>
    ts.isTypeAliasDeclaration(one) && one.name.text === "ErrorCode"
  );
  assert.ok(codes !== undefined && ts.isUnionTypeNode(codes.type));
  const declared = codes.type.types.map((type) => type.getText().replaceAll('"', ""));
  const rows = rowsOf("code");
  assert.deepEqual(rows.map(([code]) => code).sort(), declared.sort());
  for (const [code, number, exit] of rows) {
    assert.ok(isErrorCode(code));
    assert.deepEqual([number, exit], [String(rpcNumber(code)), String(exitCodeOf(code))], code);
  }
});

/** A program that speaks to the daemon of a database without kbdb's own client. */
async function stranger(database: string) {
  const endpoint = JSON.parse(readFileSync(join(database, "worker/endpoint"), "utf8"));
  const socket = connect(endpoint.address);
  await once(socket, "connect");
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const read = async () => JSON.parse((await lines.next()).value ?? "null");
  const told: Record<string, unknown>[] = [];
  const say = (text: string) => socket.write(`${text}\n`);
  return {
    endpoint,
    read,
    say,
    told,
    async ask(method: string, params: unknown = {}) {
      say(JSON.stringify({ jsonrpc: "2.0", id: "x", method, params }));
      while (true) {
        const { jsonrpc, id, ...message } = await read();
        assert.equal(jsonrpc, "2.0");
        if (id === "x") return message;
        told.push(message);
      }
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

test("the daemon answers as docs/protocol.md says", async () => {
  await using database = await scratchDatabase();
  await kbdbJson(["status", "--db", database.path]);
  using other = await stranger(database.path);
  const { ask, endpoint } = other;
  const codeOf = async (method: string, params?: unknown) => {
    const { error } = await ask(method, params);
    assert.equal(rpcNumber(error.data.code), error.code);
    return error.data.code;
  };
  assert.equal(await codeOf("status"), "permission");
  const context = createHash("sha256").update(realpathSync(database.path)).digest("hex");
  const hello = { protocol: endpoint.protocol, version: "9.9.9", context, token: endpoint.token };
  assert.equal(await codeOf("hello", { ...hello, token: "guessed" }), "permission");
  assert.equal(await codeOf("hello", { ...hello, context: "another" }), "bad_request");
  const { result } = await ask("hello", hello);
  assert.deepEqual(result, {
    protocol: endpoint.protocol,
    version: endpoint.version,
    pid: endpoint.pid,
    settings: { max_reply_bytes: 80_000 },
  });
  assert.equal(await codeOf("later"), "unsupported");
  assert.equal(await codeOf("search", { query: 5 }), "bad_request");
  assert.equal((await ask("search", { query: "fish", later: true })).result.total, 0);
  other.say("{");
  assert.equal((await other.read()).error.code, -32700);
  other.say("[]");
  assert.equal((await other.read()).error.code, -32600);
  const { seq } = (await ask("subscribe")).result;
  const { results: [learned] } =
    (await ask("learn", { key: "k", items: [{ content: "fish" }] })).result;
  assert.deepEqual(other.told.splice(0), [
    { method: "progress", params: { id: "x", done: 1, total: 1, message: "learning" } },
  ]);
  const { method, params } = await other.read();
  assert.deepEqual([method, params.sections.added], ["changed", [learned.result.kbid]]);
  assert.ok(params.seq > seq);
  const again = (await ask("learn", { key: "k", items: [{ content: "fish" }] })).result;
  assert.equal(again.results[0].result.existing, undefined);
  assert.deepEqual((await ask("unsubscribe")).result, {});
  assert.deepEqual((await ask("stop")).result, { stopping: true, pid: endpoint.pid });
  await until(() => daemonPids(database.path).length === 0, 60_000);
});
