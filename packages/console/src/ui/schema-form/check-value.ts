// Checks a value in the browser before anything is sent: with the server's schema, without eval. The server has the last word;
// its errors are shown in the same way.
import { Validator } from "@cfworker/json-schema";
import type { FieldFault } from "../../api/fault.ts";
import { isRecord } from "../../api/json-record.ts";
import { namesInPointer } from "./json-pointer.ts";
import type { Schema } from "./json-schema.ts";

const validators = new WeakMap<Schema, Validator>();

export function checkValue(schema: Schema, value: unknown): readonly FieldFault[] {
  let validator = validators.get(schema);
  if (validator === undefined) {
    const { $schema: _dialect, ...rest } = schema;
    validator = new Validator(plain(rest) as object, "2020-12", false);
    validators.set(schema, validator);
  }
  const { errors } = validator.validate(plain(value));
  const found = new Map<string, FieldFault>();
  for (const { keyword, keywordLocation, instanceLocation, error } of errors) {
    if (summaries.has(keyword)) continue;
    const path = namesInPointer(instanceLocation);
    const missing = keyword === "required" ? /"([^"]+)"\.?$/.exec(error)?.[1] : undefined;
    const whole = missing === undefined ? path : [...path, missing];
    const message = wordsOf(keyword, ruleAt(schema, keywordLocation)) ?? error;
    const key = whole.join("/");
    if (!found.has(key)) found.set(key, { path: whole, message });
  }
  return [...found.values()];
}

// These only say that something further down is wrong.
const summaries = new Set([
  "properties",
  "items",
  "prefixItems",
  "$ref",
  "allOf",
  "if",
  "then",
  "else",
  "dependentSchemas",
]);

// Validators do not support bigint. The nearest number is enough to tell whether it is an integer and within its bounds.
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}

function ruleAt(schema: Schema, location: string): unknown {
  let here: unknown = schema;
  for (const part of namesInPointer(location))
    here = Array.isArray(here) ? here[Number(part)] : isRecord(here) ? here[part] : undefined;
  return here;
}

const typeNames: Readonly<Record<string, string>> = {
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

export function wordsOf(keyword: string, rule: unknown): string | null {
  switch (keyword) {
    case "required":
      return "This is needed.";
    case "type": {
      const names = [rule].flat().map((name) => typeNames[String(name)] ?? String(name));
      return `This must be ${names.join(" or ")}.`;
    }
    case "minimum":
      return `At least ${String(rule)}.`;
    case "maximum":
      return `At most ${String(rule)}.`;
    case "exclusiveMinimum":
      return `More than ${String(rule)}.`;
    case "exclusiveMaximum":
      return `Less than ${String(rule)}.`;
    case "multipleOf":
      return `A multiple of ${String(rule)}.`;
    case "minLength":
      return rule === 1 ? "This must not be empty." : `At least ${String(rule)} characters.`;
    case "maxLength":
      return `At most ${String(rule)} characters.`;
    case "minItems":
      return `At least ${String(rule)}.`;
    case "maxItems":
      return `At most ${String(rule)}.`;
    case "enum":
      return Array.isArray(rule) ? `One of: ${rule.map(String).join(", ")}.` : null;
    case "const":
      return `This must be ${String(rule)}.`;
    case "pattern":
      return `This does not look right: ${String(rule)} is expected.`;
    case "additionalProperties":
      return "There is no such field.";
    case "oneOf":
    case "anyOf":
      return "None of the allowed forms fits.";
    default:
      return null;
  }
}
