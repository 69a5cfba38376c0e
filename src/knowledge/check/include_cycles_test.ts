import assert from "node:assert/strict";
import { test } from "node:test";
import { includeCycles } from "./include_cycles.ts";

/** The cycles of a graph written as `a>b b>c`. */
function cyclesOf(edges: string): string[] {
  const graph = new Map<string, Set<string>>();
  for (const edge of edges.split(" ").filter(Boolean)) {
    const [from, to] = edge.split(">");
    graph.set(from, (graph.get(from) ?? new Set()).add(to));
  }
  return includeCycles(graph, (a, b) => a < b).map((cycle) => cycle.join("")).sort();
}

test("includeCycles() finds each circle once, from its smallest node", () => {
  const cases: [edges: string, cycles: string[]][] = [
    ["", []],
    ["a>b b>c a>c", []],
    ["a>a", ["a"]],
    ["b>c c>a a>b", ["abc"]],
    ["a>b b>a a>c c>a", ["ab", "ac"]],
    ["x>a a>b b>a b>y", ["ab"]],
    ["a>b b>d d>a a>c c>d", ["abd", "acd"]],
    ["a>b b>a c>d d>c b>c", ["ab", "cd"]],
  ];
  for (const [edges, cycles] of cases) assert.deepEqual(cyclesOf(edges), cycles, edges);
});

test("includeCycles() bears long chains and dense graphs", () => {
  const chain = Array.from({ length: 20_000 }, (_, i) => `n${i}>n${i + 1}`).join(" ");
  assert.deepEqual(cyclesOf(chain), []);
  assert.equal(cyclesOf(`${chain} n20000>n0`).length, 1);
  const names = Array.from({ length: 120 }, (_, i) => `n${i}`);
  const dense = names.flatMap((a) => names.map((b) => `${a}>${b}`)).join(" ");
  const start = performance.now();
  assert.ok(cyclesOf(dense).length > 100);
  assert.ok(performance.now() - start < 5000);
});
