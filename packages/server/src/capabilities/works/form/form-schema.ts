// The JSON Schema of a call's body. Bounds and defaults beyond 2^53 are bigints in it: write it with writeExactJson.
import { isOnStep, stepKeyword } from "../../../foundation/decimal-multiple.ts";
import { colorPattern, filePattern, isFileInput } from "./form-values.ts";
import type { FormInput, WorkForm } from "./work-form.ts";

// Says how callers want the outputs. No input can have this name.
export const outputsAs = "outputs_as";

export function formSchema({ inputs }: Pick<WorkForm, "inputs">): Readonly<Record<string, unknown>> {
  const required = inputs.filter((input) => input.required === true).map(({ name }) => name);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      ...Object.fromEntries(inputs.map((input) => [input.name, inputSchema(input)])),
      [outputsAs]: {
        type: "string",
        enum: ["url", "data_uri"],
        default: "url",
        description: "How outputs are returned: as addresses, or whole, as data URIs.",
      },
    },
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function inputSchema(input: FormInput): Readonly<Record<string, unknown>> {
  const { name, label, description, group, multiline, random } = input;
  const standard = input.required === true || random === true ? undefined : input.default;
  return {
    ...valueSchema(input),
    title: label ?? name,
    ...(description === undefined ? {} : { description }),
    ...(standard === undefined ? {} : { default: standard }),
    "x-atelier-kind": input.kind,
    ...(group === undefined ? {} : { "x-atelier-group": group }),
    ...(multiline === true ? { "x-atelier-multiline": true } : {}),
    ...(random === true ? { "x-atelier-random": true } : {}),
  };
}

function valueSchema(input: FormInput): Readonly<Record<string, unknown>> {
  const { kind, minimum, maximum, choices = [] } = input;
  if (isFileInput(input)) return { type: "string", pattern: filePattern };
  switch (kind) {
    case "number":
    case "integer":
      return { type: kind, ...given({ minimum, maximum }), ...stepSchema(input) };
    case "choice":
      return { enum: choices };
    case "boolean":
      return { type: "boolean" };
    case "color":
      return { type: "string", pattern: colorPattern };
    default:
      return { type: "string", ...given({ minLength: minimum, maxLength: maximum }) };
  }
}

// JSON Schema counts multiples from zero. If ours are counted from elsewhere, the keyword would refuse good values.
function stepSchema({ minimum = 0, step }: FormInput): Readonly<Record<string, unknown>> {
  if (step === undefined) return {};
  return isOnStep(minimum, 0, step) ? { multipleOf: step } : { [stepKeyword]: step };
}

function given(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
