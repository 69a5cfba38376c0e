/**
 * What a client sees of the protocol itself, as a table: lines that are sent, and the messages that
 * come back. Holds for any server of kbdb, in a process of its own or not.
 *
 * @module
 */

/**
 * A part of a message: every key that is named must be there and match, `undefined` means that there
 * is no such key, an expression matches text.
 */
export type Matcher = unknown;

/** What is written: a line, to which its end is added; bytes as they are; or a line of so many bytes. */
export type Sent = string | Uint8Array | { readonly bytes: number };

/** One exchange, to which the end of input belongs. */
export interface WireProbe {
  readonly name: string;
  /** The promises that it keeps. */
  readonly cites?: readonly string[];
  /** Whether the client has initialized before; the answer to that is not counted. */
  readonly fresh?: true;
  readonly send: readonly Sent[];
  /** All answers, in any order. */
  readonly expect: readonly Matcher[];
}

const encoder = new TextEncoder();

/** Bytes of a text, without an end of line. */
function raw(text: string): Uint8Array {
  return encoder.encode(text);
}

function request(id: unknown, method: string, params?: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

function notification(method: string, params?: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params });
}

function initialize(params: Readonly<Record<string, unknown>> = {}): string {
  const clientInfo = { name: "probe", version: "1" };
  return request("init", "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo,
    ...params,
  });
}

/** What comes before a probe that is not `fresh`. */
const HELLO: readonly Sent[] = [initialize(), notification("notifications/initialized")];

/** An error without an id. */
function nameless(code: number, message: RegExp = /./): Matcher {
  return { jsonrpc: "2.0", id: undefined, result: undefined, error: { code, message } };
}

function error(id: string | number, code: number, message: RegExp = /./): Matcher {
  return { jsonrpc: "2.0", id, result: undefined, error: { code, message } };
}

function result(id: string | number, result: Matcher = {}): Matcher {
  return { jsonrpc: "2.0", id, result, error: undefined };
}

/** Shows that the server goes on. */
const STILL_THERE = request("still there", "ping");
const IS_STILL_THERE = result("still there");

/** Something wrong, after which the server goes on. */
function wrong(
  name: string,
  sent: Sent,
  expected: Matcher,
  facts: Pick<WireProbe, "cites"> = {},
): WireProbe {
  return { name, ...facts, send: [sent, STILL_THERE], expect: [expected, IS_STILL_THERE] };
}

function version(asked: string, agreed: string, facts: Pick<WireProbe, "cites">): WireProbe {
  return {
    name: `version ${asked || '""'}`,
    ...facts,
    fresh: true,
    send: [initialize({ protocolVersion: asked })],
    expect: [result("init", { protocolVersion: agreed })],
  };
}

const FRAMING: readonly WireProbe[] = [
  wrong("no JSON", "hello", nameless(-32700, /JSON/), {
    cites: ["error-01", "ruling-d21-6", "client-sdk-1"],
  }),
  wrong("half a message", '{"jsonrpc":"2.0","id":1,"meth', nameless(-32700), {
    cites: ["error-01", "ruling-d21-6"],
  }),
  wrong("broken UTF-8", Uint8Array.of(0x22, 0xff, 0xfe, 0x22, 10), nameless(-32700, /UTF-8/)),
  wrong("a line over 32 MiB", { bytes: 32 * 1024 * 1024 + 1 }, nameless(-32600, /33554432 bytes/), {
    cites: ["ruling-d57-1"],
  }),
  {
    name: "CRLF and blank lines",
    send: [raw(`\r\n\n  \n${request(1, "tools/list")}\r\n`), STILL_THERE],
    expect: [result(1), IS_STILL_THERE],
  },
  {
    name: "a byte order mark",
    fresh: true,
    send: [raw(`\ufeff${request(1, "ping")}\n`)],
    expect: [result(1)],
  },
  {
    name: "two messages in one write",
    send: [raw(`${request(1, "ping")}\n${request(2, "tools/list")}\n`)],
    expect: [result(1), result(2)],
  },
  {
    name: "a last line without an end",
    cites: ["ruling-d22-9"],
    send: [raw(request(1, "tools/list"))],
    expect: [result(1)],
  },
  {
    name: "half a message at the end",
    send: [raw('{"jsonrpc":"2.0","id":1,"meth')],
    expect: [nameless(-32700)],
  },
  {
    name: "U+2028, characters of four bytes and a lone surrogate",
    cites: ["wire-05", "wire-06"],
    send: [raw('{"jsonrpc":"2.0","id":"\u2028🐘\\ud800","method":"ping"}\n')],
    expect: [result("\u2028🐘\ud800")],
  },
  { name: "no input at all", fresh: true, send: [], expect: [] },
];

const SHAPE: readonly WireProbe[] = [
  wrong("null", "null", nameless(-32600), { cites: ["ruling-d21-9"] }),
  wrong("a number", "5", nameless(-32600), { cites: ["ruling-d21-9"] }),
  wrong("an empty object", "{}", nameless(-32600), { cites: ["client-sdk-1"] }),
  wrong("an empty batch", "[]", nameless(-32600, /batch/), { cites: ["ruling-d21-9"] }),
  wrong("a batch", `[${request(1, "ping")}]`, nameless(-32600, /batch/), {
    cites: ["ruling-d21-9", "client-sdk-1"],
  }),
  wrong("id null", request(null, "ping"), nameless(-32600, /id/), {
    cites: ["ruling-d21-7", "wire-06", "client-sdk-1"],
  }),
  wrong("a fractional id", request(1.5, "ping"), nameless(-32600, /id/), {
    cites: ["ruling-d21-8", "wire-06"],
  }),
  wrong("id true", request(true, "ping"), nameless(-32600, /id/), { cites: ["wire-06"] }),
  wrong("an id of 2^53", request(2 ** 53, "ping"), nameless(-32600, /id/)),
  wrong("no jsonrpc", '{"id":1,"method":"ping"}', error(1, -32600, /jsonrpc/), {
    cites: ["client-sdk-1"],
  }),
  wrong("jsonrpc 1.0", '{"jsonrpc":"1.0","id":1,"method":"ping"}', error(1, -32600, /jsonrpc/)),
  wrong("no method", '{"jsonrpc":"2.0","id":1}', error(1, -32600, /method/)),
  wrong(
    "a method that is a number",
    request(1, 5 as unknown as string),
    error(1, -32600, /method/),
  ),
  wrong("params that are a list", request(1, "tools/list", [1]), error(1, -32602, /params/), {
    cites: ["error-03"],
  }),
  wrong("params that are text", request(1, "tools/list", "a"), error(1, -32602, /params/)),
  wrong("params null", request(1, "tools/list", null), error(1, -32602, /params/)),
  wrong("an unknown method", request(1, "no/such"), error(1, -32601, /no\/such/), {
    cites: ["error-02", "method-17"],
  }),
  wrong("a method like a property", request(1, "__proto__"), error(1, -32601)),
  wrong("id 0", request(0, "tools/list"), result(0), { cites: ["ruling-d22-6"] }),
  wrong("an empty id", request("", "tools/list"), result("")),
  wrong("a negative id", request(-7, "tools/list"), result(-7)),
  {
    name: "a key too many",
    send: ['{"jsonrpc":"2.0","id":1,"method":"tools/list","extra":1}'],
    expect: [result(1)],
  },
  {
    name: "the same number as number and text",
    send: [request(1, "tools/list"), request("1", "tools/list")],
    expect: [result(1), result("1")],
  },
  {
    name: "_meta of the wrong kind",
    send: [
      request(1, "tools/list", { _meta: null }),
      request(2, "tools/list", { _meta: { progressToken: 1.5 } }),
      request(3, "ping", { _meta: { progressToken: {} } }),
    ],
    expect: [result(1), result(2), result(3)],
  },
];

const NOTIFICATIONS: readonly WireProbe[] = [
  {
    name: "notifications are never answered",
    cites: ["notify-any-1", "notify-in-3", "missed-notify-3", "wire-06"],
    send: [
      notification("notifications/unknown", { a: 1 }),
      notification("no/such"),
      notification("tools/list"),
      notification("notifications/initialized"),
      notification("notifications/progress", { progressToken: 1, progress: 1 }),
      notification("notifications/roots/list_changed", []),
      STILL_THERE,
    ],
    expect: [IS_STILL_THERE],
  },
  {
    name: "answers to nothing are never answered",
    send: [
      '{"jsonrpc":"2.0","id":99,"result":{}}',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}',
      '{"jsonrpc":"2.0","error":5}',
      '{"id":0,"result":null}',
      STILL_THERE,
    ],
    expect: [IS_STILL_THERE],
  },
  ...[0, "", 7, "a"].map((id): WireProbe => ({
    name: `cancelled in the same breath, id ${JSON.stringify(id)}`,
    cites: ["ruling-d22-7", "client-sdk-3"],
    send: [
      raw(
        request(id, "tools/list") + "\n" +
          notification("notifications/cancelled", { requestId: id }) + "\n",
      ),
      STILL_THERE,
    ],
    expect: [IS_STILL_THERE],
  })),
  {
    name: "cancels that mean nothing",
    send: [
      notification("notifications/cancelled"),
      notification("notifications/cancelled", { requestId: 12345 }),
      notification("notifications/cancelled", { requestId: null, reason: 5 }),
      notification("notifications/cancelled", [1]),
      STILL_THERE,
    ],
    expect: [IS_STILL_THERE],
  },
];

const LIFE_CYCLE: readonly WireProbe[] = [
  {
    name: "initialize",
    cites: ["method-01", "life-init-1"],
    fresh: true,
    send: [initialize()],
    expect: [result("init", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      serverInfo: { name: /./, version: /./ },
    })],
  },
  ...["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"].map((one) =>
    version(one, one, { cites: ["life-init-3", "ruling-d22-5"] })
  ),
  ...["2024-10-07", "2099-01-01", ""].map((one) =>
    version(one, "2025-11-25", { cites: ["life-init-4", "ruling-d22-4"] })
  ),
  {
    name: "ping before initialize",
    cites: ["life-ping-1", "method-03", "module-flow-03", "client-start-8", "ruling-d22-6"],
    fresh: true,
    send: [request(0, "ping"), initialize(), request(1, "ping")],
    expect: [result(0), result("init"), result(1)],
  },
  {
    name: "a request before initialize",
    cites: ["life-02", "ruling-d22-3", "module-flow-03"],
    fresh: true,
    send: [request(0, "tools/list"), request(1, "no/such"), initialize()],
    expect: [error(0, -32600, /initialize/), error(1, -32600, /initialize/), result("init")],
  },
  {
    name: "a request before initialized",
    cites: ["life-02", "ruling-d22-3", "module-flow-03", "notify-in-1"],
    fresh: true,
    send: [initialize(), request(0, "tools/list")],
    expect: [result("init"), error(0, -32600, /notifications\/initialized/)],
  },
  {
    name: "initialized before initialize",
    cites: ["life-02", "notify-in-1"],
    fresh: true,
    send: [notification("notifications/initialized"), initialize(), request(0, "tools/list")],
    expect: [result("init"), error(0, -32600)],
  },
  wrong("a second initialize", initialize(), error("init", -32600, /already/), {
    cites: ["error-12"],
  }),
  {
    name: "initialize without parameters, then again",
    cites: ["error-03"],
    fresh: true,
    send: [request(1, "initialize"), initialize()],
    expect: [
      error(1, -32602, /protocolVersion.*capabilities.*clientInfo/),
      result("init"),
    ],
  },
  {
    name: "initialize with parameters of the wrong type",
    fresh: true,
    send: [
      initialize({ protocolVersion: 1 }),
      initialize({ capabilities: [] }),
      initialize({ clientInfo: "me" }),
    ],
    expect: [
      error("init", -32602, /protocolVersion/),
      error("init", -32602, /capabilities/),
      error("init", -32602, /clientInfo/),
    ],
  },
  {
    name: "initialize with odd but right parameters",
    fresh: true,
    send: [initialize({ clientInfo: { name: "me" }, capabilities: { roots: true, own: 1 }, x: 1 })],
    expect: [result("init")],
  },
  {
    name: "a cancel of initialize does nothing",
    fresh: true,
    send: [
      raw(
        initialize() + "\n" +
          notification("notifications/cancelled", { requestId: "init" }) + "\n",
      ),
    ],
    expect: [result("init")],
  },
];

/** All probes. */
export const WIRE_PROBES: readonly WireProbe[] = [
  ...FRAMING,
  ...SHAPE,
  ...NOTIFICATIONS,
  ...LIFE_CYCLE,
];

/** All that a probe writes to the server's input. */
export function bytesOf(probe: WireProbe): Uint8Array {
  const parts = [...(probe.fresh ? [] : HELLO), ...probe.send].map((sent) => {
    if (sent instanceof Uint8Array) return sent;
    return raw(`${typeof sent === "string" ? sent : "x".repeat(sent.bytes)}\n`);
  });
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/**
 * What is wrong with the output of a server that was sent {@linkcode bytesOf} a probe, as
 * sentences; empty if nothing is. Notifications of the server do not count.
 */
export function faultsOf(probe: WireProbe, output: string): string[] {
  const lines = output.split("\n");
  const faults = lines.pop() === "" ? [] : ["The last line has no end"];
  const messages = lines.map((line) => JSON.parse(line)).filter((one) => !("method" in one));
  const expected = [...(probe.fresh ? [] : [result("init")]), ...probe.expect];
  for (const matcher of expected) {
    const found = messages.findIndex((message) => matches(message, matcher));
    if (found < 0) faults.push(`Missing: ${shown(matcher)}`);
    else messages.splice(found, 1);
  }
  return [...faults, ...messages.map((message) => `Unexpected: ${shown(message)}`)];
}

/** Whether a value is what a matcher asks for. */
export function matches(actual: unknown, matcher: Matcher): boolean {
  if (matcher instanceof RegExp) return typeof actual === "string" && matcher.test(actual);
  if (typeof matcher !== "object" || matcher === null) return Object.is(actual, matcher);
  if (typeof actual !== "object" || actual === null) return false;
  if (Array.isArray(matcher) !== Array.isArray(actual)) return false;
  return Object.entries(matcher).every(([key, value]) =>
    matches((actual as Record<string, unknown>)[key], value)
  );
}

function shown(value: unknown): string {
  return JSON.stringify(value, (_key, part) => part instanceof RegExp ? String(part) : part);
}
