// Puts a form's inputs and outputs into an editor's document as its app mode would: `extra.linearData`. Every other byte of the
// document stays as it is, and so do entries that already mean the same place, with their settings.
import { widgetTargets } from "@atelier/engine";
import { parseJson } from "../../../foundation/json/json-bytes.ts";
import { isRecord, type JsonRecord, memberOf } from "../../../foundation/json/json-record.ts";
import { findSpan, memberPosition, memberSet, spliceJson } from "../../../foundation/json/json-spans.ts";
import { linearDataOf, readAppMode } from "./app-mode.ts";
import { targetKey } from "./possible-inputs.ts";
import type { FormInput, FormTarget, WorkForm } from "./work-form.ts";

export interface WrittenAppMode {
  readonly document: Buffer;
  // What the app mode cannot show, in words.
  readonly problems: readonly string[];
}

// The bytes must be a document that parseJson accepts, in the editor's format.
export function writeAppMode(bytes: Buffer, form: WorkForm): WrittenAppMode {
  const { value } = parseJson(bytes, { keysMax: Number.POSITIVE_INFINITY, vast: "keep", halves: "keep" });
  const problems: string[] = [];
  const locations = locationsIn(value);
  const inputs = form.inputs.flatMap((input) => {
    const entry = entryFor(input, locations);
    if (entry === null)
      problems.push(`${input.name} is inside a subgraph that does not show it, so the app mode cannot.`);
    else if (!isOneWidget(input, locations))
      problems.push(`${input.name} sets several nodes; the app mode sets the first.`);
    return entry === null ? [] : [entry];
  });
  const outputs = form.outputs.map(({ node }) => nodeId(lastId(node), locations.numbered));
  const data = { ...linearDataOf(value), inputs, outputs };
  return { document: withLinearData(bytes, value, data), problems };
}

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

function withLinearData(bytes: Buffer, document: unknown, data: JsonRecord): Buffer {
  const text = JSON.stringify(data);
  const span = isRecord(document) && isRecord(memberOf(document, "extra")) ? findSpan(bytes, "/extra") : null;
  if (span === null) return withMember(bytes, "extra", JSON.stringify({ linearData: data }));
  const extra = withMember(bytes.subarray(span.start, span.end), "linearData", text);
  return spliceJson(bytes, [{ ...span, text: extra }]);
}

function withMember(bytes: Buffer, name: string, text: string): Buffer {
  const edit = memberSet(memberPosition(bytes, name), text);
  return edit === null ? bytes : spliceJson(bytes, [edit]);
}
