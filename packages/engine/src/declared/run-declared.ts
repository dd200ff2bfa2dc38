// Runs a declared class: its values become a model's input, the host calls and pays, and the answer becomes outputs. Nothing is
// sent before every value is within its limits.
import { createHash } from "node:crypto";
import { BoundedMap } from "../bounded-map.ts";
import type { Inputs } from "../execution/inputs.ts";
import { NodeError } from "../execution/node-error.ts";
import type { NodeRunner } from "../execution/node-runner.ts";
import { exactJson } from "../files/embed-graph.ts";
import type { InputDescription, NodeClassDescription } from "../graph/node-class.ts";
import { isBeyond } from "../graph/validate-input.ts";
import { type DataValue, type Picture, planes } from "../pictures/picture.ts";
import { assemble, assembleOne, type NodeValues, possibleCalls } from "./assemble.ts";
import { chosenInputs } from "./chosen-inputs.ts";
import type { NodeDeclaration } from "./declaration.ts";
import { describeDeclared } from "./describe-declared.ts";
import { encodeSlots } from "./encode-slots.ts";
import { readOutputs } from "./read-outputs.ts";

// A child gets the declarations again with every job, and describing one takes longer than assembling its call.
const runners = new BoundedMap<string, NodeRunner>(200);

export function declaredRunner(declaration: NodeDeclaration): NodeRunner {
  // Another declaration under the same name makes something else of the same inputs.
  const version = createHash("sha256").update(written(declaration)).digest("hex");
  const known = runners.get(version);
  if (known) return known;
  const made = runnerOf(declaration, version);
  runners.set(version, made);
  return made;
}

function runnerOf(declaration: NodeDeclaration, version: string): NodeRunner {
  const description = describeDeclared(declaration);
  return {
    description,
    ...(declaration.values ? {} : { weight: 20 }),
    version,
    async run(inputs, context) {
      const values = valuesFrom(inputs, description);
      if (declaration.values) return declaration.values.map(({ gives }) => dataOf(assembleOne(gives, values)));
      const [call] = possibleCalls(declaration.calls, values);
      if (!call) throw new NodeError("No model can be called with these values.");
      const body = await encodeSlots(assemble(call.body, values), context);
      const answer = await context.callModel({ model: call.model, input: Buffer.from(exactJson(body)) });
      return readOutputs(declaration, answer, context);
    },
  };
}

// The runtime's writer is many times faster, but throws at an integer beyond 2⁵³.
function written(declaration: NodeDeclaration): string {
  try {
    return JSON.stringify(declaration);
  } catch {
    return exactJson(declaration);
  }
}

const nothingOpen = Symbol("open");

function valuesFrom(inputs: Inputs, { inputs: described }: NodeClassDescription): NodeValues {
  const standards = new Map(described.map((input) => [input.name, standardOf(input)]));
  const given = (name: string) => inputs.raw(name) ?? standards.get(name);
  const chosen = chosenInputs(described, (name) => ({ isOpen: false, value: given(name) }));
  const values = new Map(chosen.map((input) => [input.name, readValue(input, inputs.raw(input.name))]));
  return {
    value: (name) => values.get(name),
    items: (name) => itemsOf(values, name),
    isOpen: () => false,
    open: nothingOpen,
  };
}

export function standardOf(input: InputDescription): unknown {
  return "default" in input ? input.default : undefined;
}

function readValue(input: InputDescription, raw: unknown): unknown {
  const value = raw ?? standardOf(input);
  if (value === undefined) return undefined;
  switch (input.type) {
    case "INT":
    case "FLOAT":
      return readNumber(input, value);
    case "STRING":
      return typeof value === "string" ? value : String(value);
    case "BOOLEAN":
      return Boolean(value);
    case "COMBO": {
      const text = String(value);
      if (input.options?.includes(text)) return text;
      throw new NodeError(`${input.name}: expected one of its choices.`);
    }
    default:
      return isData(value) ? value.json : value;
  }
}

const dataOf = (json: unknown): DataValue => ({ kind: "data", json });

function isData(value: unknown): value is DataValue {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "data";
}

function readNumber(input: Extract<InputDescription, { type: "INT" | "FLOAT" }>, value: unknown): number | bigint {
  const number = typeof value === "bigint" ? value : Number(value);
  if (typeof number === "number" && !Number.isFinite(number)) throw new NodeError(`${input.name}: expected a number.`);
  const whole = input.type === "INT" && typeof number === "number" ? Math.trunc(number) : number;
  if (isBeyond(input.min, whole)) throw new NodeError(`${input.name}: ${whole} is smaller than ${input.min}.`);
  if (isBeyond(whole, input.max)) throw new NodeError(`${input.name}: ${whole} is larger than ${input.max}.`);
  return whole;
}

// A picture's batch, or the members of a growing group, one by one.
function itemsOf(values: ReadonlyMap<string, unknown>, name: string): unknown[] {
  const given = [...values].filter(([each]) => each === name || each.startsWith(`${name}.`)).map(([, value]) => value);
  return given.filter((value) => value !== undefined).flatMap((value) => (isPicture(value) ? singles(value) : [value]));
}

function singles(picture: Picture): Picture[] {
  return planes(picture).map(({ data }) => ({ ...picture, batch: 1, data }));
}

function isPicture(value: unknown): value is Picture {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "image";
}
