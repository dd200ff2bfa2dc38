// Every value in a graph that could be an input of a form: literals of nodes, typed by their classes or, for classes that are
// not known here, by the value. Values that one widget of a subgraph sets together are one input.
import { type WorkInputKind, workAlsoMax } from "@atelier/contract";
import type { WidgetTarget, WidgetTargets } from "@atelier/engine";
import { isOnStep } from "../../../foundation/decimal-multiple.ts";
import { writeExactJson } from "../../../foundation/json/exact-json.ts";
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import { isRecord, memberOf } from "../../../foundation/json/json-record.ts";
import type { ClassInput } from "./class-inputs.ts";
import { choicesMax, type FormNode, type ReadNode } from "./complete-form.ts";
import { exactMember } from "./exact-values.ts";
import { isInteger, isNumber } from "./form-values.ts";
import type { FormInput, FormTarget } from "./work-form.ts";

export interface PossibleInput extends FormTarget {
  readonly kind: WorkInputKind;
  readonly also: readonly FormTarget[];
  // Of the node that people see.
  readonly title: string | null;
  // An instance of a subgraph shows it. Its title is not about this value alone.
  readonly isOfInstance: boolean;
  // The widget that people see.
  readonly widget: string;
  // What the author called the widget.
  readonly label: string | null;
  // Inside a subgraph that does not show it.
  readonly isHidden: boolean;
  readonly of: FormNode;
  // Null if the class does not describe it.
  readonly described: ClassInput | null;
  readonly limits: Pick<FormInput, "minimum" | "maximum" | "step" | "choices" | "multiline">;
}

// Ids and names that a form can contain.
export const isNameable = (text: string) => text.length >= 1 && text.length <= 200;
const possibleMax = 5_000;
const nodesPerStep = 500;

export type Steps<Result> = Generator<undefined, Result, undefined>;

export interface PossibleInputs {
  readonly all: readonly PossibleInput[];
  readonly isCut: boolean;
}

export interface PossibleRequest {
  readonly graph: JsonDocument;
  readonly nodes: ReadNode;
  // Ids of its nodes.
  readonly ids: readonly string[];
  // The editor's document, and where its widgets lead; null if there is none.
  readonly editor: { readonly document: unknown; readonly targets: WidgetTargets } | null;
}

// In steps, for a caller with other work waiting.
export function* possibleInputs({ graph, nodes, ids, editor }: PossibleRequest): Steps<PossibleInputs> {
  const found = new Map<string, PossibleInput>();
  let isCut = false;
  for (const [at, id] of ids.entries()) {
    if (at % nodesPerStep === 0) yield;
    const node = nodes(id);
    if (node === null) continue;
    for (const [input, described] of literalsOf(node)) {
      isCut ||= found.size >= possibleMax;
      if (isCut) break;
      const one = possible(graph, { node: id, input }, node, described);
      if (one !== null) found.set(targetKey(one), one);
    }
  }
  yield;
  if (editor !== null) joinWidgets(graph, editor, found);
  return { all: [...found.values()], isCut };
}

export const targetKey = ({ node, input }: FormTarget) => JSON.stringify([node, input]);

function literalsOf(node: FormNode): [string, ClassInput | null][] {
  const isLiteral = (name: string) => {
    const value = memberOf(node.inputs, name);
    return value !== undefined && !Array.isArray(value) && isNameable(name);
  };
  const described = node.described?.inputs;
  if (described !== undefined) return [...described].filter(([name]) => isLiteral(name));
  return Object.keys(node.inputs)
    .filter(isLiteral)
    .map((name) => [name, null]);
}

function possible(
  graph: JsonDocument,
  target: FormTarget,
  of: FormNode,
  described: ClassInput | null,
): PossibleInput | null {
  const value = exactMember(graph, [target.node, "inputs", target.input]);
  const kind = described === null ? kindOfValue(value) : described.kind;
  if (kind === null) return null;
  const limits = described === null ? {} : limitsOf(kind, described, value);
  const isHidden = target.node.includes(":");
  const shown = { title: of.title, widget: target.input, label: null, isHidden, isOfInstance: false };
  return { ...target, kind, also: [], ...shown, of, described, limits };
}

function kindOfValue(value: unknown): WorkInputKind | null {
  switch (typeof value) {
    case "string":
      return "text";
    case "boolean":
      return "boolean";
    case "bigint":
      return "integer";
    case "number":
      return Number.isInteger(value) ? "integer" : "number";
    default:
      return isRecord(value) && memberOf(value, "__type") === "core/ASSET" ? "file" : null;
  }
}

function limitsOf(kind: WorkInputKind, described: ClassInput, value: unknown): PossibleInput["limits"] {
  const { minimum, maximum, step, choices, isMultiline } = described;
  if (kind === "text") return isMultiline ? { multiline: true } : {};
  if (kind === "choice") return choices !== null && choices.length <= choicesMax ? { choices } : {};
  if (kind !== "integer" && kind !== "number") return {};
  // Editors take the step of a decimal for their arrows only; nodes accept numbers in between.
  const isStepped = kind === "integer" && step !== null && isInteger(step) && step > 1;
  return {
    ...(minimum === null ? {} : { minimum }),
    ...(maximum === null ? {} : { maximum }),
    ...(isStepped && isNumber(value) && isOnStep(value, minimum ?? 0, step) ? { step } : {}),
  };
}

// Values that an editor shows on an instance of a subgraph, or in a primitive node, are named as they are there.
function joinWidgets(
  graph: JsonDocument,
  { document, targets: led }: NonNullable<PossibleRequest["editor"]>,
  found: Map<string, PossibleInput>,
): void {
  const shown = shownNodes(document);
  for (const [nodeId, widgets] of led) {
    const node = shown.get(nodeId);
    for (const [widget, targets] of widgets) {
      const [first, ...others] = sameValues(graph, targets, found);
      if (first === undefined) continue;
      for (const other of others) found.delete(targetKey(other));
      const also = others.map(({ node: id, input }) => ({ node: id, input }));
      const label = node?.labels.get(widget) ?? null;
      const isOfInstance = first.node.startsWith(`${nodeId}:`);
      const as = { widget, label, title: node?.title ?? first.title, isHidden: false, isOfInstance };
      found.set(targetKey(first), { ...first, also, ...as });
    }
  }
  for (const [key, one] of found) {
    const label = shown.get(one.node)?.labels.get(one.input);
    if (label !== undefined && one.label === null) found.set(key, { ...one, label });
  }
}

// Those among them that are possible inputs, of the first one's kind and value.
function sameValues(graph: JsonDocument, targets: readonly WidgetTarget[], found: ReadonlyMap<string, PossibleInput>) {
  const known = targets.flatMap((target) => found.get(targetKey(target)) ?? []);
  const [first] = known;
  const textOf = ({ node, input }: FormTarget) => writeExactJson(exactMember(graph, [node, "inputs", input]));
  const same = known.filter((one) => one.kind === first?.kind && textOf(one) === textOf(first));
  return [...new Set(same)].slice(0, workAlsoMax + 1);
}

interface ShownNode {
  readonly title: string | null;
  readonly labels: ReadonlyMap<string, string>;
}

// The titles and labels at the top level of an editor's document.
function shownNodes(value: unknown): ReadonlyMap<string, ShownNode> {
  const nodes = isRecord(value) ? memberOf(value, "nodes") : undefined;
  const found = new Map<string, ShownNode>();
  for (const node of Array.isArray(nodes) ? nodes : []) {
    if (!isRecord(node)) continue;
    const title = memberOf(node, "title");
    const slots = memberOf(node, "inputs");
    const labels = (Array.isArray(slots) ? slots : []).flatMap((slot: unknown): [string, string][] => {
      if (!isRecord(slot)) return [];
      const [name, label] = [memberOf(slot, "name"), memberOf(slot, "label")];
      const isCustom = typeof label === "string" && label.trim() !== "" && label !== name;
      return typeof name === "string" && isCustom ? [[name, label.trim()]] : [];
    });
    const shown = { title: typeof title === "string" && title !== "" ? title : null, labels: new Map(labels) };
    found.set(String(memberOf(node, "id")), shown);
  }
  return found;
}
