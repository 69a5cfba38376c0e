/**
 * Circles in what includes what.
 *
 * @module
 */

/** What each node includes. */
export type Includes = ReadonlyMap<string, ReadonlySet<string>>;

/** Following includes costs at most this many steps; a graph that needs more holds circles enough. */
const MOST_STEPS = 2_000_000;

/**
 * Circles that together have every include that lies on one, each once, as the nodes in order. `before`
 * tells which of two nodes a circle rather begins with.
 */
export function includeCycles(
  includes: Includes,
  before: (a: string, b: string) => boolean,
): string[][] {
  const graph = withoutDeadEnds(includes);
  const cycles = new Map<string, string[]>();
  let steps = 0;
  for (const [from, targets] of graph) {
    for (const to of targets) {
      const found = shortestPath(graph, { from: to, to: from });
      steps += found.steps;
      if (found.path) {
        const cycle = rotated(found.path, before);
        cycles.set(cycle.join(" "), cycle);
      }
      if (steps > MOST_STEPS) return [...cycles.values()];
    }
  }
  return [...cycles.values()];
}

/** What is left when nodes that nothing includes, or that include nothing, are taken out. */
function withoutDeadEnds(includes: Includes): Map<string, Set<string>> {
  const graph = new Map([...includes].map(([node, targets]) => [node, new Set(targets)]));
  const includers = new Map<string, string[]>();
  for (const [node, targets] of graph) {
    for (const target of targets) includers.set(target, [...includers.get(target) ?? [], node]);
  }
  const dead = [...includers.keys()].filter((node) => !graph.get(node)?.size);
  for (const node of dead) {
    graph.delete(node);
    for (const includer of includers.get(node) ?? []) {
      const targets = graph.get(includer);
      if (targets?.delete(node) && targets.size === 0) dead.push(includer);
    }
  }
  return graph;
}

function shortestPath(
  graph: Includes,
  ends: { from: string; to: string },
): { path: string[] | null; steps: number } {
  const { from, to } = ends;
  const cameFrom = new Map<string, string | null>([[from, null]]);
  for (const node of cameFrom.keys()) {
    if (node === to) return { path: pathTo(node, cameFrom), steps: cameFrom.size };
    for (const target of graph.get(node) ?? []) {
      if (!cameFrom.has(target)) cameFrom.set(target, node);
    }
  }
  return { path: null, steps: cameFrom.size };
}

function pathTo(end: string, cameFrom: ReadonlyMap<string, string | null>): string[] {
  const path: string[] = [];
  for (let node: string | null = end; node !== null; node = cameFrom.get(node) ?? null) {
    path.unshift(node);
  }
  return path;
}

function rotated(cycle: string[], before: (a: string, b: string) => boolean): string[] {
  const first = cycle.reduce((best, node, i) => before(node, cycle[best]) ? i : best, 0);
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}
