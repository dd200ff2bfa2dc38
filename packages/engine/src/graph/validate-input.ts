// Checks one input against its description: present, of its type, within its range, on its list. We convert values as generously
// as the application does ("12" is an integer), so that a graph it accepts is accepted here too.
import type { NearWords } from "../near-word.ts";
import { type InputConfig, inputConfig } from "./describe-classes.ts";
import { assetTag, fileReferenceOf, isRecord } from "./graph.ts";
import type { GraphProblem, GraphProblemType } from "./graph-problem.ts";
import type { ComboInput, FloatInput, InputDescription, IntInput } from "./node-class.ts";

export function problemOf(
  type: GraphProblemType,
  message: string,
  details: string,
  extra: Readonly<Record<string, unknown>> = {},
): GraphProblem {
  return { type, message, details, extra_info: extra };
}

// `unknown`: inputs of the node that its class does not know. One of them may be the missing one, misspelt.
export function missingInput(name: string, unknown: readonly string[], near: NearWords): GraphProblem {
  const given = unknown.length === 0 ? null : near.to(name, unknown);
  const extra = { input_name: name, ...(given === null ? {} : { given_name: given, did_you_mean: name }) };
  const details = given === null ? name : `${name}: the node has '${given}', which is not an input of its class`;
  return problemOf("required_input_missing", "Required input is missing", details, extra);
}

export function mismatch(input: InputDescription, received: string, link: unknown): GraphProblem {
  const wanted = input.type === "COMBO" ? listText(input.options ?? []) : typesOf(input).join(",");
  return problemOf(
    "return_type_mismatch",
    "Return type mismatch between linked nodes",
    `${input.name}, received_type(${received}) mismatch input_type(${wanted})`,
    { input_name: input.name, input_config: inputConfig(input), received_type: received, linked_node: link },
  );
}

export function badLink(input: InputDescription, why: string, received: unknown): GraphProblem {
  return problemOf("bad_linked_input", `Bad linked input, ${why}`, input.name, {
    input_name: input.name,
    input_config: inputConfig(input),
    received_value: shortened(received),
  });
}

const typesOf = (input: InputDescription): readonly string[] =>
  "types" in input && input.types ? input.types : [input.type];

export function fits(received: string, input: InputDescription): boolean {
  return received === "*" || typesOf(input).some((wanted) => wanted === received || wanted === "*");
}

export interface ConstantRules {
  // Whether a loader's plain file name exists; not checked if absent.
  readonly fileExists: ((name: string) => boolean) | undefined;
  readonly near: NearWords;
}

// `null` if the value is fine.
export function constantProblem(
  input: InputDescription,
  value: unknown,
  { fileExists, near }: ConstantRules,
): GraphProblem | null {
  switch (input.type) {
    case "INT":
    case "FLOAT":
      return numberProblem(input, value);
    case "STRING":
      return isRecord(value) || value === null ? conversionProblem(input, value) : null;
    case "BOOLEAN":
      return null;
    case "COMBO":
      if (input.options === null) return fileProblem(input, value, fileExists);
      if (typeof value === "string" && isListed(input.options, value)) return null;
      return notInList({ ...input, options: input.options }, value, near);
    case "*":
      return null;
    default:
      return conversionProblem(input, value);
  }
}

function numberProblem(input: IntInput | FloatInput, value: unknown): GraphProblem | null {
  const number = numberOf(value, input.type);
  if (number === null) return conversionProblem(input, value);
  const extra = { input_name: input.name, input_config: inputConfig(input), received_value: jsonNumber(number) };
  const shown = (bound: number | bigint) => numberText(bound, input.type);
  if (isBeyond(input.min, number)) {
    const message = `Value ${shown(number)} smaller than min of ${shown(input.min)}`;
    return problemOf("value_smaller_than_min", message, input.name, extra);
  }
  if (isBeyond(number, input.max)) {
    const message = `Value ${shown(number)} bigger than max of ${shown(input.max)}`;
    return problemOf("value_bigger_than_max", message, input.name, extra);
  }
  return null;
}

// Whether the first is larger. An inexact number is compared with the other converted to one: code that parses JSON into plain
// numbers has 2⁶⁴ where 2⁶⁴ − 1 was written.
export function isBeyond(one: number | bigint, other: number | bigint): boolean {
  const isExact = typeof one === typeof other;
  return isExact ? one > other : Number(one) > Number(other);
}

function numberOf(value: unknown, type: "INT" | "FLOAT"): number | bigint | null {
  if (typeof value === "bigint") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string") {
    const isWritten = type === "INT" ? /^\s*[+-]?\d+\s*$/ : /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;
    if (!isWritten.test(value)) return null;
    return type === "INT" && !Number.isSafeInteger(Number(value)) ? BigInt(value) : Number(value);
  }
  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  return type === "INT" ? Math.trunc(value) : value;
}

function numberText(value: number | bigint, type: "INT" | "FLOAT"): string {
  return type === "FLOAT" && Number.isInteger(Number(value)) ? `${value}.0` : String(value);
}

const listLong = 32;
const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

// Ten thousand nodes may each look up a list of thousands of models.
function isListed(options: readonly string[], value: string): boolean {
  if (options.length <= listLong) return options.includes(value);
  const known = sets.get(options) ?? new Set(options);
  sets.set(options, known);
  return known.has(value);
}

// Anything with a name and a list of options.
export interface ListedInput extends Pick<ComboInput, "name"> {
  readonly options: readonly string[];
}

export function notInList(input: ListedInput, value: unknown, near: NearWords): GraphProblem {
  const isLong = input.options.length > 20;
  const config: InputConfig | null = isLong ? null : inputConfig({ type: "COMBO", ...input });
  const list = isLong ? `(list of length ${input.options.length})` : listText(input.options);
  const meant = typeof value === "string" ? near.to(value, input.options) : null;
  const suggestion = meant === null ? "" : `. Did you mean '${meant}'?`;
  const details = `${input.name}: '${shortText(value)}' not in ${list}${suggestion}`;
  return problemOf("value_not_in_list", "Value not in list", details, {
    input_name: input.name,
    input_config: config,
    received_value: shortened(value),
    ...(meant === null ? {} : { did_you_mean: meant }),
  });
}

function fileProblem(input: ComboInput, value: unknown, fileExists: ((name: string) => boolean) | undefined) {
  const reference = fileReferenceOf(value);
  const isKnown = reference !== null && (reference.kind !== "name" || (fileExists?.(String(value)) ?? true));
  if (isKnown && reference.kind === "name" && reference.name === "") return invalidFile(input, "");
  return isKnown ? null : invalidFile(input, isRecord(value) ? `${value["__type"] ?? assetTag}` : shortText(value));
}

function invalidFile(input: ComboInput, name: string): GraphProblem {
  const kind = input.upload ?? input.name;
  return problemOf(
    "custom_validation_failed",
    "Custom validation failed for node",
    `${input.name} - Invalid ${kind} file: ${name}`,
    { input_name: input.name },
  );
}

function conversionProblem(input: InputDescription, value: unknown): GraphProblem {
  return problemOf(
    "invalid_input_type",
    `Failed to convert an input value to a ${input.type} value`,
    `${input.name}, ${shortText(value)}`,
    { input_name: input.name, input_config: inputConfig(input), received_value: shortened(value) },
  );
}

const shownMax = 200;

function shortText(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(shortened(value)) ?? "null");
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}

// We echo what the caller sent, but not at any length.
function shortened(value: unknown): unknown {
  if (typeof value === "string") return value.length > shownMax ? `${value.slice(0, shownMax)}…` : value;
  if (typeof value === "bigint") return jsonNumber(value);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? `(list of length ${value.length})` : "(object)";
}

function jsonNumber(value: number | bigint): number | string {
  return typeof value === "bigint" ? value.toString() : value;
}

function listText(options: readonly string[]): string {
  return `[${options.map((option) => `'${option}'`).join(", ")}]`;
}
