// Classes that declare a schema: `define_schema` returns a call of `Schema(…)` with calls of inputs and outputs in it.
import { writeExactJson } from "../../../foundation/json/exact-json.ts";
import { memberOf } from "./attributes.ts";
import { type ClassDescription, enumMembers, withoutAbsent } from "./describe-class.ts";
import type { Interpreter } from "./interpreter.ts";
import { type Json, JsonWriter, type Note } from "./plain-json.ts";
import { type CallValue, type ClassValue, isKind, isPlain, list, pathOf, type Value } from "./value.ts";

export interface SchemaDescription {
  readonly name: string | null;
  readonly description: ClassDescription;
}

// Null if the class declares no schema.
export function describeSchema(run: Interpreter, of: ClassValue, note: Note): SchemaDescription | null {
  const declared = memberOf(of, "define_schema");
  if (!isKind(declared, "function")) return null;
  const position = { module: declared.scope.module, node: declared.node };
  const made = run.call({ ...declared, bound: of }, { args: [], named: new Map(), open: null }, position);
  if (!isKind(made, "call") || !/(?:^|\.)Schema$/.test(pathOf(made) ?? "")) {
    note("schema", made);
    return { name: null, description: {} };
  }
  const json = new JsonWriter(note);
  const [first] = made.args;
  const id = made.named.get("node_id") ?? first;
  const inputs = partsOf(made.named.get("inputs"), json, "inputs");
  const outputs = partsOf(made.named.get("outputs"), json, "outputs").map(outputOf);
  const flag = (name: string) => (made.named.get(name) === true ? true : undefined);
  const text = (name: string) => textOf(made.named.get(name));
  return {
    name: typeof id === "string" ? id : null,
    description: withoutAbsent({
      category: text("category"),
      deprecated: flag("is_deprecated"),
      description: text("description"),
      display_name: text("display_name"),
      experimental: flag("is_experimental"),
      function: "execute",
      input_types: writeExactJson(inputsOf(inputs, json)),
      output_is_list: outputs.map(({ isList }) => isList),
      output_node: flag("is_output_node"),
      return_names: writeExactJson(outputs.map(({ name }) => name)),
      return_types: writeExactJson(outputs.map(({ type }) => type)),
    }),
  };
}

const textOf = (value: Value | undefined) =>
  typeof value === "string" ? value.replaceAll("\0", "").toWellFormed().slice(0, 20_000) : undefined;

function partsOf(value: Value | undefined, json: JsonWriter, what: string): readonly CallValue[] {
  if (value === undefined || value === null) return [];
  if (!isKind(value, "list")) {
    json.note(what, value);
    return [];
  }
  if (value.open !== null) json.note(what, value.open);
  return value.items.flatMap((item) => {
    if (isKind(item, "call")) return [item];
    json.note(what, item);
    return [];
  });
}

function inputsOf(parts: readonly CallValue[], json: JsonWriter): Json {
  const groups: Record<"required" | "optional", [string, Json][]> = { required: [], optional: [] };
  for (const part of parts) {
    const name = part.named.get("id") ?? part.args[0];
    if (typeof name !== "string") {
      json.note("the name of an input", name ?? null);
      continue;
    }
    groups[part.named.get("optional") === true ? "optional" : "required"].push([name, inputOf(name, part, json)]);
  }
  return Object.fromEntries(
    Object.entries(groups).flatMap(([group, inputs]) =>
      inputs.length === 0 ? [] : [[group, Object.fromEntries(inputs)]],
    ),
  );
}

const notOptions = new Set(["id", "optional", "template", "extra_dict", "raw_link"]);

function inputOf(name: string, part: CallValue, json: JsonWriter): Json {
  const type = typeOf(part);
  const options: [string, Json][] = [];
  const given = new Map(part.named);
  if (type === "COMBO" && part.args[1] !== undefined) given.set("options", part.args[1]);
  for (const [option, value] of given) {
    if (notOptions.has(option) || value === null) continue;
    const choices = option === "options" && isKind(value, "class") ? list(enumMembers(value)) : value;
    const written = json.write(choices, option === "options" ? `choices of ${name}` : `${option} of ${name}`);
    if (written !== undefined && (option !== "options" || isWhole(choices))) options.push([option, written]);
  }
  return [type, Object.fromEntries(options)];
}

const isWhole = (value: Value) =>
  isKind(value, "list") && value.open === null && value.items.every((item) => isPlain(item));

function outputOf(part: CallValue): { readonly type: string; readonly name: string; readonly isList: boolean } {
  const type = typeOf(part);
  const name = part.named.get("display_name") ?? part.named.get("id") ?? part.args[1] ?? part.args[0];
  return { type, name: typeof name === "string" ? name : type, isList: part.named.get("is_output_list") === true };
}

// `io.ControlNet.Input` is CONTROL_NET; `io.Custom("X").Input` is X.
function typeOf({ callee }: CallValue): string {
  const path = pathOf(callee) ?? "";
  if (isKind(callee, "call")) {
    const [own] = callee.args;
    if (/\bCustom\(\)/.test(path) && typeof own === "string") return own;
  }
  const word = /([A-Za-z0-9_]+)(?:\(\))?\.(?:Input|Output)$/.exec(path)?.[1] ?? "";
  return namedTypes[word] ?? word.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toUpperCase();
}

const namedTypes: Readonly<Record<string, string>> = {
  AnyType: "*",
  Autogrow: "COMFY_AUTOGROW_V3",
  DynamicCombo: "COMFY_DYNAMICCOMBO_V3",
  MatchType: "COMFY_MATCHTYPE_V3",
  MultiCombo: "COMBO",
  Load3DCamera: "LOAD3D_CAMERA",
  Load3D: "LOAD_3D",
};
