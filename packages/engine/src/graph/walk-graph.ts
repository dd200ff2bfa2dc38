// Walks a graph without recursion: a chain of ten thousand nodes must not exhaust the stack.
import { type Graph, isLink, type Link } from "./graph.ts";

export function nodeOf(graph: Graph, id: string): Graph[string] | undefined {
  return Object.hasOwn(graph, id) ? graph[id] : undefined;
}

// Links to existing nodes, in the order of the inputs.
export function linksOf(graph: Graph, id: string): [input: string, link: Link][] {
  const found: [string, Link][] = [];
  for (const [name, value] of Object.entries(nodeOf(graph, id)?.inputs ?? {})) {
    if (isLink(value) && nodeOf(graph, value[0])) found.push([name, value]);
  }
  return found;
}

interface Order {
  // What the targets need, each node after everything it needs.
  readonly nodes: readonly string[];
  // One list per cycle found: its nodes, in the order of the links.
  readonly cycles: readonly (readonly string[])[];
}

export function orderFor(graph: Graph, targets: readonly string[]): Order {
  const nodes: string[] = [];
  const cycles: string[][] = [];
  const state = new Map<string, "open" | "done">();
  for (const target of targets) {
    if (state.has(target)) continue;
    const trail: { readonly id: string; readonly next: string[] }[] = [];
    const enter = (id: string) => {
      state.set(id, "open");
      trail.push({
        id,
        next: linksOf(graph, id)
          .map(([, [source]]) => source)
          .reverse(),
      });
    };
    enter(target);
    for (let top = trail.at(-1); top; top = trail.at(-1)) {
      const source = top.next.pop();
      if (source === undefined) {
        state.set(top.id, "done");
        nodes.push(top.id);
        trail.pop();
      } else if (!state.has(source)) enter(source);
      else if (state.get(source) === "open") cycles.push(cycleFrom(trail, source));
    }
  }
  return { nodes, cycles };
}

function cycleFrom(trail: readonly { readonly id: string }[], start: string): string[] {
  const ids = trail.map((step) => step.id);
  return ids.slice(ids.indexOf(start));
}

// Which nodes use a node's outputs.
export function usersOf(graph: Graph, nodes: readonly string[]): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const id of nodes) {
    for (const [, [source]] of linksOf(graph, id)) {
      const known = users.get(source);
      if (known) known.push(id);
      else users.set(source, [id]);
    }
  }
  return users;
}

export function reachable(starts: Iterable<string>, next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set(starts);
  const open = [...seen];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const other of next.get(id) ?? []) {
      if (seen.has(other)) continue;
      seen.add(other);
      open.push(other);
    }
  }
  return seen;
}
