// The order in which nodes run. The application prefers what a person can see: an output that is ready, then what an output
// waits for, then what such a node waits for.
import type { Graph } from "@atelier/engine";

export function linkedNodes(graph: Graph, id: string): readonly string[] {
  const found: string[] = [];
  for (const value of Object.values(graph[id]?.inputs ?? {})) {
    if (!Array.isArray(value) || value.length !== 2) continue;
    const [source] = value;
    if (typeof source === "string" && Object.hasOwn(graph, source)) found.push(source);
  }
  return found;
}

// Everything the targets need, themselves included, except nodes that `isSkipped` (and what only those need).
export function neededFor(graph: Graph, targets: readonly string[], isSkipped: (id: string) => boolean): Set<string> {
  const needed = new Set<string>();
  const open = targets.filter((id) => !isSkipped(id));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (needed.has(id)) continue;
    needed.add(id);
    open.push(...linkedNodes(graph, id).filter((source) => !isSkipped(source)));
  }
  return needed;
}

// `needed` has no cycle; each node comes after what it needs.
export function orderOf(graph: Graph, needed: ReadonlySet<string>, outputs: ReadonlySet<string>): readonly string[] {
  const waitsFor = new Map<string, number>();
  const users = new Map<string, string[]>();
  const ids = Object.keys(graph).filter((id) => needed.has(id));
  for (const id of ids) {
    const sources = new Set(linkedNodes(graph, id).filter((source) => needed.has(source)));
    waitsFor.set(id, sources.size);
    for (const source of sources) users.set(source, [...(users.get(source) ?? []), id]);
  }
  const ready = ids.filter((id) => waitsFor.get(id) === 0);
  const usersOf = (id: string) => users.get(id) ?? [];
  const isSeen = (id: string, steps: number): boolean =>
    steps === 0 ? outputs.has(id) : usersOf(id).some((user) => isSeen(user, steps - 1));
  const order: string[] = [];
  while (ready.length > 0) {
    const at = [0, 1, 2].map((steps) => ready.findIndex((id) => isSeen(id, steps))).find((found) => found >= 0) ?? 0;
    const [id] = ready.splice(at, 1);
    if (id === undefined) break;
    order.push(id);
    for (const user of usersOf(id)) {
      const left = (waitsFor.get(user) ?? 1) - 1;
      waitsFor.set(user, left);
      if (left === 0) ready.push(user);
    }
  }
  return order;
}
