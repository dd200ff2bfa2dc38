// The inputs of a declared class: every type known, every default within its own limits and choices.

import { isRecord } from "../../foundation/json/json-record.ts";
import type { FieldProblem } from "../../foundation/json/schema.ts";
import { pointerSegment } from "../../foundation/json-pointer.ts";

export interface DeclaredName {
  readonly type: string;
  readonly choices: readonly string[] | null;
}

// By full name. A growing group is listed by its own name and those of its members.
export type DeclaredNames = ReadonlyMap<string, DeclaredName>;

const widgets = new Set(["INT", "FLOAT", "STRING", "BOOLEAN", "COMBO"]);
export const mediaTypes: ReadonlySet<string> = new Set(["IMAGE", "MASK", "AUDIO", "VIDEO"]);
export const plainTypes: ReadonlySet<string> = new Set([...widgets, "COMFY_DYNAMICCOMBO_V3", "COMFY_AUTOGROW_V3"]);
export const dynamicType = "COMFY_DYNAMICCOMBO_V3";
export const growingType = "COMFY_AUTOGROW_V3";
const depthMax = 6;
const grownMax = 100;

interface Sections {
  readonly required?: unknown;
  readonly optional?: unknown;
}

export function checkInputs(inputs: Sections, path: string, depth = 0): FieldProblem[] {
  if (depth > depthMax) return [{ path, message: `nests choices more than ${depthMax} deep` }];
  return (["required", "optional"] as const).flatMap((section) =>
    Object.entries(isRecord(inputs[section]) ? inputs[section] : {}).flatMap(([name, config]) =>
      inputProblems(config, `${path}/${section}/${pointerSegment(name)}`, depth),
    ),
  );
}

function inputProblems(config: unknown, path: string, depth: number): FieldProblem[] {
  const read = readConfig(config);
  if (read === null) return [{ path, message: "must be [type, options], or [[choices], options]" }];
  const { type, options, choices } = read;
  if (type === dynamicType) return dynamicProblems(options, path, depth);
  if (type === growingType) return growingProblems(options, path, depth);
  if (choices !== null) return choiceProblems(choices, options, path);
  return widgets.has(type) ? widgetProblems(type, options, path) : [];
}

interface Config {
  readonly type: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly choices: readonly unknown[] | null;
}

function readConfig(config: unknown): Config | null {
  if (!Array.isArray(config)) return null;
  const [type, given = {}]: readonly unknown[] = config;
  if (!isRecord(given)) return null;
  if (Array.isArray(type)) return { type: "COMBO", options: given, choices: type };
  if (typeof type !== "string" || type === "") return null;
  const listed = given["options"];
  return { type, options: given, choices: type === "COMBO" ? (Array.isArray(listed) ? listed : []) : null };
}

function choiceProblems(
  choices: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
  path: string,
): FieldProblem[] {
  if (choices.length === 0) return [{ path, message: "has no choices" }];
  const standard = options["default"];
  const isListed = standard === undefined || choices.includes(standard);
  return isListed
    ? []
    : [{ path, message: `has the default ${JSON.stringify(standard)}, which is not one of its choices` }];
}

const kinds: Readonly<Record<string, string>> = {
  INT: "number",
  FLOAT: "number",
  STRING: "string",
  BOOLEAN: "boolean",
};

function widgetProblems(type: string, options: Readonly<Record<string, unknown>>, path: string): FieldProblem[] {
  const { default: standard, min, max } = options;
  if (standard !== undefined && standard !== null && kindOf(standard) !== kinds[type])
    return [{ path, message: `has a default that is not a ${kinds[type]}` }];
  if (type !== "INT" && type !== "FLOAT") return [];
  const [value, least, most] = [Number(standard ?? min ?? 0), Number(min ?? -Infinity), Number(max ?? Infinity)];
  if (!(least <= most)) return [{ path, message: `has a min of ${least} above its max of ${most}` }];
  const isWithin = standard === undefined || (value >= least && value <= most);
  return isWithin ? [] : [{ path, message: `has the default ${value}, which is not between ${least} and ${most}` }];
}

const kindOf = (value: unknown): string => (typeof value === "bigint" ? "number" : typeof value);

function dynamicProblems(options: Readonly<Record<string, unknown>>, path: string, depth: number): FieldProblem[] {
  const listed = options["options"];
  if (!Array.isArray(listed) || listed.length === 0) return [{ path, message: "has no options" }];
  const keys = new Set<unknown>();
  return listed.flatMap((each: unknown, at): FieldProblem[] => {
    const position = `${path}/1/options/${at}`;
    if (!isRecord(each) || typeof each["key"] !== "string") return [{ path: position, message: "must have a key" }];
    if (keys.has(each["key"])) return [{ path: position, message: `has the key ${each["key"]} a second time` }];
    keys.add(each["key"]);
    return isRecord(each["inputs"]) ? checkInputs(each["inputs"], `${position}/inputs`, depth + 1) : [];
  });
}

function growingProblems(options: Readonly<Record<string, unknown>>, path: string, depth: number): FieldProblem[] {
  const template = options["template"];
  const input = isRecord(template) ? template["input"] : undefined;
  if (!isRecord(template) || !isRecord(input)) return [{ path, message: "must have a template with an input" }];
  if (!Array.isArray(template["names"]) && typeof template["prefix"] !== "string")
    return [{ path, message: "must have names or a prefix in its template" }];
  return checkInputs(input, `${path}/1/template/input`, depth + 1);
}

export function namesOf(inputs: Sections, prefix = "", depth = 0): Map<string, DeclaredName> {
  const names = new Map<string, DeclaredName>();
  if (depth > depthMax) return names;
  for (const section of [inputs.required, inputs.optional]) {
    for (const [own, config] of Object.entries(isRecord(section) ? section : {})) {
      for (const [name, declared] of namesUnder(`${prefix}${own}`, config, depth)) {
        const before = names.get(name);
        const choices =
          before?.choices && declared.choices ? [...before.choices, ...declared.choices] : declared.choices;
        names.set(name, { ...declared, choices });
      }
    }
  }
  return names;
}

function namesUnder(name: string, config: unknown, depth: number): Map<string, DeclaredName> {
  const read = readConfig(config);
  if (read === null) return new Map();
  const { type, options, choices } = read;
  const found = new Map<string, DeclaredName>();
  if (type === dynamicType) {
    const listed = (Array.isArray(options["options"]) ? options["options"] : []).filter(isRecord);
    found.set(name, { type, choices: listed.map((each) => String(each["key"])) });
    for (const each of listed) {
      const inner = isRecord(each["inputs"]) ? namesOf(each["inputs"], `${name}.`, depth + 1) : new Map();
      for (const [innerName, declared] of inner) {
        const before = found.get(innerName);
        const both = before?.choices && declared.choices ? [...before.choices, ...declared.choices] : declared.choices;
        found.set(innerName, { ...declared, choices: both });
      }
    }
    return found;
  }
  if (type === growingType) {
    const template = isRecord(options["template"]) ? options["template"] : {};
    const inner = isRecord(template["input"]) ? [...namesOf(template["input"], "", depth + 1).values()] : [];
    const of = inner[0] ?? { type: "*", choices: null };
    found.set(name, of);
    for (const member of grownNames(template)) found.set(`${name}.${member}`, of);
    return found;
  }
  found.set(name, { type, choices: choices === null ? null : choices.map(String) });
  return found;
}

function grownNames(template: Readonly<Record<string, unknown>>): string[] {
  if (Array.isArray(template["names"])) return template["names"].map(String);
  const count = Math.min(Number(template["max"] ?? grownMax), grownMax);
  return Array.from({ length: count }, (_, at) => `${String(template["prefix"] ?? "")}${at}`);
}
