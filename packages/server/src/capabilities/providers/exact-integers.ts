// Checks bounds on integers that a double cannot hold. Parsing rounds them, so we compare the source text. Runs only if a
// body contains such a number, which is rare.
import { stepKeyword } from "../../foundation/decimal-multiple.ts";
import type { JsonDocument } from "../../foundation/json/json-bytes.ts";
import type { CompiledSchema, Violation } from "../../foundation/json/schema.ts";
import { namesInPointer } from "../../foundation/json-pointer.ts";

const exactKeywords = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "const",
  "enum",
] as const;
type ExactKeyword = (typeof exactKeywords)[number];

interface ExactViolation {
  readonly path: string;
  readonly keyword: ExactKeyword;
  readonly limit: unknown;
}

// What is wrong with a body: by its schema, and by the digits of integers that a double cannot hold.
export function bodyViolations(
  compiled: Pick<CompiledSchema<object>, "violations">,
  schema: unknown,
  { value, exactIntegers }: JsonDocument,
): Violation[] {
  const found = [...compiled.violations(value)];
  if (exactIntegers.size === 0) return found;
  const kept = found.filter(({ path, keyword }) => {
    const isRounded = isExactKeyword(keyword) && readDigits(exactIntegers.get(path)) !== null;
    return !isRounded || !isDecidable(schemaAt(schema, path), keyword);
  });
  const known = new Set(kept.map(({ path }) => path));
  const exact = exactViolations(schema, exactIntegers).filter(({ path }) => !known.has(path));
  return [
    ...kept,
    ...exact.map(({ path, keyword, limit }) => ({ path, keyword, message: `breaks ${keyword}`, params: { limit } })),
  ];
}

const isExactKeyword = (keyword: string): keyword is ExactKeyword => exactKeywords.some((each) => each === keyword);

// Whether the digits decide. A double has been rounded, so what it breaks may be kept by the digits.
function isDecidable(rules: object | null, keyword: ExactKeyword): boolean {
  if (rules === null) return false;
  const limit: unknown = Reflect.get(rules, keyword) ?? Reflect.get(rules, stepKeyword);
  return keyword === "enum" ? Array.isArray(limit) : typeof limit === "bigint" || Number.isInteger(limit);
}

function exactViolations(schema: unknown, integers: ReadonlyMap<string, string>): ExactViolation[] {
  const found: ExactViolation[] = [];
  for (const [path, text] of integers) {
    const rules = schemaAt(schema, path);
    const value = readDigits(text);
    if (rules === null || value === null) continue;
    const broken = brokenRule(rules, value);
    if (broken) found.push({ path, ...broken });
  }
  return found;
}

// Null if there are none, or so many that calculating with them would take long.
const readDigits = (text = "") => (/^-?\d{1,4000}$/.test(text) ? BigInt(text) : null);

function brokenRule(rules: object, value: bigint): Omit<ExactViolation, "path"> | null {
  const bound = (name: string): bigint | null => {
    const limit: unknown = Reflect.get(rules, name);
    if (typeof limit === "bigint") return limit;
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
  const step = bound(stepKeyword);
  if (step !== null && step > 0n && (value - (bound("minimum") ?? 0n)) % step !== 0n)
    return { keyword: "multipleOf", limit: Reflect.get(rules, stepKeyword) };
  for (const [keyword, isBroken] of checks) {
    const limit = bound(keyword);
    if (limit !== null && isBroken(limit)) return { keyword, limit: Reflect.get(rules, keyword) };
  }
  const allowed: unknown = Reflect.get(rules, "enum");
  if (
    Array.isArray(allowed) &&
    !allowed.some((one) => one === value || (Number.isInteger(one) && BigInt(one) === value))
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
