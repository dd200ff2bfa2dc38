// Finds where a link really comes from. We follow it through everything that only the editor knows: reroutes, bypassed nodes,
// the ends of subgraphs, and pairs of nodes that pass a value by name. Each stretch is walked once.
import type { Link } from "./graph.ts";
import { inputEnd, type UiGraph, type UiNode, type UiSlot } from "./ui-graph.ts";
import type { Promotions } from "./ui-promotions.ts";
import type { Scope } from "./ui-scopes.ts";

export type Origin =
  | { readonly kind: "link"; readonly link: Link }
  | { readonly kind: "value"; readonly value: unknown }
  // `isMuted`: it led to a muted node.
  | { readonly kind: "none"; readonly isMuted: boolean };

const nothing: Origin = { kind: "none", isMuted: false };
const switchedOff: Origin = { kind: "none", isMuted: true };

// A position on the way: an input to follow, or an output whose source we seek.
interface Spot {
  readonly side: "input" | "output";
  readonly scope: Scope;
  readonly node: UiNode;
  readonly slot: number;
  // What the far end accepts; null for what this input accepts.
  readonly type: string | null;
}

export class Links {
  readonly #graph: UiGraph;
  readonly #promotions: Promotions;
  readonly #isClass: (type: string) => boolean;
  readonly #known = new Map<string, Origin>();
  readonly #published = new Map<Scope, ReadonlyMap<string, UiNode>>();
  readonly #slots = new Map<UiNode, readonly UiSlot[]>();

  constructor(graph: UiGraph, promotions: Promotions, isClass: (type: string) => boolean) {
    this.#graph = graph;
    this.#promotions = promotions;
    this.#isClass = isClass;
  }

  originOf(scope: Scope, node: UiNode, slot: number): Origin {
    // Most links lead straight to their source, so there is nothing worth remembering.
    let next = this.#fromInput({ side: "input", scope, node, slot, type: null });
    if ("side" in next && next.side === "output") next = this.#fromOutput(next);
    return "side" in next ? this.#follow(next) : next;
  }

  #follow(from: Spot): Origin {
    const passed: string[] = [];
    const seen = new Set<string>();
    let next: Spot | Origin = from;
    while ("side" in next) {
      const key = spotKey(next);
      const known = this.#known.get(key);
      if (known !== undefined) next = known;
      else if (seen.has(key)) next = nothing;
      else {
        seen.add(key);
        passed.push(key);
        next = next.side === "input" ? this.#fromInput(next) : this.#fromOutput(next);
      }
    }
    for (const key of passed) this.#known.set(key, next);
    return next;
  }

  // The value an instance gives to one of its inputs without a link.
  valueOf({ within }: Scope, index: number): unknown {
    if (within === null) return undefined;
    const { scope, instance, definition } = within;
    const name = this.#promotions.nameOf(definition, index);
    const outer = scope.within;
    const added = outer === null ? null : this.#promotions.addedFor(outer.definition, instance.id, name);
    return added === null ? this.#promotions.valueOf(instance, definition, index) : this.valueOf(scope, added);
  }

  #slotsOf(node: UiNode): readonly UiSlot[] {
    const definition = this.#graph.definitions.get(node.type);
    if (!definition) return this.#promotions.shown(node)?.slots ?? node.inputs;
    const known = this.#slots.get(node);
    if (known) return known;
    const given = new Map(node.inputs.map((slot) => [slot.name, slot.link]));
    const slots = definition.inputs.map(({ name, type }) => ({ name, type, link: given.get(name) ?? null }));
    this.#slots.set(node, slots);
    return slots;
  }

  #fromInput({ scope, node, slot, type }: Spot): Spot | Origin {
    const input = this.#slotsOf(node)[slot];
    const link = input?.link ? scope.level.links.get(input.link) : undefined;
    if (!input || !link) return nothing;
    if (link.source === inputEnd && scope.within !== null) return this.#fromOutside(scope, link.slot);
    const source = scope.level.nodes.get(link.source);
    if (!source) return nothing;
    return { side: "output", scope, node: source, slot: link.slot, type: type ?? input.type };
  }

  #fromOutside(scope: Scope, index: number): Spot | Origin {
    const { within } = scope;
    if (within === null) return nothing;
    const { instance, definition } = within;
    const hasLink = (this.#slotsOf(instance)[index]?.link ?? null) !== null;
    if (hasLink) return { side: "input", scope: within.scope, node: instance, slot: index, type: null };
    if (!this.#promotions.hasWidget(definition, index)) return nothing;
    return { kind: "value", value: this.valueOf(scope, index) };
  }

  #fromOutput({ scope, node, slot, type }: Spot): Spot | Origin {
    if (node.isMuted) return switchedOff;
    if (node.isBypassed) {
      const index = this.#bypassSlot(node, slot, type ?? "*");
      return index === -1 ? nothing : { side: "input", scope, node, slot: index, type: null };
    }
    const definition = this.#graph.definitions.get(node.type);
    if (definition) {
      const child = scope.children.get(node.id);
      const [linkId] = definition.outputs[slot]?.linkIds ?? [];
      const link = linkId === undefined ? undefined : definition.links.get(linkId);
      if (!child || !link) return nothing;
      if (link.source === inputEnd) return { side: "input", scope, node, slot: link.slot, type };
      const inner = definition.nodes.get(link.source);
      return inner ? { side: "output", scope: child, node: inner, slot: link.slot, type } : nothing;
    }
    if (this.#isClass(node.type)) return { kind: "link", link: [`${scope.path}${node.id}`, slot] };
    if (node.type === "Reroute") return { side: "input", scope, node, slot, type };
    if (node.type === "SetNode") return { side: "input", scope, node, slot: 0, type };
    if (node.type === "GetNode") return this.#fromPublished(scope, node, type);
    if (editorOnly.has(node.type)) return nothing;
    return { kind: "link", link: [`${scope.path}${node.id}`, slot] };
  }

  // A value that another node publishes under a name: in the same graph, or in one around it.
  #fromPublished(from: Scope, node: UiNode, type: string | null): Spot | Origin {
    const name = firstText(node);
    for (let scope: Scope | null = from; scope !== null && name !== null; scope = scope.within?.scope ?? null) {
      const source = this.#publishedIn(scope).get(name);
      if (source) return { side: "output", scope, node: source, slot: 0, type };
    }
    return nothing;
  }

  #publishedIn(scope: Scope): ReadonlyMap<string, UiNode> {
    const known = this.#published.get(scope);
    if (known) return known;
    const found = new Map<string, UiNode>();
    for (const node of scope.level.nodes.values()) {
      const name = node.type === "SetNode" ? firstText(node) : null;
      if (name !== null) found.set(name, node);
    }
    this.#published.set(scope, found);
    return found;
  }

  // A bypassed node passes on a matching input: the one in the same position, otherwise one of the requested type, otherwise the
  // first that both ends accept.
  #bypassSlot(node: UiNode, slot: number, type: string): number {
    const inputs = this.#slotsOf(node);
    const definition = this.#graph.definitions.get(node.type);
    const outputType = definition?.outputs[slot]?.type ?? node.outputTypes[slot];
    if (outputType === undefined) return -1;
    if (type === "*" || type === "") return inputs.length > slot ? slot : inputs.length > 0 ? 0 : -1;
    const fits = (input: UiSlot) => canMeet(input.type, outputType) && canMeet(input.type, type);
    const same = inputs[slot];
    if (same && fits(same)) return slot;
    const exact = inputs.findIndex((input) => input.type === type);
    return exact === -1 ? inputs.findIndex(fits) : exact;
  }
}

export const editorOnly: ReadonlySet<string> = new Set([
  "Note",
  "MarkdownNote",
  "Reroute",
  "PrimitiveNode",
  "SetNode",
  "GetNode",
]);

function spotKey({ side, scope, node, slot, type }: Spot): string {
  return `${side}\0${scope.path}${node.id}\0${slot}\0${type ?? ""}`;
}

function firstText(node: UiNode): string | null {
  const first: unknown = Array.isArray(node.widgets) ? node.widgets[0] : undefined;
  return typeof first === "string" && first !== "" ? first : null;
}

// Types may be lists ("INT,FLOAT"), and an asterisk accepts everything.
function canMeet(one: string, other: string): boolean {
  const [ones, others] = [typesOf(one), typesOf(other)];
  return ones.some((type) => type === "*" || others.includes(type)) || others.includes("*");
}

function typesOf(type: string): readonly string[] {
  return type === "" ? ["*"] : type.toLowerCase().split(",");
}
