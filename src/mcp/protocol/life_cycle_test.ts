import assert from "node:assert/strict";
import { test } from "node:test";
import { LifeCycle } from "./life_cycle.ts";
import { HELLO } from "./testing.ts";

/** Code and message of what is thrown. */
function thrown(action: () => void): string {
  try {
    action();
  } catch (error) {
    const { code, message } = error as { code: number; message: string };
    return `${code} ${message}`;
  }
  return "";
}

test("admit() lets only initialize and ping in at first", () => {
  const life = new LifeCycle();
  life.admit("ping");
  life.admit("initialize");
  assert.equal(
    thrown(() => life.admit("tools/list")),
    "-32600 Cannot answer tools/list: the session is not initialized. Send initialize first.",
  );
});

test("admit() waits for notifications/initialized", () => {
  const life = new LifeCycle();
  life.initialize(HELLO);
  life.admit("ping");
  assert.match(thrown(() => life.admit("tools/list")), /Send notifications\/initialized first/);
  life.initialized();
  life.admit("tools/list");
  life.admit("ping");
});

test("admit() refuses a second initialize", () => {
  const life = new LifeCycle();
  life.initialize(HELLO);
  const again = "-32600 Cannot initialize: the session is initialized already. Go on with it.";
  assert.equal(thrown(() => life.admit("initialize")), again);
  life.initialized();
  assert.equal(thrown(() => life.admit("initialize")), again);
});

test("initialized() means nothing before initialize", () => {
  const life = new LifeCycle();
  life.initialized();
  assert.equal(life.ready, false);
  life.initialize(HELLO);
  assert.equal(life.ready, false);
});

test("initialize() names all that is missing", () => {
  const life = new LifeCycle();
  assert.equal(
    thrown(() => life.initialize({})),
    "-32602 Cannot initialize: protocolVersion must be text, capabilities must be an object, " +
      "clientInfo must be an object",
  );
  const odd = { protocolVersion: 20251125, capabilities: [], clientInfo: "me" };
  assert.match(thrown(() => life.initialize(odd)), /protocolVersion.+capabilities.+clientInfo/);
  const { clientInfo: _, ...rest } = HELLO;
  assert.equal(
    thrown(() => life.initialize(rest)),
    "-32602 Cannot initialize: clientInfo must be an object",
  );
  assert.equal(life.facts, null);
  life.admit("initialize");
});

test("initialize() needs no name and version of the client", () => {
  new LifeCycle().initialize({ ...HELLO, clientInfo: {} });
});

test("initialize() agrees on a version that both know", () => {
  const cases = [
    ["2024-11-05", "2024-11-05"],
    ["2025-03-26", "2025-03-26"],
    ["2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-11-25"],
    ["2024-10-07", "2025-11-25"],
    ["2099-01-01", "2025-11-25"],
    ["", "2025-11-25"],
  ];
  for (const [protocolVersion, agreed] of cases) {
    const facts = new LifeCycle().initialize({ ...HELLO, protocolVersion });
    assert.equal(facts.protocolVersion, agreed, protocolVersion);
  }
});
