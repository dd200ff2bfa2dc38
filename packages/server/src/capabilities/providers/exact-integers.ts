// Checks bounds on integers that a double cannot hold. Parsing rounds them, so we compare the source text. Runs only if a
// body contains such a number, which is rare.
import { namesInPointer } from "../../foundation/json-pointer.ts";

export interface ExactViolation {
  readonly path: string;
  readonly keyword: "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" | "const" | "enum";
  readonly limit: unknown;
}

export function exactViolations(schema: unknown, integers: ReadonlyMap<string, string>): ExactViolation[] {
  const found: ExactViolation[] = [];
  for (const [path, text] of integers) {
    const rules = schemaAt(schema, path);
    const value = /^-?\d{1,4000}$/.test(text) ? BigInt(text) : null;
    if (rules === null || value === null) continue;
    const broken = brokenRule(rules, value);
    if (broken) found.push({ path, ...broken });
  }
  return found;
}

function brokenRule(rules: object, value: bigint): Omit<ExactViolation, "path"> | null {
  const bound = (name: string): bigint | null => {
    const limit: unknown = Reflect.get(rules, name);
    return typeof limit === "number" && Number.isInteger(limit) ? BigInt(limit) : null;
  };
  const checks: readonly [ExactViolation["keyword"], (limit: bigint) => boolean][] = [
    ["minimum", (limit) => value < limit],
    ["maximum", (limit) => value > limit],
    ["exclusiveMinimum", (limit) => value <= limit],
    ["exclusiveMaximum", (limit) => value >= limit],
    ["multipleOf", (limit) => limit !== 0n && value % limit !== 0n],
    ["const", (limit) => value !== limit],
  ];
  for (const [keyword, isBroken] of checks) {
    const limit = bound(keyword);
    if (limit !== null && isBroken(limit)) return { keyword, limit: Reflect.get(rules, keyword) };
  }
  const allowed: unknown = Reflect.get(rules, "enum");
  if (
    Array.isArray(allowed) &&
    !allowed.some((one) => typeof one === "number" && Number.isInteger(one) && BigInt(one) === value)
  ) {
    return { keyword: "enum", limit: allowed };
  }
  return null;
}

// The schema at a location, through properties and items. Null if unions or references make it ambiguous.
function schemaAt(schema: unknown, path: string): object | null {
  let rules = schema;
  for (const name of namesInPointer(path)) {
    if (typeof rules !== "object" || rules === null) return null;
    const properties: unknown = Reflect.get(rules, "properties");
    if (typeof properties === "object" && properties !== null && Object.hasOwn(properties, name))
      rules = Reflect.get(properties, name);
    else rules = /^\d+$/.test(name) ? Reflect.get(rules, "items") : Reflect.get(rules, "additionalProperties");
  }
  return typeof rules === "object" ? rules : null;
}
