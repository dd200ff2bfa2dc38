// A graph with its subgraphs expanded: every instance is a scope, and a node inside is known by the path to it ("12:3" is node 3
// inside instance 12). Circular subgraphs, and graphs that expand without end, are reported.
import type { UiDefinition, UiGraph, UiLevel, UiNode } from "./ui-graph.ts";

export interface Scope {
  readonly level: UiLevel;
  // "" at the top, otherwise the path with its last colon.
  readonly path: string;
  // For an instance: its definition, and where it is.
  readonly within: { readonly scope: Scope; readonly instance: UiNode; readonly definition: UiDefinition } | null;
  readonly children: ReadonlyMap<string, Scope>;
}

export interface Unfolded {
  readonly top: Scope;
  readonly scopes: readonly Scope[];
  readonly problems: readonly string[];
}

const depthMax = 64;
const nodesMax = 10_000;
const subgraphId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function unfold(graph: UiGraph): Unfolded {
  const scopes: Scope[] = [];
  const problems: string[] = [];
  let count = 0;
  const enter = (level: UiLevel, path: string, within: Scope["within"], open: readonly UiDefinition[]): Scope => {
    const children = new Map<string, Scope>();
    const scope: Scope = { level, path, within, children };
    scopes.push(scope);
    count += level.nodes.size;
    for (const node of level.nodes.values()) {
      if (count > nodesMax || problems.length > 0) break;
      const definition = graph.definitions.get(node.type);
      // At the top we do not look into muted or bypassed nodes; further inside the editor keeps the nodes.
      if (!definition || (within === null && (node.isMuted || node.isBypassed))) continue;
      const at = `${path}${node.id}`;
      if (open.includes(definition))
        problems.push(`Node ${at} contains itself: the subgraph "${shortened(definition)}".`);
      else if (open.length >= depthMax) problems.push(`Node ${at} is nested more than ${depthMax} subgraphs deep.`);
      else {
        const inside = { scope, instance: node, definition };
        children.set(node.id, enter(definition, `${at}:`, inside, [...open, definition]));
      }
    }
    return scope;
  };
  const top = enter(graph, "", null, []);
  if (count > nodesMax) problems.push(`The graph has more than ${nodesMax} nodes, counting its subgraphs.`);
  return { top, scopes, problems };
}

// The definitions in use, inner ones first; there are no cycles.
export function definitionsInOrder(unfolded: Unfolded, graph: UiGraph): readonly UiDefinition[] {
  const order: UiDefinition[] = [];
  const seen = new Set<UiDefinition>();
  const visit = (definition: UiDefinition): void => {
    if (seen.has(definition)) return;
    seen.add(definition);
    for (const node of definition.nodes.values()) {
      const inner = graph.definitions.get(node.type);
      if (inner) visit(inner);
    }
    order.push(definition);
  };
  for (const { within } of unfolded.scopes) if (within) visit(within.definition);
  // An instance that we do not look into may still pass links on, by its inputs.
  for (const node of graph.nodes.values()) {
    const definition = graph.definitions.get(node.type);
    if (definition && !seen.has(definition)) {
      seen.add(definition);
      order.push(definition);
    }
  }
  return order;
}

// A type that only a subgraph can have.
export function isSubgraphId(type: string): boolean {
  return subgraphId.test(type);
}

function shortened({ name }: UiDefinition): string {
  return name.slice(0, 100);
}
