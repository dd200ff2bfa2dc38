// Converts an editor's graph to an API graph, as the application's own editor does. What only the editor knows disappears on the
// way: subgraphs, notes, reroutes, primitive nodes (their value goes where they point), muted nodes with everything that needs
// them, bypassed nodes (the link goes through them).
import { chooseTexts } from "./dynamic-prompt.ts";
import type { EditorClass, EditorClasses } from "./editor-class.ts";
import type { Graph, GraphNode } from "./graph.ts";
import { readUiGraph, type Steps, stepItems, type UiGraph, type UiNode } from "./ui-graph.ts";
import { editorOnly, Links } from "./ui-links.ts";
import { firstOf, Promotions } from "./ui-promotions.ts";
import { definitionsInOrder, isSubgraphId, type Scope, type Unfolded, unfold } from "./ui-scopes.ts";
import type { ShownNode, ShownWidget } from "./widget-values.ts";

export type ConvertedGraph =
  | { readonly ok: true; readonly graph: Graph }
  // Unknown classes, and other reasons, each as a sentence with its node id.
  | { readonly ok: false; readonly unknownClasses: readonly string[]; readonly problems: readonly string[] };

export interface ConvertOptions {
  // Chooses among the alternatives in a text.
  readonly random?: () => number;
  // The editor keeps nodes that need a muted one, because the application then runs only the rest.
  readonly keepsCutOff?: boolean;
}

const problemsMax = 1_000;

export function convertUiGraph(value: unknown, classes: EditorClasses, options: ConvertOptions = {}): ConvertedGraph {
  const steps = conversionOf(value, classes, options);
  let next = steps.next();
  while (next.done !== true) next = steps.next();
  return next.value;
}

// The same in steps, for a caller with other work waiting: a graph may have thousands of nodes.
export function* conversionOf(
  value: unknown,
  classes: EditorClasses,
  options: ConvertOptions = {},
): Steps<ConvertedGraph> {
  const ui = yield* readUiGraph(value);
  const unfolded = unfold(ui);
  yield;
  const refused = refusal(ui, unfolded, classes);
  if (refused !== null) return refused;
  yield;
  const made = yield* new Conversion(ui, unfolded, classes, options.random ?? Math.random).convert();
  if (options.keepsCutOff !== true) dropCutOff(made);
  yield;
  const nodes: [string, GraphNode][] = [];
  for (const [id, { node, inputs }] of made) {
    if (nodes.length % stepItems === 0) yield;
    const known = Object.fromEntries(withoutDangling(inputs, made));
    nodes.push([id, { class_type: node.type, inputs: known, _meta: { title: node.title } }]);
  }
  if (nodes.length > 0) return { ok: true, graph: Object.fromEntries(nodes) };
  return { ok: false, unknownClasses: [], problems: ["The graph has no node that can run."] };
}

// Everything that prevents a conversion, in one answer.
function refusal(
  ui: UiGraph,
  { scopes, problems: unfolding }: Unfolded,
  classes: EditorClasses,
): ConvertedGraph | null {
  const unknown = new Set<string>();
  const problems = [...ui.problems, ...unfolding];
  for (const { level, path } of scopes) {
    for (const { id, type, isMuted, isBypassed } of level.nodes.values()) {
      if (isMuted || isBypassed || ui.definitions.has(type) || classes.get(type) || editorOnly.has(type)) continue;
      if (problems.length >= problemsMax) break;
      const at = `${path}${id}`.slice(0, 200);
      if (isSubgraphId(type)) problems.push(`Node ${at} is an instance of a subgraph that the file does not contain.`);
      else if (/^workflow[>/]/.test(type)) {
        problems.push(
          `Node ${at} is a group node. Open the file in the editor, which turns it into a subgraph, and save it again.`,
        );
      } else unknown.add(type);
    }
  }
  if (unknown.size === 0 && problems.length === 0) return null;
  return { ok: false, unknownClasses: [...unknown].sort(), problems };
}

interface MadeNode {
  readonly node: { readonly type: string; readonly title: string };
  readonly inputs: ReadonlyMap<string, unknown>;
  // Inputs it cannot do without.
  readonly needed: readonly string[];
  // Whether it needs a muted node.
  isCutOff: boolean;
}

class Conversion {
  readonly #unfolded: Unfolded;
  readonly #classes: EditorClasses;
  readonly #promotions: Promotions;
  readonly #links: Links;
  readonly #random: () => number;

  constructor(ui: UiGraph, unfolded: Unfolded, classes: EditorClasses, random: () => number) {
    this.#unfolded = unfolded;
    this.#classes = classes;
    this.#promotions = new Promotions(ui, classes, definitionsInOrder(unfolded, ui));
    this.#links = new Links(ui, this.#promotions, (type) => classes.get(type) !== undefined);
    this.#random = random;
  }

  *convert(): Steps<Map<string, MadeNode>> {
    const made = new Map<string, MadeNode>();
    let count = 0;
    for (const scope of this.#unfolded.scopes) {
      for (const node of scope.level.nodes.values()) {
        count += 1;
        if (count % stepItems === 0) yield;
        const described = node.isMuted || node.isBypassed ? undefined : this.#classes.get(node.type);
        const shown = described ? this.#promotions.shown(node) : null;
        if (described && shown) made.set(`${scope.path}${node.id}`, this.#node(scope, node, shown, described));
      }
    }
    return made;
  }

  #node(scope: Scope, node: UiNode, shown: ShownNode, described: EditorClass): MadeNode {
    const inputs = new Map<string, unknown>();
    for (const widget of shown.widgets.values())
      this.#setWidget(inputs, widget, this.#fromPrimitive(scope, shown, widget));
    const needed: string[] = [];
    let isCutOff = false;
    for (const [at, slot] of shown.slots.entries()) {
      const added = this.#addedValue(scope, node.id, slot.name);
      if (added !== null) {
        inputs.set(slot.name, wrapped(added.value));
        continue;
      }
      const origin = slot.link === null ? null : this.#links.originOf(scope, node, at);
      const isNeeded = !slot.hasWidget && !slot.isOptional;
      if (isNeeded) needed.push(slot.name);
      if (origin?.kind === "link") inputs.set(slot.name, origin.link);
      else if (origin?.kind === "value") setValue(inputs, slot.name, wrapped(origin.value));
      else if (isNeeded && origin?.isMuted) isCutOff = true;
    }
    return { node: { type: node.type, title: node.title ?? described.title }, inputs, needed, isCutOff };
  }

  // The value of a primitive node that points at the widget; null if there is none.
  #fromPrimitive(scope: Scope, shown: ShownNode, { name }: ShownWidget): { readonly value: unknown } | null {
    const slot = shown.slots.find((each) => each.name === name);
    const link = slot?.link ? scope.level.links.get(slot.link) : undefined;
    const source = link ? scope.level.nodes.get(link.source) : undefined;
    if (source?.type !== "PrimitiveNode" || this.#classes.get(source.type)) return null;
    const added = this.#addedValue(scope, source.id, "");
    const value = added === null ? firstOf(source) : added.value;
    return value === undefined ? null : { value };
  }

  #addedValue(scope: Scope, nodeId: string, widget: string): { readonly value: unknown } | null {
    const { within } = scope;
    const index = within === null ? null : this.#promotions.addedFor(within.definition, nodeId, widget);
    return index === null ? null : { value: this.#links.valueOf(scope, index) };
  }

  #setWidget(inputs: Map<string, unknown>, shown: ShownWidget, primitive: { readonly value: unknown } | null): void {
    const { name, widget } = shown;
    if (!widget.isSent) return;
    const value = primitive === null ? shown.value : primitive.value;
    if (widget.hasChoices && typeof value === "string") inputs.set(name, chooseTexts(value, this.#random));
    else if (widget.isCurve && value !== null) setValue(inputs, name, { __type__: "CURVE", __value__: value });
    else setValue(inputs, name, wrapped(value));
  }
}

function setValue(inputs: Map<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined) inputs.set(name, value);
}

// A list as a value is wrapped, because a bare list is a link.
function wrapped(value: unknown): unknown {
  return Array.isArray(value) ? { __value__: value } : value;
}

function linkedTo(value: unknown): string | null {
  return Array.isArray(value) && typeof value[0] === "string" ? value[0] : null;
}

// Here a graph runs completely or not at all: nodes that cannot run because of a muted one are removed, and so is everything
// that needs them.
function dropCutOff(made: Map<string, MadeNode>): void {
  const dependents = new Map<string, string[]>();
  for (const [id, { inputs, needed }] of made) {
    for (const name of needed) {
      const source = linkedTo(inputs.get(name));
      if (source === null) continue;
      const known = dependents.get(source);
      if (known) known.push(id);
      else dependents.set(source, [id]);
    }
  }
  const waiting = [...made].filter(([, { isCutOff }]) => isCutOff).map(([id]) => id);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (made.delete(id)) waiting.push(...(dependents.get(id) ?? []));
  }
}

function withoutDangling(inputs: ReadonlyMap<string, unknown>, made: ReadonlyMap<string, MadeNode>) {
  return [...inputs].filter(([, value]) => {
    const source = linkedTo(value);
    return source === null || made.has(source);
  });
}
