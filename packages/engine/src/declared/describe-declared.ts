// Turns a declaration into the description that the validator, the conversion of editor graphs and `object_info` use.
import type { InputConfig } from "../graph/describe-classes.ts";
import { isRecord } from "../graph/graph.ts";
import type { InputDescription, NodeClassDescription, SocketInput } from "../graph/node-class.ts";
import type { DeclaredInputs, NodeDeclaration } from "./declaration.ts";

export const dynamicComboType = "COMFY_DYNAMICCOMBO_V3";
export const growingType = "COMFY_AUTOGROW_V3";

const described = new WeakMap<NodeDeclaration, NodeClassDescription>();

export function describeDeclared(declaration: NodeDeclaration): NodeClassDescription {
  const known = described.get(declaration);
  if (known) return known;
  const { name, display_name, category, description, input, outputs, values, is_deprecated } = declaration;
  const made: NodeClassDescription = {
    name,
    ...(display_name === undefined ? {} : { displayName: display_name }),
    category,
    description,
    inputs: merged(flattened(input, { prefix: "", only: null })),
    outputs: [...outputs, ...(values ?? [])].map((output) => ({ type: output.type, name: output.name })),
    shown: { required: input.required ?? {}, ...(input.optional ? { optional: input.optional } : {}) },
    ...(values === undefined ? { callsModel: true, isPartner: true } : {}),
    ...(is_deprecated ? { isDeprecated: true } : {}),
  };
  described.set(declaration, made);
  return made;
}

type OnlyFor = NonNullable<InputDescription["onlyFor"]>;

interface Position {
  readonly prefix: string;
  // The choice that these inputs belong to.
  readonly only: Pick<OnlyFor, "input" | "choices"> | null;
}

function flattened(inputs: DeclaredInputs, position: Position): InputDescription[] {
  return [
    ...Object.entries(inputs.required ?? {}).flatMap(([name, config]) => inputsOf(name, config, false, position)),
    ...Object.entries(inputs.optional ?? {}).flatMap(([name, config]) => inputsOf(name, config, true, position)),
  ];
}

function inputsOf(
  ownName: string,
  [type, options = {}]: InputConfig,
  isOptional: boolean,
  position: Position,
): InputDescription[] {
  const name = `${position.prefix}${ownName}`;
  const common = commonOf(name, isOptional, position);
  if (type === dynamicComboType) {
    const choices = choicesOf(options);
    const combo = { ...common, type: "COMBO", options: choices.map(({ key }) => key) } as const;
    const inner = choices.flatMap(({ key, inputs }) =>
      flattened(inputs, { prefix: `${name}.`, only: { input: name, choices: [key] } }),
    );
    return [{ ...combo, ...defaultOf(options, choices[0]?.key) }, ...inner];
  }
  if (type === growingType) return grownInputs(name, options, position);
  return [plainInput(type, options, common)];
}

function commonOf(
  name: string,
  isOptional: boolean,
  { only }: Position,
): Pick<SocketInput, "name" | "optional" | "onlyFor"> {
  if (only === null) return { name, ...(isOptional ? { optional: true } : {}) };
  return { name, optional: true, onlyFor: { ...only, ...(isOptional ? { mayBeAbsent: true } : {}) } };
}

function plainInput(
  type: string | readonly unknown[],
  options: Readonly<Record<string, unknown>>,
  common: Pick<SocketInput, "name" | "optional" | "onlyFor">,
): InputDescription {
  const listed = Array.isArray(type) ? type : type === "COMBO" ? options["options"] : null;
  if (Array.isArray(listed)) return comboInput(listed, options, common);
  const standard = options["default"];
  const number = typeof standard === "number" || typeof standard === "bigint" ? Number(standard) : 0;
  const [min, max] = [boundOf(options["min"], -Infinity), boundOf(options["max"], Infinity)];
  switch (type) {
    case "INT": {
      const control = options["control_after_generate"];
      return { ...common, type, default: number, min, max, ...(control ? { controlAfterGenerate: true } : {}) };
    }
    case "FLOAT":
      return { ...common, type, default: number, min, max, step: Number(options["step"] ?? 0) };
    case "STRING": {
      const isSocket = options["forceInput"] === true;
      return {
        ...common,
        type,
        default: typeof standard === "string" ? standard : "",
        ...(isSocket ? { isSocket } : {}),
      };
    }
    case "BOOLEAN":
      return { ...common, type, default: standard === true };
    case "IMAGE":
    case "MASK":
    case "LATENT":
    case "AUDIO":
    case "VIDEO":
      return { ...common, type };
    default:
      // Only a class that gives such a value can be linked to it.
      return { ...common, type: "*", ...(typeof type === "string" && type !== "*" ? { types: [type] } : {}) };
  }
}

// A list of numbers is a number within the list's bounds; its other values are the partner's to refuse.
function comboInput(
  listed: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
  common: Pick<SocketInput, "name" | "optional" | "onlyFor">,
): InputDescription {
  const numbers = listed.filter((each) => typeof each === "number");
  if (numbers.length > 0) {
    const standard = typeof options["default"] === "number" ? options["default"] : (numbers[0] ?? 0);
    return { ...common, type: "INT", default: standard, min: Math.min(...numbers), max: Math.max(...numbers) };
  }
  const texts = listed.filter((each) => typeof each === "string");
  return { ...common, type: "COMBO", options: texts, ...defaultOf(options, texts[0]) };
}

function defaultOf(options: Readonly<Record<string, unknown>>, first: string | undefined): { default?: string } {
  const standard = options["default"] ?? first;
  return typeof standard === "string" ? { default: standard } : {};
}

function boundOf(value: unknown, none: number): number | bigint {
  return typeof value === "number" || typeof value === "bigint" ? value : none;
}

interface DynamicChoice {
  readonly key: string;
  readonly inputs: DeclaredInputs;
}

export function choicesOf(options: Readonly<Record<string, unknown>>): DynamicChoice[] {
  const listed = options["options"];
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((each: unknown) => {
    const key = isRecord(each) ? each["key"] : undefined;
    if (!isRecord(each) || typeof key !== "string") return [];
    return [{ key, inputs: isRecord(each["inputs"]) ? each["inputs"] : {} }];
  });
}

const grownMax = 100;

function grownInputs(
  group: string,
  options: Readonly<Record<string, unknown>>,
  position: Position,
): InputDescription[] {
  const template = isRecord(options["template"]) ? options["template"] : {};
  const inner: DeclaredInputs = isRecord(template["input"]) ? template["input"] : {};
  const [config] = [...Object.values(inner.required ?? {}), ...Object.values(inner.optional ?? {})];
  if (config === undefined) return [];
  const min = typeof template["min"] === "number" ? template["min"] : 1;
  return grownNames(template).flatMap((name, at) =>
    inputsOf(name, config, at >= min, { ...position, prefix: `${group}.` }),
  );
}

function grownNames(template: Readonly<Record<string, unknown>>): string[] {
  const { names, prefix, max } = template;
  if (Array.isArray(names)) return names.filter((each) => typeof each === "string");
  const count = Math.min(typeof max === "number" ? max : grownMax, grownMax);
  return Array.from({ length: count }, (_, at) => `${typeof prefix === "string" ? prefix : ""}${at}`);
}

// An input that several choices bring in the same way is listed once.
function merged(inputs: readonly InputDescription[]): InputDescription[] {
  const found = new Map<string, InputDescription>();
  for (const input of inputs) {
    const { onlyFor, ...rest } = input;
    const key = JSON.stringify([rest, onlyFor?.input, onlyFor?.mayBeAbsent], (_, value: unknown) =>
      typeof value === "bigint" || value === Infinity || value === -Infinity ? String(value) : value,
    );
    const known = found.get(key);
    if (!known?.onlyFor || !onlyFor) found.set(known ? `${key} ${found.size}` : key, input);
    else
      found.set(key, {
        ...known,
        onlyFor: { ...known.onlyFor, choices: [...known.onlyFor.choices, ...onlyFor.choices] },
      });
  }
  return [...found.values()];
}
