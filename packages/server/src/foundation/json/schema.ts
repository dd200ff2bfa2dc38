// Checks JSON values against TypeBox or JSON Schema, compiled once. Nothing is coerced and no default is filled in: the
// validated value is exactly what was sent. Violations name each rejected field once, by the first keyword it violates, in
// schema order, at most 1,000 of them.
import { notBlank } from "@atelier/contract";
import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/schema";
import { Settings } from "typebox/system";
import { refined, withDecimalMultiples } from "../decimal-multiple.ts";
import { Fault } from "../fault.ts";
import { pointerSegment } from "../json-pointer.ts";
import { shownPath } from "../shown-path.ts";
import { writeExactJson } from "./exact-json.ts";

export interface Violation {
  // JSON pointer of the rejected field. For a missing or forbidden member, the pointer of the member itself.
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
  // The keyword's parameters, for envelopes that show them: {limit}, {pattern}, {type}, …
  readonly params: Readonly<Record<string, unknown>>;
}

// One bad field, as lists of them have it.
export type FieldProblem = Pick<Violation, "path" | "message">;

// The first twenty in one sentence. `whole` names the document itself.
export function listProblems(problems: readonly FieldProblem[], whole = "the body"): string {
  const named = problems.slice(0, 20).map(({ path, message }) => `${path.slice(1) || whole} ${message}`);
  const more = problems.length > named.length ? `; and ${problems.length - named.length} more` : "";
  return `${named.join("; ")}${more}`;
}

export interface CompiledSchema<Schema extends TSchema> {
  accepts(value: unknown): value is Static<Schema>;
  // Empty if the value is accepted.
  violations(value: unknown): readonly Violation[];
}

const violationsMax = 1000;
// The library stops at 8 by default. Branches of unions count separately, hence the headroom.
Settings.Set({ maxErrors: 5 * violationsMax });

const compiled = new WeakMap<object, unknown>();

export function compileSchema<Schema extends TSchema>(schema: Schema): CompiledSchema<Schema> {
  const known = compiled.get(schema);
  if (isCompiled<Schema>(known)) return known;
  const judged = withDecimalMultiples(schema);
  const validator = Compile(typeof judged === "object" && judged !== null ? judged : schema);
  const result: CompiledSchema<Schema> = {
    accepts: (value): value is Static<Schema> => validator.Check(value),
    violations: (value) => (validator.Check(value) ? [] : perField(validator.Errors(value)[1])),
  };
  compiled.set(schema, result);
  return result;
}

// Returns the value with its type, or throws invalid_request naming every bad field.
export function requireValid<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const check = compileSchema(schema);
  if (check.accepts(value)) return value;
  const violations = check.violations(value).map((one) => ({ ...one, path: shownPath(one.path, schema) }));
  throw new Fault("invalid_request", `The request is not valid: ${listProblems(violations)}.`, {
    details: violations.map(({ path, keyword, message }) => ({ path, keyword, message })),
  });
}

// The cache is ours; what it holds for a schema was compiled from that schema.
function isCompiled<Schema extends TSchema>(known: unknown): known is CompiledSchema<Schema> {
  return known !== undefined;
}

interface SchemaError {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

function perField(errors: readonly SchemaError[]): readonly Violation[] {
  // A union that matched nothing is one violation; listing what each branch missed would mislead.
  const unions = errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  const branches = new Set(unions.map(({ schemaPath, keyword }) => `${schemaPath}/${keyword}/`));
  const first = new Map<string, Violation>();
  for (const [index, error] of errors.entries()) {
    if (branches.size > 0 && isInBranch(error.schemaPath, branches)) continue;
    for (const violation of spelledOut(error, errors, index)) {
      if (!first.has(violation.path)) first.set(violation.path, violation);
      if (first.size >= violationsMax) return [...first.values()];
    }
  }
  // Even without a usable message: a value that the validator refused is never treated as valid.
  return first.size > 0 ? [...first.values()] : [{ path: "", keyword: "schema", message: "is not valid", params: {} }];
}

function isInBranch(schemaPath: string, branches: ReadonlySet<string>): boolean {
  for (const found of schemaPath.matchAll(/\/(?:anyOf|oneOf)\//g))
    if (branches.has(schemaPath.slice(0, found.index + found[0].length))) return true;
  return false;
}

function spelledOut(error: SchemaError, all: readonly SchemaError[], index: number): readonly Violation[] {
  const { keyword, instancePath, schemaPath } = error;
  const params: Readonly<Record<string, unknown>> = { ...error.params };
  const at = (name: string) => `${instancePath}/${pointerSegment(name)}`;
  const owner = schemaPath.slice(schemaPath.lastIndexOf("/") + 1);
  if (keyword === "required")
    return names(params["requiredProperties"]).map((name) => ({
      path: at(name),
      keyword,
      message: "is required",
      params: {},
    }));
  if (keyword === "dependentRequired")
    return names(params["dependencies"]).map((name) => ({
      path: at(name),
      keyword,
      message: `is required together with ${String(params["property"])}`,
      params: {},
    }));
  if (keyword === "unevaluatedProperties")
    return names(params["unevaluatedProperties"]).map((name) => ({
      path: at(name),
      keyword,
      message: "is not allowed",
      params: {},
    }));
  if (keyword === refined) {
    const wanted = String(params["message"]);
    const multipleOf = Number.parseFloat(wanted);
    const message = `must be multiple of ${wanted}`;
    return [{ path: instancePath, keyword: "multipleOf", message, params: { multipleOf } }];
  }
  // A forbidden member is reported at the member; the summary at its object would name it again.
  if (keyword === "boolean" && owner === "additionalProperties")
    return [{ path: instancePath, keyword: owner, message: "is not allowed", params: {} }];
  if (keyword === "additionalProperties" || keyword === "propertyNames") return [];
  if (owner === "propertyNames")
    return [{ path: instancePath, keyword: owner, message: "is not an allowed name", params: {} }];
  if (keyword === "anyOf" || keyword === "oneOf")
    return [unionViolation(error, params, branchErrors(error, all, index))];
  const allowed = params["allowedValues"];
  const isBlank = keyword === "pattern" && String(params["pattern"]) === notBlank;
  const worded = isBlank ? "must not be blank" : error.message;
  const message = keyword === "enum" && Array.isArray(allowed) ? oneOf(allowed) : worded;
  return [{ path: instancePath, keyword, message, params }];
}

// The errors of a union's branches come right before the union's own.
function branchErrors(union: SchemaError, all: readonly SchemaError[], index: number): readonly SchemaError[] {
  const prefix = `${union.schemaPath}/${union.keyword}/`;
  let from = index;
  while (from > 0 && isUnder(all[from - 1], prefix, union.instancePath)) from--;
  return all.slice(from, index);
}

function isUnder(error: SchemaError | undefined, schemaPrefix: string, instancePath: string): boolean {
  if (!error?.schemaPath.startsWith(schemaPrefix)) return false;
  return error.instancePath === instancePath || error.instancePath.startsWith(`${instancePath}/`);
}

// To people, a union of constants is a list of allowed values.
function unionViolation(error: SchemaError, params: Violation["params"], branches: readonly SchemaError[]): Violation {
  const { keyword, instancePath: path } = error;
  const constants = branches.filter((branch) => branch.keyword === "const" && branch.instancePath === path);
  const constantBranches = new Set(constants.map(({ schemaPath }) => schemaPath));
  if (constants.length === 0 || !branches.every(({ schemaPath }) => constantBranches.has(schemaPath)))
    return { path, keyword, message: "matches none of the allowed forms", params };
  const allowedValues = constants.map(({ params }) => ("allowedValue" in params ? params.allowedValue : undefined));
  return { path, keyword: "enum", message: oneOf(allowedValues), params: { allowedValues } };
}

function oneOf(allowedValues: readonly unknown[]): string {
  const listed = allowedValues.slice(0, 20).map((value) => writeExactJson(value));
  return `must be one of ${listed.join(", ")}${allowedValues.length > listed.length ? ", …" : ""}`;
}

function names(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
