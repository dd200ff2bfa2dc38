// Folders inside a capability, and inside the foundation, import each other in one direction, so that a reader of one
// need not read those that use it. A file directly in the module may use any of its folders; they may use it only if that
// makes no circle of files. The declared edges between capabilities go in one direction too.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { capabilityEdges } from "./capability-edges.ts";
import { importsOf, isTestFile, planted, type Sources, serverSources } from "./sources.ts";

test("folders of a module import each other in one direction", () => {
  assert.deepEqual(knots(serverSources), []);
});

test("the declared edges between capabilities form no cycle", () => {
  const edges = new Map(Object.entries(capabilityEdges).map(([from, to]) => [from, new Set(to)]));
  assert.deepEqual(inCircle(edges), []);
});

test("every declared edge is used", () => {
  const used = new Set<string>();
  for (const [path, text] of serverSources) {
    const from = /^capabilities\/([^/]+)\//.exec(path)?.[1];
    if (from === undefined || isTestFile(path)) continue;
    for (const target of importsOf(path, text)) {
      const to = /^capabilities\/([^/]+)\//.exec(target)?.[1];
      if (to !== undefined && to !== from) used.add(`${from} → ${to}`);
    }
  }
  const declared = Object.entries(capabilityEdges).flatMap(([from, all]) => all.map((to) => `${from} → ${to}`));
  assert.deepEqual(
    declared.filter((edge) => !used.has(edge)),
    [],
  );
});

describe("a planted fault is found", () => {
  test("two folders of a capability that use each other", () => {
    const sources = planted(
      serverSources,
      ["capabilities/audit/one/a.ts", 'import { b } from "../two/b.ts";'],
      ["capabilities/audit/two/c.ts", 'import type { D } from "../one/d.ts";'],
    );
    assert.deepEqual(knots(sources), ["capabilities/audit: one, two use each other"]);
  });

  test("two folders of the foundation that use each other through a third", () => {
    const sources = planted(
      new Map(),
      ["foundation/one/a.ts", 'import { b } from "../two/b.ts";'],
      ["foundation/two/b.ts", 'import { c } from "../three/c.ts";'],
      ["foundation/three/c.ts", 'import { d } from "../one/d.ts";'],
    );
    assert.deepEqual(knots(sources), ["foundation: one, three, two use each other"]);
  });

  test("capabilities that use each other", () => {
    const edges = new Map([
      ["one", new Set(["two"])],
      ["two", new Set(["one", "three"])],
    ]);
    assert.deepEqual(inCircle(edges), ["one", "two"]);
  });
});

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function knots(sources: Sources): string[] {
  const modules = new Map<string, Map<string, Set<string>>>();
  for (const [path, text] of sources) {
    const from = roomOf(path);
    if (from === undefined || isTestFile(path)) continue;
    for (const target of importsOf(path, text)) {
      const to = roomOf(target);
      if (to === undefined || to.module !== from.module || to.room === from.room) continue;
      const graph = modules.get(from.module) ?? new Map<string, Set<string>>();
      graph.set(from.room, (graph.get(from.room) ?? new Set<string>()).add(to.room));
      modules.set(from.module, graph);
    }
  }
  return [...modules].flatMap(([module, graph]) => {
    const knot = inCircle(graph);
    return knot.length === 0 ? [] : [`${module}: ${knot.join(", ")} use each other`];
  });
}

function roomOf(path: string): { readonly module: string; readonly room: string } | undefined {
  const found = /^(capabilities\/[^/]+|foundation)\/([^/]+)\//.exec(path);
  return found?.[1] === undefined || found[2] === undefined ? undefined : { module: found[1], room: found[2] };
}

// The nodes from which a path leads back to themselves.
function inCircle(graph: Graph): string[] {
  const reached = (start: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const open = [start];
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const to of graph.get(next) ?? [])
        if (!seen.has(to)) {
          seen.add(to);
          open.push(to);
        }
    return seen;
  };
  return [...graph.keys()].filter((name) => reached(name).has(name)).sort();
}
