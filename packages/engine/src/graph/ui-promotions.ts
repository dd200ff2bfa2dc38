// Widgets that an instance of a subgraph shows of its inner nodes, and the values it gives them. A subgraph's input that leads
// to a widget has a value on each instance. Files of older editors also name inner widgets that are not inputs; those become
// additional inputs, as in the newer editor.
import type { EditorClasses } from "./editor-class.ts";
import {
  inputEnd,
  type PromotedWidget,
  type UiDefinition,
  type UiGraph,
  type UiLevel,
  type UiNode,
  type UiPort,
} from "./ui-graph.ts";
import { type ShownNode, shownNode } from "./widget-values.ts";

interface Source {
  readonly nodeId: string;
  // For an inner instance: the name of its input. Unused for a primitive node, which has one value.
  readonly widget: string;
}

const primitive = "PrimitiveNode";
const prefixed = /^\s*(\d+)\s*:\s*(.+)$/;
const prefixesMax = 100;

export class Promotions {
  readonly #graph: UiGraph;
  readonly #classes: EditorClasses;
  readonly #shown = new Map<UiNode, ShownNode | null>();
  readonly #inputs = new Map<UiDefinition, DefinitionInputs>();
  readonly #values = new Map<UiNode, Map<number, unknown>>();

  // `order`: the definitions in use, inner ones first.
  constructor(graph: UiGraph, classes: EditorClasses, order: readonly UiDefinition[]) {
    this.#graph = graph;
    this.#classes = classes;
    for (const definition of order) {
      const inputs = new DefinitionInputs();
      const links = linksByPort(definition);
      for (const [index, port] of definition.inputs.entries()) {
        inputs.add(port.name, this.#sourceOf(definition, port, links.get(index) ?? []));
      }
      this.#inputs.set(definition, inputs);
      this.#readInstances(definition);
    }
    this.#readInstances(graph);
  }

  // As its class shows it; null if the class is unknown, or it is not a class.
  shown(node: UiNode): ShownNode | null {
    const known = this.#shown.get(node);
    if (known !== undefined) return known;
    const described = this.#graph.definitions.has(node.type) ? undefined : this.#classes.get(node.type);
    const made = described ? shownNode(node, described) : null;
    this.#shown.set(node, made);
    return made;
  }

  hasWidget(definition: UiDefinition, index: number): boolean {
    return (this.#inputs.get(definition)?.at(index)?.source ?? null) !== null;
  }

  nameOf(definition: UiDefinition, index: number): string {
    return this.#inputs.get(definition)?.at(index)?.name ?? "";
  }

  // The input added for an inner widget; null if there is none.
  addedFor(definition: UiDefinition, nodeId: string, widget: string): number | null {
    const index = this.#inputs.get(definition)?.indexOf({ nodeId, widget });
    return index !== undefined && index >= definition.inputs.length ? index : null;
  }

  // The instance's value, otherwise the inner one.
  valueOf(instance: UiNode, definition: UiDefinition, index: number): unknown {
    const own = this.#values.get(instance);
    return own?.has(index) ? own.get(index) : this.#standardOf(definition, index);
  }

  #standardOf(definition: UiDefinition, index: number): unknown {
    const source = this.#inputs.get(definition)?.at(index)?.source ?? null;
    const node = source === null ? undefined : definition.nodes.get(source.nodeId);
    if (source === null || !node) return undefined;
    const inner = this.#graph.definitions.get(node.type);
    if (!inner) return node.type === primitive ? firstOf(node) : this.shown(node)?.widgets.get(source.widget)?.value;
    const at = this.#inputs.get(inner)?.named(source.widget);
    return at === undefined ? undefined : this.valueOf(node, inner, at);
  }

  // The first widget an input leads to.
  #sourceOf(definition: UiDefinition, port: UiPort, further: readonly string[]): Source | null {
    for (const linkId of port.linkIds.length > 0 ? port.linkIds : further) {
      const link = definition.links.get(linkId);
      const node = link ? definition.nodes.get(link.target) : undefined;
      const slot = node?.inputs.find((each) => each.link === linkId);
      if (!node || !slot) continue;
      const inner = this.#graph.definitions.get(node.type);
      const isShown = inner
        ? this.hasWidget(inner, this.#inputs.get(inner)?.named(slot.name) ?? -1)
        : this.shown(node)?.widgets.has(slot.name) === true;
      if (isShown) return { nodeId: node.id, widget: slot.name };
    }
    return null;
  }

  #readInstances(level: UiLevel): void {
    const instances = [...level.nodes.values()].flatMap((node) => {
      const definition = this.#graph.definitions.get(node.type);
      const inputs = definition ? this.#inputs.get(definition) : undefined;
      return definition && inputs ? [{ node, definition, inputs }] : [];
    });
    for (const { node, inputs } of instances) this.#values.set(node, inputs.valuesInOrder(node));
    for (const { node, definition, inputs } of instances) {
      for (const [at, promoted] of node.promoted.entries()) {
        const index = this.#promotedIndex(definition, inputs, promoted);
        const value = Array.isArray(node.widgets) ? node.widgets[at] : undefined;
        if (index !== undefined && value !== undefined && value !== null) this.#values.get(node)?.set(index, value);
      }
    }
  }

  // The input that shows the named widget, added if there is none yet. Undefined if there is no such widget.
  #promotedIndex(definition: UiDefinition, inputs: DefinitionInputs, promoted: PromotedWidget): number | undefined {
    const [nodeId, given] = promoted;
    if (nodeId === "-1") return inputs.named(given);
    const { widget, within } = this.#plainName(definition, promoted);
    const source = this.#widgetInside(definition, nodeId, widget, within);
    if (source === null) return inputs.indexOf({ nodeId, widget });
    return inputs.indexOf(source) ?? inputs.addFresh(widget, source);
  }

  #widgetInside(definition: UiDefinition, nodeId: string, widget: string, within?: string): Source | null {
    const node = definition.nodes.get(nodeId);
    // Names with this prefix are pictures that an editor shows.
    if (!node || widget.startsWith("$$")) return null;
    if (node.type === primitive) return { nodeId, widget: "" };
    const inner = this.#graph.definitions.get(node.type);
    if (!inner) return this.shown(node)?.widgets.get(widget)?.widget.isSent ? { nodeId, widget } : null;
    const name = this.#inputs.get(inner)?.showing(widget, within);
    return name === undefined ? null : { nodeId, widget: name };
  }

  // Older names contain the ids of the nodes on the way: "12: 7: text".
  #plainName(definition: UiDefinition, [nodeId, given, hint]: PromotedWidget) {
    let [widget, within] = [given, hint];
    if (this.#widgetInside(definition, nodeId, given) !== null) return { widget, within };
    for (let count = 0; count < prefixesMax; count += 1) {
      const match = prefixed.exec(widget);
      if (match === null) break;
      within = match[1];
      widget = match[2] ?? "";
    }
    return { widget, within };
  }
}

interface DefinitionInput {
  readonly name: string;
  // The widget it shows; null if it leads to none.
  readonly source: Source | null;
}

// The inputs of one subgraph: those in the file, then the added ones.
class DefinitionInputs {
  readonly #all: DefinitionInput[] = [];
  readonly #byName = new Map<string, number>();
  readonly #bySource = new Map<string, number>();
  // By the widget's own name; if several inputs show a widget of that name, the first.
  readonly #byWidget = new Map<string, string>();

  add(name: string, source: Source | null): number {
    const index = this.#all.push({ name, source }) - 1;
    if (!this.#byName.has(name)) this.#byName.set(name, index);
    if (source === null) return index;
    const [key, widgetKey] = [sourceKey(source), sourceKey({ nodeId: "", widget: source.widget })];
    if (!this.#bySource.has(key)) this.#bySource.set(key, index);
    for (const each of [key, widgetKey]) if (!this.#byWidget.has(each)) this.#byWidget.set(each, name);
    return index;
  }

  addFresh(name: string, source: Source): number {
    let fresh = name;
    for (let count = 1; this.#byName.has(fresh); count += 1) fresh = `${name}_${count}`;
    return this.add(fresh, source);
  }

  at(index: number): DefinitionInput | undefined {
    return this.#all[index];
  }

  named(name: string): number | undefined {
    return this.#byName.get(name);
  }

  indexOf(source: Source): number | undefined {
    return this.#bySource.get(sourceKey(source));
  }

  // The name of the input that has this name, or that shows a widget of this name (of that node, if one is given).
  showing(widget: string, within?: string): string | undefined {
    if (within !== undefined) return this.#byWidget.get(sourceKey({ nodeId: within, widget }));
    const named = this.#byName.get(widget);
    const isShown = named !== undefined && (this.#all[named]?.source ?? null) !== null;
    return isShown ? widget : this.#byWidget.get(sourceKey({ nodeId: "", widget }));
  }

  // By position, over the inputs that have a widget; a value that was set aside takes precedence.
  valuesInOrder(instance: UiNode): Map<number, unknown> {
    const list = Array.isArray(instance.widgets) ? instance.widgets : [];
    const values = new Map<number, unknown>();
    let at = 0;
    for (const [index, { name, source }] of this.#all.entries()) {
      if (source === null) continue;
      const value = instance.setAside.get(name) ?? list[at];
      // Editors write null if an instance has no value of its own.
      if (value !== undefined && value !== null) values.set(index, value);
      at += 1;
    }
    return values;
  }
}

function sourceKey({ nodeId, widget }: Source): string {
  return `${nodeId}\0${widget}`;
}

// Some files name no links at the ends of a subgraph.
function linksByPort(definition: UiDefinition): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  for (const { id, source, slot } of definition.links.values()) {
    if (source !== inputEnd) continue;
    const known = found.get(slot);
    if (known) known.push(id);
    else found.set(slot, [id]);
  }
  return found;
}

export function firstOf(node: UiNode): unknown {
  return Array.isArray(node.widgets) ? node.widgets[0] : Object.values(node.widgets)[0];
}
