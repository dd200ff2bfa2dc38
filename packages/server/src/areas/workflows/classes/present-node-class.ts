// A node class in our own shape, from its description in the application's. A stranger wrote the description, so it is read
// member by member, and anything unreadable is left out. Integers beyond 2^53 stay bigints until they are written.

import type { ClassLocation } from "../../../capabilities/graphs/index.ts";
import { isRecord, type JsonRecord, memberOf } from "../../../foundation/json/json-record.ts";

export interface PresentedClass {
  readonly name: string;
  readonly description: unknown;
  readonly location: ClassLocation;
  // Its inputs that name one of the caller's files.
  readonly fileInputs: readonly string[];
}

export interface ClassWords {
  readonly title: string;
  readonly category: string;
  readonly description: string;
}

export function wordsOf(name: string, description: unknown): ClassWords {
  const said = isRecord(description) ? description : {};
  return {
    title: textAt(said, "display_name") || name,
    category: textAt(said, "category"),
    description: textAt(said, "description"),
  };
}

export function presentNodeClass(asked: PresentedClass): object {
  const { name, description, location, fileInputs } = asked;
  const said = isRecord(description) ? description : {};
  return {
    name,
    ...wordsOf(name, said),
    is_output: memberOf(said, "output_node") === true,
    is_deprecated: memberOf(said, "deprecated") === true,
    is_experimental: memberOf(said, "experimental") === true,
    inputs: inputsOf(said, new Set(fileInputs)),
    outputs: outputsOf(said),
    runs_on: { engine: location.engine, pools: location.pools, application: location.application },
  };
}

function inputsOf(said: JsonRecord, files: ReadonlySet<string>): object[] {
  const input = memberOf(said, "input");
  if (!isRecord(input)) return [];
  return (["required", "optional"] as const).flatMap((kind) => {
    const inputs = memberOf(input, kind);
    if (!isRecord(inputs)) return [];
    return Object.entries(inputs).flatMap(([name, config]) => inputOf(name, config, kind === "required", files));
  });
}

const widgetTypes = new Set(["INT", "FLOAT", "STRING", "BOOLEAN", "COMBO"]);

function inputOf(name: string, config: unknown, isRequired: boolean, files: ReadonlySet<string>): object[] {
  if (!Array.isArray(config)) return [];
  const [kind, given]: readonly unknown[] = config;
  const options = isRecord(given) ? given : {};
  if (typeof kind !== "string" && !Array.isArray(kind)) return [];
  const type = typeof kind === "string" ? kind : "COMBO";
  const listed = Array.isArray(kind) ? kind : memberOf(options, "options");
  const choices = type === "COMBO" && Array.isArray(listed) ? listed : undefined;
  // An unknown type is a widget's if it has a default value.
  const isWidget = widgetTypes.has(type) || type.startsWith("COMFY_DYNAMICCOMBO") || "default" in options;
  return [
    {
      name,
      type,
      is_required: isRequired,
      is_link: !isWidget || memberOf(options, "forceInput") === true,
      is_file: files.has(name),
      ...present("default", memberOf(options, "default")),
      ...numbersOf(options),
      ...present("choices", choices),
      ...(memberOf(options, "multiline") === true ? { is_multiline: true } : {}),
      ...(type === "INT" && memberOf(options, "display") === "color" ? { is_color: true } : {}),
      ...present("tooltip", textAt(options, "tooltip") || undefined),
    },
  ];
}

const present = (name: string, value: unknown) => (value === undefined || value === null ? {} : { [name]: value });

function numbersOf(options: JsonRecord): object {
  const numbers = (["min", "max", "step"] as const).map((name) => [name, memberOf(options, name)]);
  return Object.fromEntries(numbers.filter(([, value]) => typeof value === "number" || typeof value === "bigint"));
}

function outputsOf(said: JsonRecord): object[] {
  const types = memberOf(said, "output");
  const [names, lists] = [memberOf(said, "output_name"), memberOf(said, "output_is_list")];
  if (!Array.isArray(types)) return [];
  return types.map((given: unknown, at) => {
    const type = typeof given === "string" ? given : "COMBO";
    const name: unknown = Array.isArray(names) ? names[at] : undefined;
    return {
      name: typeof name === "string" && name !== "" ? name : type,
      type,
      is_list: Array.isArray(lists) && lists[at] === true,
    };
  });
}

function textAt(record: JsonRecord, name: string): string {
  const value = memberOf(record, name);
  return typeof value === "string" ? value : "";
}
