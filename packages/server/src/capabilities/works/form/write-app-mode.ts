// Puts a form's inputs and outputs into an editor's document as its app mode would: `extra.linearData`. Every other byte of the
// document stays as it is, and so do entries that already mean the same place, with their settings.
import { widgetTargets } from "@atelier/engine";
import { isRecord, type JsonRecord, memberOf } from "../../../foundation/json/json-record.ts";
import { withMember } from "../../../foundation/json/json-spans.ts";
import { type AppMode, readAppMode } from "./app-mode.ts";
import { targetKey } from "./possible-inputs.ts";
import type { FormInput, FormTarget, WorkForm } from "./work-form.ts";

export interface AppModeOfForm {
  readonly inputs: readonly (readonly unknown[])[];
  readonly outputs: readonly (string | number)[];
  // Inputs that the app mode cannot show.
  readonly unshown: readonly FormInput[];
  // What the app mode cannot show, in words.
  readonly problems: readonly string[];
}

// What the app mode of this document would be if it had this form.
export function appModeOf(document: unknown, form: WorkForm): AppModeOfForm {
  const locations = locationsIn(document);
  const problems: string[] = [];
  const unshown: FormInput[] = [];
  const inputs = form.inputs.flatMap((input) => {
    const entry = entryFor(input, locations);
    if (entry === null) {
      problems.push(`${input.name} is inside a subgraph that does not show it, so the app mode cannot.`);
      unshown.push(input);
      return [];
    }
    if (!isOneWidget(input, locations)) problems.push(`${input.name} sets several nodes; the app mode sets the first.`);
    return [entry];
  });
  const outputs = form.outputs.map(({ node }) => nodeId(lastId(node), locations.numbered));
  return { inputs, outputs, unshown, problems };
}

// The bytes are a document in the editor's format that parseJson has accepted.
export function writeAppMode(bytes: Buffer, { inputs, outputs }: Pick<AppModeOfForm, "inputs" | "outputs">): Buffer {
  const data = ["extra", "linearData"] as const;
  // A new member goes first.
  const withOutputs = withMember(bytes, [...data, "outputs"], JSON.stringify(outputs));
  return withMember(withOutputs, [...data, "inputs"], JSON.stringify(inputs));
}

// Whether the document's app mode means the places that this form has. A document without one does not contradict it.
export function isAppModeOf(document: unknown, form: WorkForm): boolean {
  const found = readAppMode(document);
  const { inputs, outputs } = appModeOf(document, form);
  const written = readAppMode({ extra: { linearData: { inputs, outputs } } });
  return found === null || locationsOf(found) === locationsOf(written);
}

const locationsOf = (mode: AppMode | null) =>
  JSON.stringify([mode?.inputs.map(({ node, widget }) => [node, widget]), mode?.outputs]);

interface Locations {
  // Entries that are in the document already, by the place that they mean.
  readonly kept: ReadonlyMap<string, readonly unknown[]>;
  // The widget of the top level that sets a place in a subgraph.
  readonly shown: ReadonlyMap<string, readonly [node: string, widget: string]>;
  // Ids that the document writes as numbers.
  readonly numbered: ReadonlySet<string>;
}

function locationsIn(document: unknown): Locations {
  const shown = new Map<string, readonly [string, string]>();
  for (const [node, widgets] of widgetTargets(document))
    for (const [widget, targets] of widgets)
      for (const target of targets) if (!shown.has(targetKey(target))) shown.set(targetKey(target), [node, widget]);
  const entries = readAppMode(document)?.inputs ?? [];
  const kept = new Map(entries.map(({ node, widget, entry }) => [targetKey({ node, input: widget }), entry]));
  return { kept, shown, numbered: numberedIds(document) };
}

function numberedIds(document: unknown): ReadonlySet<string> {
  const definitions = isRecord(document) ? memberOf(document, "definitions") : undefined;
  const subgraphs = isRecord(definitions) ? memberOf(definitions, "subgraphs") : undefined;
  const levels: readonly unknown[] = [document, ...(Array.isArray(subgraphs) ? subgraphs : [])];
  const nodes = levels.flatMap((level): readonly unknown[] => {
    const listed = isRecord(level) ? memberOf(level, "nodes") : undefined;
    return Array.isArray(listed) ? listed : [];
  });
  const ids = nodes.map((node) => (isRecord(node) ? memberOf(node, "id") : undefined));
  return new Set(ids.filter((id) => typeof id === "number").map(String));
}

// Inside subgraphs, editors know a node by its own id.
const lastId = (id: string) => id.slice(id.lastIndexOf(":") + 1);
const nodeId = (id: string, numbered: ReadonlySet<string>) => (numbered.has(id) ? Number(id) : id);

function entryFor(input: FormInput, { kept, shown, numbered }: Locations): readonly unknown[] | null {
  const own = targetKey(input);
  const location = shown.get(own) ?? (input.node.includes(":") ? null : ([input.node, input.input] as const));
  const [node, widget] = location ?? [];
  const inner = { node: lastId(input.node), input: input.input };
  const before = [own, node && widget ? targetKey({ node, input: widget }) : own, targetKey(inner)]
    .map((key) => kept.get(key))
    .find((entry) => entry !== undefined);
  if (before !== undefined) return withDescription(before, input);
  return node === undefined || widget === undefined ? null : withDescription([nodeId(node, numbered), widget], input);
}

// Whether all that the input sets is set by one widget.
function isOneWidget(input: FormInput, { shown }: Locations): boolean {
  const widget = (target: FormTarget) => JSON.stringify(shown.get(targetKey(target)) ?? [target.node, target.input]);
  return (input.also ?? []).every((target) => widget(target) === widget(input));
}

function withDescription([id, widget, settings]: readonly unknown[], { description }: FormInput): readonly unknown[] {
  const known: JsonRecord = isRecord(settings) ? settings : {};
  const all = description === undefined ? known : { ...known, description };
  return Object.keys(all).length === 0 ? [id, widget] : [id, widget, all];
}
