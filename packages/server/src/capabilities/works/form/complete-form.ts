// Fills in what a form leaves to the graph and its classes: defaults and choices. A work keeps its form complete, so that a call
// needs nothing else to know them.
import { isDeepStrictEqual } from "node:util";
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import { isRecord, type JsonRecord, memberOf } from "../../../foundation/json/json-record.ts";
import type { DescribedClasses } from "../../graphs/index.ts";
import { type ClassInputs, readClassInputs } from "./class-inputs.ts";
import { exactMember } from "./exact-values.ts";
import { isFileInput, valueProblem } from "./form-values.ts";
import type { FormInput, FormValue, WorkForm } from "./work-form.ts";

type KnownClasses = Pick<DescribedClasses, "descriptions">;

export function completeForm(form: WorkForm, graph: JsonDocument, classes: KnownClasses): WorkForm {
  const nodes = nodeReader(graph, classes);
  return { ...form, inputs: form.inputs.map((input) => completeInput(input, graph, nodes)) };
}

function completeInput(input: FormInput, graph: JsonDocument, nodes: ReadNode): FormInput {
  const listed = input.kind === "choice" && input.choices === undefined ? choicesOf(input, nodes) : null;
  const chosen = listed === null ? input : { ...input, choices: listed };
  const standard = chosen.default === undefined && chosen.random !== true ? graphDefault(graph, chosen) : undefined;
  return standard === undefined ? chosen : { ...chosen, default: standard };
}

// The form without what completeForm would fill in again, so that it follows a graph and classes that change.
export function abridgeForm(form: WorkForm, graph: JsonDocument, classes: KnownClasses): WorkForm {
  const nodes = nodeReader(graph, classes);
  const inputs = form.inputs.map((input) => {
    const { default: standard, ...undefaulted } = input;
    const isOwn = input.random !== true && isDeepStrictEqual(standard, graphDefault(graph, input));
    const shorter = isOwn ? undefaulted : input;
    const { choices, ...unlisted } = shorter;
    return choices !== undefined && isDeepStrictEqual(choices, choicesOf(input, nodes)) ? unlisted : shorter;
  });
  return { ...form, inputs };
}

// More would not be a list that people choose from.
export const choicesMax = 1_000;

function choicesOf(input: FormInput, nodes: ReadNode) {
  const choices = nodes(input.node)?.described?.inputs.get(input.input)?.choices ?? null;
  return choices === null || choices.length > choicesMax ? null : choices;
}

// The value in the graph as a caller would give it; undefined if callers cannot give it.
export function graphDefault(graph: JsonDocument, input: FormInput): FormValue | undefined {
  const value = exactMember(graph, [input.node, "inputs", input.input]);
  const shown = asGiven(input, value);
  return shown !== undefined && valueProblem(input, shown) === null ? shown : undefined;
}

function asGiven(input: FormInput, value: unknown): string | number | bigint | boolean | undefined {
  if (isFileInput(input)) return assetIdOf(value);
  if (input.kind === "color" && Number.isInteger(value)) return `#${Number(value).toString(16).padStart(6, "0")}`;
  const isLiteral = ["string", "number", "bigint", "boolean"].includes(typeof value);
  return isLiteral ? (value as string | number | bigint | boolean) : undefined;
}

function assetIdOf(value: unknown): string | undefined {
  const info = isRecord(value) && memberOf(value, "__type") === "core/ASSET" ? memberOf(value, "info") : undefined;
  const id = isRecord(info) ? memberOf(info, "id") : undefined;
  return typeof id === "string" ? id : undefined;
}

export interface FormNode {
  readonly classType: string;
  readonly title: string | null;
  readonly inputs: JsonRecord;
  // Null if the class is not known here.
  readonly described: ClassInputs | null;
}

export type ReadNode = (id: string) => FormNode | null;

// Reads each node at most once, and each class too unless its inputs depend on the node.
export function nodeReader({ value: graph }: JsonDocument, { descriptions }: KnownClasses): ReadNode {
  const known = new Map<string, FormNode | null>();
  const read = new Map<string, ClassInputs | null>();
  const describe = (classType: string, given: JsonRecord): ClassInputs | null => {
    const before = read.get(classType);
    if (before !== undefined && before?.isDynamic !== true) return before;
    const described = readClassInputs(descriptions.get(classType), given);
    read.set(classType, described);
    return described;
  };
  return (id) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const node = readNode(isRecord(graph) ? memberOf(graph, id) : undefined, describe);
    known.set(id, node);
    return node;
  };
}

function readNode(
  node: unknown,
  describe: (classType: string, given: JsonRecord) => ClassInputs | null,
): FormNode | null {
  if (!isRecord(node)) return null;
  const classType = memberOf(node, "class_type");
  const given = memberOf(node, "inputs");
  if (typeof classType !== "string") return null;
  const meta = memberOf(node, "_meta");
  const title = isRecord(meta) ? memberOf(meta, "title") : undefined;
  const inputs = isRecord(given) ? given : {};
  const described = describe(classType, inputs);
  return { classType, title: typeof title === "string" && title !== "" ? title : null, inputs, described };
}
