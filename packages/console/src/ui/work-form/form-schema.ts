// The schema that a form gives its callers, as the server makes it (capabilities/works/form/form-schema.ts; a test compares the
// two). With it, the preview in the editor is the very form of the playground.
import type { WorkForm, WorkInput } from "@atelier/sdk";
import type { Schema } from "../../api/json-schema.ts";

export function schemaOf(form: Pick<WorkForm, "inputs">): Schema {
  const required = form.inputs.filter((input) => input.required === true).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(form.inputs.map((input) => [input.name, inputSchema(input)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

export function inputSchema(input: WorkInput): Schema {
  return given({
    ...kindSchema(input),
    title: input.label ?? input.name,
    description: input.description,
    default: input.required === true || input.random === true ? undefined : input.default,
    "x-atelier-kind": input.kind,
    "x-atelier-group": input.group,
    "x-atelier-random": input.random === true ? true : undefined,
    "x-atelier-multiline": input.multiline === true ? true : undefined,
  });
}

const colorPattern = "^#[0-9a-fA-F]{6}$";
const filePattern = "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$|https://|data:)";

function kindSchema(input: WorkInput): Schema {
  const { kind, minimum, maximum, choices = [] } = input;
  switch (kind) {
    case "text":
      return { type: "string", minLength: minimum, maxLength: maximum };
    case "integer":
    case "number":
      return { type: kind, minimum, maximum, ...stepSchema(input) };
    case "choice":
      return { enum: choices };
    case "boolean":
      return { type: "boolean" };
    case "color":
      return { type: "string", pattern: colorPattern };
    default:
      return { type: "string", pattern: filePattern };
  }
}

// JSON Schema counts multiples from zero, a form from its minimum.
function stepSchema({ minimum = 0, step }: WorkInput): Schema {
  if (step === undefined) return {};
  return isMultiple(minimum, step) ? { multipleOf: step } : { "x-atelier-step": step };
}

// Integers of any size exactly, although their type says number; 0.3 is three times 0.1.
function isMultiple(value: number | bigint, step: number | bigint): boolean {
  if (isWhole(value) && isWhole(step)) return BigInt(value) % BigInt(step) === 0n;
  const times = Number(value) / Number(step);
  return Math.abs(times - Math.round(times)) < 1e-9;
}

const isWhole = (value: number | bigint): boolean => typeof value === "bigint" || Number.isInteger(value);

const given = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
