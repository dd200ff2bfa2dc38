// Checks a value in the browser before anything is sent: with the server's schema, without eval. The server has the last word;
// its errors are shown in the same way.

import { Validator } from "@cfworker/json-schema";
import { uiForms as words } from "#strings/ui/forms";
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
    if (!found.has(key))
      found.set(key, { path: whole, message, ...(keyword === "required" ? { isMissing: true } : {}) });
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
  "additionalProperties",
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

const typeNames: Readonly<Record<string, string>> = words.check.types;

export function wordsOf(keyword: string, rule: unknown): string | null {
  switch (keyword) {
    case "required":
      return words.check.required;
    case "type": {
      const names = [rule].flat().map((name) => typeNames[String(name)] ?? String(name));
      return words.check.mustBe(names);
    }
    case "minimum":
      return words.atLeast(String(rule));
    case "maximum":
      return words.atMost(String(rule));
    case "exclusiveMinimum":
      return words.check.moreThan(String(rule));
    case "exclusiveMaximum":
      return words.check.lessThan(String(rule));
    case "multipleOf":
      return words.check.multipleOf(String(rule));
    case "minLength":
      return rule === 1 ? words.check.empty : words.check.shorter(String(rule));
    case "maxLength":
      return words.check.longer(String(rule));
    case "minItems":
      return words.check.fewer(String(rule));
    case "maxItems":
      return words.check.more(String(rule));
    case "enum":
      return Array.isArray(rule) ? words.check.oneOf(rule.map(String)) : null;
    case "const":
      return words.check.mustBe([String(rule)]);
    case "pattern":
      return words.check.pattern(String(rule));
    // The schema of a member that is not allowed.
    case "false":
      return words.check.unknownField;
    case "oneOf":
    case "anyOf":
      return words.check.noVariant;
    default:
      return null;
  }
}
