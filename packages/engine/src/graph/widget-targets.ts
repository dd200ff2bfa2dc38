// Where the widgets of an editor's top level lead in the API graph, if they are not inputs of the node itself: an instance of a
// subgraph shows widgets of inner nodes, and a primitive node's value goes where it points. One widget may feed several nodes.
import { inputEnd, readUiGraph, type Steps, type UiLevel, type UiNode } from "./ui-graph.ts";
import { type Scope, unfold } from "./ui-scopes.ts";

export interface WidgetTarget {
  // As in the API graph: "12:5" is node 5 inside instance 12.
  readonly node: string;
  readonly input: string;
}

// By node of the top level, then by widget.
export type WidgetTargets = ReadonlyMap<string, ReadonlyMap<string, readonly WidgetTarget[]>>;

// A file may lead in circles, or through very many links.
const depthMax = 100;
const hopsMax = 100_000;

export function widgetTargets(value: unknown): WidgetTargets {
  const steps = widgetTargetsOf(value);
  let next = steps.next();
  while (next.done !== true) next = steps.next();
  return next.value;
}

// The same in steps. Empty if the value is not an editor's graph. A target may be missing in the API graph: muted, bypassed, or
// fed by a link.
export function* widgetTargetsOf(value: unknown): Steps<WidgetTargets> {
  const { top, problems } = unfold(yield* readUiGraph(value));
  yield;
  const found = new Map<string, ReadonlyMap<string, readonly WidgetTarget[]>>();
  if (problems.length > 0) return found;
  const walk: Walk = { hops: 0, consumers: new Map(), widgets: new Map() };
  for (const node of top.level.nodes.values()) {
    const child = top.children.get(node.id);
    if (child) found.set(node.id, widgetsOf(child, node, walk));
    else if (node.type === "PrimitiveNode") found.set(node.id, new Map([["value", fedBy(top, node.id, 0, walk, 0)]]));
  }
  return found;
}

interface Walk {
  hops: number;
  // Links by level, then by "node:slot" that they come from.
  readonly consumers: Map<UiLevel, ReadonlyMap<string, readonly string[]>>;
  readonly widgets: Map<Scope, ReadonlyMap<string, readonly WidgetTarget[]>>;
}

function widgetsOf(inside: Scope, instance: UiNode, walk: Walk): ReadonlyMap<string, readonly WidgetTarget[]> {
  const known = walk.widgets.get(inside);
  if (known) return known;
  const widgets = new Map<string, readonly WidgetTarget[]>();
  walk.widgets.set(inside, widgets);
  for (const [at, { name }] of (inside.within?.definition.inputs ?? []).entries())
    if (!widgets.has(name)) widgets.set(name, fedBy(inside, inputEnd, at, walk, 0));
  // Older files name inner widgets that are not inputs of the subgraph.
  for (const [nodeId, widget] of instance.promoted) {
    const child = inside.children.get(nodeId);
    const node = inside.level.nodes.get(nodeId);
    if (!node || widgets.has(widget)) continue;
    const target = child
      ? widgetsOf(child, node, walk).get(widget)
      : [{ node: `${inside.path}${nodeId}`, input: widget }];
    if (target !== undefined) widgets.set(widget, target);
  }
  return widgets;
}

function fedBy(scope: Scope, source: string, slot: number, walk: Walk, depth: number): readonly WidgetTarget[] {
  const linkIds = consumersIn(scope.level, walk).get(`${source}:${slot}`) ?? [];
  return linkIds.flatMap((linkId) => {
    walk.hops += 1;
    const link = scope.level.links.get(linkId);
    const node = link ? scope.level.nodes.get(link.target) : undefined;
    const input = node?.inputs.find((each) => each.link === linkId) ?? node?.inputs[link?.targetSlot ?? -1];
    if (!node || !input || depth > depthMax || walk.hops > hopsMax) return [];
    if (node.type === "Reroute") return fedBy(scope, node.id, 0, walk, depth + 1);
    const child = scope.children.get(node.id);
    if (!child) return [{ node: `${scope.path}${node.id}`, input: input.name }];
    const port = child.within?.definition.inputs.findIndex(({ name }) => name === input.name) ?? -1;
    return fedBy(child, inputEnd, port, walk, depth + 1);
  });
}

function consumersIn(level: UiLevel, { consumers }: Walk): ReadonlyMap<string, readonly string[]> {
  const known = consumers.get(level);
  if (known) return known;
  const found = new Map<string, string[]>();
  for (const { id, source, slot } of level.links.values()) {
    const key = `${source}:${slot}`;
    const others = found.get(key);
    if (others) others.push(id);
    else found.set(key, [id]);
  }
  consumers.set(level, found);
  return found;
}
