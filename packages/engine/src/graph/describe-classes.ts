// Makes the application's `GET /object_info` answer from the descriptions.
import type { ClassDescriptions, InputDescription, NodeClassDescription } from "./node-class.ts";

export type InputConfig = readonly [type: string | readonly string[], options: Readonly<Record<string, unknown>>];

export interface ObjectInfoEntry {
  readonly input: {
    readonly required: Readonly<Record<string, InputConfig>>;
    readonly optional?: Readonly<Record<string, InputConfig>>;
    readonly hidden?: Readonly<Record<string, string>>;
  };
  readonly input_order: Readonly<Record<string, readonly string[]>>;
  readonly output: readonly string[];
  readonly output_is_list: readonly boolean[];
  readonly output_name: readonly string[];
  readonly name: string;
  readonly display_name: string;
  readonly description: string;
  readonly python_module: string;
  readonly category: string;
  readonly output_node: boolean;
  readonly deprecated?: boolean;
  readonly experimental?: boolean;
  readonly api_node?: boolean;
}

type ObjectInfo = Readonly<Record<string, ObjectInfoEntry>>;

interface DescribeOptions {
  // Bounds beyond 2⁵³ stay bigint for a writer that can write them; otherwise they become the nearest number.
  readonly isExact?: boolean;
}

// `fileNames`: what a loader's list offers.
export function describeClasses(
  classes: ClassDescriptions,
  fileNames: readonly string[] = [],
  options: DescribeOptions = {},
): ObjectInfo {
  return Object.fromEntries(
    Array.from(classes, ([name, description]) => [name, describe(description, fileNames, options)]),
  );
}

const hiddenNames = { PROMPT: "prompt", EXTRA_PNGINFO: "extra_pnginfo", UNIQUE_ID: "unique_id" } as const;

function describe(
  description: NodeClassDescription,
  fileNames: readonly string[],
  options: DescribeOptions,
): ObjectInfoEntry {
  const required = description.inputs.filter((input) => !input.optional);
  const optional = description.inputs.filter((input) => input.optional);
  const hidden = description.hidden ?? [];
  const shown = options.isExact || !description.shown ? description.shown : inexact(description.shown);
  const isOptional = shown === undefined ? optional.length > 0 : shown.optional !== undefined;
  const configs = (inputs: readonly InputDescription[]) =>
    Object.fromEntries(inputs.map((input) => [input.name, inputConfig(input, fileNames, options)]));
  return {
    input: {
      required: shown?.required ?? configs(required),
      ...(isOptional ? { optional: shown?.optional ?? configs(optional) } : {}),
      ...(hidden.length > 0 ? { hidden: Object.fromEntries(hidden.map((value) => [hiddenNames[value], value])) } : {}),
    },
    input_order: {
      required: shown ? Object.keys(shown.required) : required.map((input) => input.name),
      ...(isOptional ? { optional: Object.keys(shown?.optional ?? configs(optional)) } : {}),
      ...(hidden.length > 0 ? { hidden: hidden.map((value) => hiddenNames[value]) } : {}),
    },
    output: shown?.output ?? description.outputs.map((output) => output.type),
    output_is_list: description.outputs.map((output) => output.isList === true),
    output_name: description.outputs.map((output) => output.name),
    name: description.name,
    display_name: description.displayName ?? description.name,
    description: description.description,
    python_module: "nodes",
    category: description.category,
    output_node: description.isOutputNode === true,
    ...(description.isDeprecated ? { deprecated: true } : {}),
    ...(description.isExperimental ? { experimental: true } : {}),
    ...(description.isPartner ? { api_node: true } : {}),
  };
}

// The same with the nearest number for every bound beyond 2⁵³.
function inexact<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? Number(each) : each)));
}

// `["INT", {default, min, max, step}]`, or `[[choices], {}]`.
export function inputConfig(
  input: InputDescription,
  fileNames: readonly string[] = [],
  options: DescribeOptions = {},
): InputConfig {
  const tooltip = {
    ...(input.tooltip === undefined ? {} : { tooltip: input.tooltip }),
    ...(input.advanced ? { advanced: true } : {}),
  };
  if (input.type === "COMBO") {
    const upload = input.upload === undefined ? {} : { [`${input.upload}_upload`]: true };
    const standard = input.default === undefined ? {} : { default: input.default };
    return [input.options ?? fileNames, { ...standard, ...upload, ...tooltip }];
  }
  const type = "types" in input && input.types ? input.types.join(",") : input.type;
  return [type, { ...widgetOptions(input, options), ...tooltip }];
}

function widgetOptions(input: InputDescription, { isExact }: DescribeOptions): Readonly<Record<string, unknown>> {
  const bound = (value: number | bigint) => (isExact ? value : Number(value));
  switch (input.type) {
    case "INT": {
      const { default: standard, min, max, step, display, controlAfterGenerate } = input;
      return {
        default: standard,
        min: bound(min),
        max: bound(max),
        ...(step === undefined ? {} : { step }),
        ...(display === undefined ? {} : { display }),
        ...(controlAfterGenerate ? { control_after_generate: controlAfterGenerate } : {}),
      };
    }
    case "FLOAT": {
      const { default: standard, min, max, step, round } = input;
      return {
        default: standard,
        min: bound(min),
        max: bound(max),
        ...(step === 0 ? {} : { step }),
        ...(round === undefined ? {} : { round }),
      };
    }
    case "STRING":
      return {
        default: input.default,
        ...(input.multiline ? { multiline: true } : {}),
        ...(input.isSocket ? { forceInput: true } : {}),
      };
    case "BOOLEAN":
      return { default: input.default };
    default:
      return {};
  }
}
