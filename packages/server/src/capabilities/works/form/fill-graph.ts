// Puts a call's values into a copy of the graph. Nothing else in the graph changes, and parts without a value are shared with the
// original. The values have been checked before; a target that is not there is left alone.
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import { isRecord, type JsonRecord, memberOf } from "../../../foundation/json/json-record.ts";
import { graphDefault } from "./complete-form.ts";
import { plainValue, pointerTo } from "./exact-values.ts";
import { isFileInput } from "./form-values.ts";
import { type FormInput, type FormTarget, targetsOf, type WorkForm } from "./work-form.ts";

// A random integer from 0 up to, but not including, `count`.
export type RandomBelow = (count: bigint) => bigint;

export interface FillRequest {
  readonly graph: JsonDocument;
  readonly form: Pick<WorkForm, "inputs">;
  // By name, with integers beyond 2^53 as bigints. Names that the form lacks are ignored.
  readonly inputs: JsonRecord;
  readonly random: RandomBelow;
  // The asset that the file given for an input became, by the input's name.
  readonly files: ReadonlyMap<string, string>;
}

export interface FilledGraph {
  readonly graph: JsonRecord;
  readonly exactIntegers: ReadonlyMap<string, string>;
  // What was really used, by name; integers beyond 2^53 are bigints.
  readonly inputs: JsonRecord;
}

export function fillGraph({ graph, form, inputs, random, files }: FillRequest): FilledGraph {
  const used: [string, unknown][] = [];
  const changes = new Map<string, Map<string, unknown>>();
  for (const input of form.inputs) {
    const value = chooseValue(input, inputs, random, files);
    const shown = value === undefined ? graphDefault(graph, input) : value;
    if (shown !== undefined) used.push([input.name, shown]);
    if (value === undefined) continue;
    for (const target of targetsOf(input)) {
      const ofNode = changes.get(target.node) ?? new Map<string, unknown>();
      changes.set(target.node, ofNode.set(target.input, placed(graph, input, target, value)));
    }
  }
  return { ...withChanges(graph, changes), inputs: Object.fromEntries(used) };
}

// Undefined where the graph keeps its own value.
function chooseValue(
  input: FormInput,
  inputs: JsonRecord,
  random: RandomBelow,
  files: ReadonlyMap<string, string>,
): unknown {
  const file = isFileInput(input) ? files.get(input.name) : undefined;
  const given = file ?? memberOf(inputs, input.name);
  if (given !== undefined) return given;
  return input.random === true ? drawInteger(input, random) : input.default;
}

const safeMax = BigInt(Number.MAX_SAFE_INTEGER);

// Within what every client can read back exactly, as far as the bounds allow.
export function drawInteger({ minimum, maximum, step }: FormInput, random: RandomBelow): number | bigint {
  const least = integerOr(minimum, 0n);
  const most = integerOr(maximum, safeMax);
  const high = least <= safeMax && most > safeMax ? safeMax : most;
  const stride = integerOr(step, 1n);
  const count = high < least || stride <= 0n ? 1n : (high - least) / stride + 1n;
  const drawn = least + random(count) * stride;
  return Number.isSafeInteger(Number(drawn)) ? Number(drawn) : drawn;
}

function integerOr(value: number | bigint | undefined, standard: bigint): bigint {
  if (typeof value === "bigint") return value;
  return Number.isInteger(value) ? BigInt(value ?? 0) : standard;
}

// As the node takes it: files as references, and colours as numbers where the graph has a number.
function placed({ value: graph }: JsonDocument, input: FormInput, target: FormTarget, value: unknown): unknown {
  if (isFileInput(input) && typeof value === "string") return { __type: "core/ASSET", info: { id: value } };
  if (input.kind !== "color" || typeof value !== "string") return value;
  const node = isRecord(graph) ? memberOf(graph, target.node) : undefined;
  const inputs = isRecord(node) ? memberOf(node, "inputs") : undefined;
  const before = isRecord(inputs) ? memberOf(inputs, target.input) : undefined;
  return typeof before === "number" ? Number.parseInt(value.slice(1), 16) : value;
}

function withChanges(
  { value, exactIntegers }: JsonDocument,
  changes: ReadonlyMap<string, ReadonlyMap<string, unknown>>,
): Pick<FilledGraph, "graph" | "exactIntegers"> {
  const graph = isRecord(value) ? value : {};
  const digits = new Map(exactIntegers);
  const nodes = new Map<string, unknown>();
  for (const [id, values] of changes) {
    const node = memberOf(graph, id);
    const inputs = isRecord(node) ? (memberOf(node, "inputs") ?? {}) : undefined;
    if (!isRecord(node) || !isRecord(inputs)) continue;
    const members = new Map(Object.entries(inputs));
    for (const [name, given] of values) {
      const pointer = pointerTo([id, "inputs", name]);
      forget(digits, pointer, memberOf(inputs, name));
      members.set(name, plainValue(given, pointer, digits));
    }
    nodes.set(id, withMember(node, "inputs", Object.fromEntries(members)));
  }
  if (nodes.size === 0) return { graph, exactIntegers };
  const entries = Object.entries(graph).map(([id, node]): [string, unknown] => [id, nodes.get(id) ?? node]);
  return { graph: Object.fromEntries(entries), exactIntegers: digits };
}

function withMember(record: JsonRecord, name: string, value: unknown): JsonRecord {
  return Object.fromEntries(new Map(Object.entries(record)).set(name, value));
}

function forget(digits: Map<string, string>, pointer: string, before: unknown): void {
  digits.delete(pointer);
  if (typeof before !== "object" || before === null || digits.size === 0) return;
  for (const at of [...digits.keys()]) if (at.startsWith(`${pointer}/`)) digits.delete(at);
}
