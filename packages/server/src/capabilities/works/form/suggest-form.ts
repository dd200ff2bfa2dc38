// The form of a workflow for which none was made here: as the editor's app mode saved it, or inferred. With it, everything else
// that the form could contain.
import { workInputsMax, workOutputsMax } from "@atelier/contract";
import { type WidgetTargets, widgetTargetsOf } from "@atelier/engine";
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import { isRecord, memberOf } from "../../../foundation/json/json-record.ts";
import type { DescribedClasses } from "../../graphs/index.ts";
import { readAppMode } from "./app-mode.ts";
import { graphDefault, nodeReader, type ReadNode } from "./complete-form.ts";
import { cut, FieldNames, labelMax, readable } from "./field-names.ts";
import { findAppMode } from "./find-app-mode.ts";
import { inferInputs, isPreview, isSeed, outputWord, ownTitle } from "./infer-form.ts";
import { isNameable, type PossibleInput, possibleInputs, type Steps, targetKey } from "./possible-inputs.ts";
import { type FormInput, type FormOutput, targetsOf, type WorkForm } from "./work-form.ts";
import { appModeOf } from "./write-app-mode.ts";

export interface SuggestedForm {
  // Without outputs if the graph has none.
  readonly form: WorkForm;
  readonly source: "saved" | "published" | "app_mode" | "inferred";
  // Every value that could be an input, and every output node, under the names that the form uses.
  readonly inputs: readonly FormInput[];
  readonly outputs: readonly FormOutput[];
  readonly problems: readonly string[];
}

export interface SuggestRequest {
  // In API format.
  readonly graph: JsonDocument;
  // The editor's document that it was converted from, if there is one.
  readonly document: JsonDocument | null;
  readonly classes: Pick<DescribedClasses, "descriptions">;
  // A form that is in use and fits the graph: it is the form then, and its names are those of the lists.
  readonly known?: KnownForm | null;
}

export interface KnownForm {
  readonly form: WorkForm;
  // edited: it was saved in the document, whose app mode was changed in an editor since. The app mode then says which inputs and
  // outputs there are, and the form what is known about them.
  readonly from: "saved" | "published" | "edited";
}

const outputsMax = 1_000;

interface ChosenInput {
  readonly possible: PossibleInput;
  readonly label: string | null;
  readonly description: string | null;
  // What the form says otherwise than the list of all values.
  readonly joined: Pick<FormInput, "also" | "minimum" | "maximum">;
}

export function suggestForm(request: SuggestRequest): SuggestedForm {
  const steps = suggestion(request);
  let next = steps.next();
  while (next.done !== true) next = steps.next();
  return next.value;
}

// The same, with other work in between: a graph may have thousands of nodes.
export async function suggestInSteps(request: SuggestRequest, rest: () => Promise<void>): Promise<SuggestedForm> {
  const steps = suggestion(request);
  let next = steps.next();
  while (next.done !== true) {
    await rest();
    next = steps.next();
  }
  return next.value;
}

function* suggestion(request: SuggestRequest): Steps<SuggestedForm> {
  const { graph, document, classes, known = null } = request;
  const nodes = nodeReader(graph, classes);
  const ids = Object.keys(isRecord(graph.value) ? graph.value : {}).filter(isNameable);
  const targets: WidgetTargets = document === null ? new Map() : yield* widgetTargetsOf(document.value);
  const editor = document === null ? null : { document: document.value, targets };
  const { all, isCut } = yield* possibleInputs({ graph, nodes, ids, editor });
  yield;
  const outputIds = outputNodes(ids, nodes, graph.value).slice(0, outputsMax);
  const cutShort = isCut ? ["The workflow has more values than are listed."] : [];
  if (known !== null && known.from !== "edited") {
    const { form, from: source } = known;
    const [inputs, outputs] = [
      nameInputs(graph, all, [], form.inputs),
      nameOutputs(outputIds, [], nodes, form.outputs),
    ];
    return { form, source, inputs: inputs.all, outputs: outputs.all, problems: cutShort };
  }
  const mode = document === null ? null : readAppMode(document.value);
  const found = mode === null ? null : findAppMode(mode, { targets, possible: all, nodes, ids });
  yield;
  const problems = [...(found?.problems ?? []), ...cutShort];
  const isFound = found !== null && (found.inputs.length > 0 || found.outputs.length > 0);
  const chosen: readonly ChosenInput[] = isFound
    ? found.inputs.map((one) => ({ ...one, label: null, joined: {} }))
    : inferInputs(all, graph.value).map((one) => ({ ...one, description: null }));
  yield;
  const inputs = nameInputs(graph, all, chosen.slice(0, workInputsMax), known?.form.inputs ?? []);
  yield;
  const shown = isFound && found.outputs.length > 0 ? found.outputs : mainOutputs(outputIds, nodes);
  const outputs = nameOutputs(outputIds, shown.slice(0, workOutputsMax), nodes, known?.form.outputs ?? []);
  const unshown = known === null || document === null ? [] : appModeOf(document.value, known.form).unshown;
  if (outputIds.length === 0) problems.push("The workflow has no output node, so there is nothing to return.");
  return {
    form: { inputs: [...inputs.chosen, ...unshown].slice(0, workInputsMax), outputs: outputs.chosen },
    source: isFound ? "app_mode" : "inferred",
    inputs: inputs.all,
    outputs: outputs.all,
    problems,
  };
}

// `used`: inputs that have a name already.
function nameInputs(
  graph: JsonDocument,
  all: readonly PossibleInput[],
  chosen: readonly ChosenInput[],
  used: readonly FormInput[],
) {
  const names = new FieldNames(used.map(({ name }) => name));
  const byTarget = new Map(used.flatMap((input) => targetsOf(input).map((target) => [targetKey(target), input])));
  const made = new Map<PossibleInput, FormInput>();
  for (const one of all) {
    const known = byTarget.get(targetKey(one));
    if (known !== undefined) made.set(one, known);
  }
  const first = new Set(chosen.map(({ possible }) => possible));
  const order = [...chosen, ...all.filter((one) => !first.has(one) && !made.has(one)).map(unchosen)];
  // A form need not tell its inputs apart from what it does not contain.
  const [inForm, anywhere] = [Map.groupBy(chosen, labelOf), Map.groupBy(order, labelOf)];
  for (const one of order) {
    if (made.has(one.possible)) continue;
    const label = labelOf(one);
    const isShared = ((first.has(one.possible) ? inForm : anywhere).get(label)?.length ?? 0) > 1;
    made.set(one.possible, formInput(graph, one, names.take(label), isShared ? longLabel(one, label) : label));
  }
  const pick = (one: PossibleInput) => made.get(one) ?? [];
  const inputs = chosen.flatMap(({ possible, joined }) => {
    const input = made.get(possible);
    return input === undefined ? [] : [{ ...input, ...joined }];
  });
  // One that is known may set several values.
  const byName = new Map(inputs.map((input) => [input.name, input]));
  return { chosen: [...byName.values()], all: [...new Set(all.flatMap(pick))] };
}

const unchosen = (possible: PossibleInput): ChosenInput => ({
  possible,
  label: null,
  description: null,
  joined: {},
});

const plainWords = /^(value|text|string|image|audio|video|file|mask|prompt|int|float|number)$/;

// A title says more than "value" does.
function labelOf({ possible, label }: ChosenInput): string {
  const given = label ?? possible.label;
  if (given !== null) return cut(given, labelMax);
  const isPlain = plainWords.test(possible.widget.split(".").at(-1) ?? "");
  return isPlain ? cut(ownTitle(possible) ?? readable(possible.widget), labelMax) : readable(possible.widget);
}

function longLabel({ possible }: ChosenInput, label: string): string {
  const title = possible.title ?? possible.of.described?.title ?? possible.of.classType;
  return title === label ? cut(`${label} (${possible.node})`, labelMax) : cut(`${label} (${title})`, labelMax);
}

function formInput(graph: JsonDocument, one: ChosenInput, name: string, label: string): FormInput {
  const { node, input, kind, also, limits, described } = one.possible;
  const description = one.description ?? described?.tooltip ?? null;
  const made: FormInput = {
    name,
    node,
    input,
    kind,
    ...(also.length === 0 ? {} : { also }),
    ...(label.trim() === "" ? {} : { label }),
    ...(description === null ? {} : { description: cut(description, 1_000) }),
    ...limits,
    ...(isSeed(one.possible) ? { random: true } : {}),
  };
  const standard = made.random === true ? undefined : graphDefault(graph, made);
  return standard === undefined ? made : { ...made, default: standard };
}

function outputNodes(ids: readonly string[], nodes: ReadNode, graph: unknown): string[] {
  const read = new Set<string>();
  for (const node of Object.values(isRecord(graph) ? graph : {})) {
    const inputs = isRecord(node) ? memberOf(node, "inputs") : undefined;
    for (const value of Object.values(isRecord(inputs) ? inputs : {}))
      if (Array.isArray(value)) read.add(String(value[0]));
  }
  return ids.filter((id) => {
    const node = nodes(id);
    // Of a class that is not known here: one whose results nothing reads.
    return node !== null && (node.described === null ? !read.has(id) : node.described.isOutputNode);
  });
}

// Nodes that keep something, unless all of them only show it.
function mainOutputs(ids: readonly string[], nodes: ReadNode): readonly string[] {
  const kept = ids.filter((id) => {
    const node = nodes(id);
    return node !== null && !isPreview(node);
  });
  return kept.length > 0 ? kept : ids;
}

function nameOutputs(ids: readonly string[], chosen: readonly string[], nodes: ReadNode, used: readonly FormOutput[]) {
  const names = new FieldNames(used.map(({ name }) => name));
  const made = new Map(used.map((output) => [output.node, output]));
  for (const id of new Set([...chosen, ...ids])) {
    const of = nodes(id);
    if (of === null || made.has(id)) continue;
    const label = cut(ownTitle({ title: of.title, of, isOfInstance: false }) ?? outputWord(of), labelMax);
    made.set(id, { name: names.take(label), node: id, ...(label.trim() === "" ? {} : { label }) });
  }
  const pick = (id: string) => made.get(id) ?? [];
  return { chosen: chosen.flatMap(pick), all: ids.flatMap(pick) };
}
