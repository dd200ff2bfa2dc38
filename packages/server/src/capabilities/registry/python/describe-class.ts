// The description of one node class, as its own declarations give it: INPUT_TYPES, RETURN_TYPES and their relatives.
import { writeExactJson } from "../../../foundation/json/exact-json.ts";
import { memberOf } from "./attributes.ts";
import type { Interpreter } from "./interpreter.ts";
import { applicationType, isOfApplication, type Json, JsonWriter, type Note } from "./plain-json.ts";
import { type ClassValue, isKind, isPlain, list, type Value } from "./value.ts";

export interface ClassDescription {
  category?: string;
  deprecated?: boolean;
  description?: string;
  display_name?: string;
  experimental?: boolean;
  function?: string;
  input_types?: string;
  output_is_list?: boolean[];
  output_node?: boolean;
  return_names?: string;
  return_types?: string;
}

export function describeClass(run: Interpreter, of: ClassValue, note: Note): ClassDescription {
  const json = new JsonWriter(note);
  const text = (name: string): string | undefined => {
    const value = memberOf(of, name);
    return typeof value === "string" ? value.replaceAll("\0", "").toWellFormed().slice(0, 20_000) : undefined;
  };
  const flag = (name: string) => (memberOf(of, name) === true ? true : undefined);
  const inputs = inputsOf(run, of, json);
  const outputs = outputTypes(memberOf(of, "RETURN_TYPES"), json);
  const names = memberOf(of, "RETURN_NAMES");
  const lists = memberOf(of, "OUTPUT_IS_LIST");
  return withoutAbsent({
    category: text("CATEGORY"),
    deprecated: flag("DEPRECATED"),
    description: text("DESCRIPTION"),
    experimental: flag("EXPERIMENTAL"),
    function: text("FUNCTION"),
    input_types: inputs === undefined ? undefined : writeExactJson(inputs),
    output_is_list: isKind(lists, "list") ? lists.items.map((item) => item === true) : undefined,
    output_node: flag("OUTPUT_NODE"),
    return_names: isKind(names, "list") ? writeExactJson(json.write(names, "names of outputs") ?? []) : undefined,
    return_types: outputs === undefined ? undefined : writeExactJson(outputs),
  });
}

export function withoutAbsent(
  fields: { [name in keyof ClassDescription]: ClassDescription[name] | undefined },
): ClassDescription {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function inputsOf(run: Interpreter, of: ClassValue, json: JsonWriter): Json | undefined {
  const declared = memberOf(of, "INPUT_TYPES");
  if (declared === undefined) {
    json.note("inputs", null);
    return undefined;
  }
  const made = isKind(declared, "function")
    ? run.call(
        { ...declared, bound: declared.marks.includes("staticmethod") ? undefined : of },
        { args: [], named: new Map(), open: null },
        { module: declared.scope.module, node: declared.node },
      )
    : declared;
  if (!isKind(made, "dict")) {
    json.note("inputs", made);
    return undefined;
  }
  if (made.open !== null) json.note("inputs", made.open);
  return Object.fromEntries(
    [...made.entries].flatMap(([group, inputs]) => {
      if (typeof group !== "string") return [];
      if (!isKind(inputs, "dict")) {
        json.note(`${group} inputs`, inputs);
        return [];
      }
      if (inputs.open !== null) json.note(`${group} inputs`, inputs.open);
      const entries = [...inputs.entries].filter(([name]) => isPlain(name));
      return [
        [group, Object.fromEntries(entries.map(([name, input]) => [String(name), inputOf(String(name), input, json)]))],
      ];
    }),
  );
}

function inputOf(name: string, input: Value, json: JsonWriter): Json {
  if (typeof input === "string") return input;
  const [type, options] = isKind(input, "list") ? input.items : [input];
  const written = isKind(options, "dict") ? json.write(options, `options of ${name}`) : undefined;
  return [typeOf(name, type ?? null, json), ...(written === undefined ? [] : [written])];
}

function typeOf(name: string, type: Value, json: JsonWriter): Json {
  if (typeof type === "string") return type;
  const fromApplication = applicationType(type);
  if (fromApplication !== null) return fromApplication;
  const choices = isKind(type, "class") ? list(enumMembers(type)) : type;
  if (isKind(choices, "list")) {
    const isWhole = choices.open === null && choices.items.every((item) => isPlain(item));
    const written = json.write(choices, `choices of ${name}`);
    return isWhole && written !== undefined ? written : "COMBO";
  }
  json.note(isOfApplication(type) ? `choices of ${name}` : `type of ${name}`, type);
  return isKind(type, "external") || isKind(type, "call") ? "COMBO" : "*";
}

export const enumMembers = (of: ClassValue): Value[] =>
  [...of.members].filter(([name, value]) => !name.startsWith("_") && isPlain(value)).map(([, value]) => value);

function outputTypes(types: Value | undefined, json: JsonWriter): Json | undefined {
  if (types === undefined) return undefined;
  if (isKind(types, "list") && types.open === null) {
    return types.items.map((type, index) => {
      if (isKind(type, "list")) return "COMBO";
      return json.write(type, `type of output ${index + 1}`) ?? (isKind(type, "external") ? "COMBO" : "*");
    });
  }
  json.note("outputs", types);
  return undefined;
}
