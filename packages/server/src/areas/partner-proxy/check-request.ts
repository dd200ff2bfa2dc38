// Validates a request against its operation's schema, before anything is held or sent: a 400 names each field. 64-bit integers
// are checked by their digits and not by the double that rounds them.
import { Fault } from "../../foundation/fault.ts";
import { forwarded, parseJson } from "../../foundation/json/json-bytes.ts";
import { requireValid } from "../../foundation/json/schema.ts";

type Schema = Readonly<Record<string, unknown>>;

export function checkRequest(schema: Schema, bytes: Buffer): unknown {
  const { value, exactIntegers } = parseJson(bytes, forwarded);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Fault("invalid_request", "The body must be a JSON object.");
  const whole = wholeProblem(schema, value);
  if (whole !== null) throw new Fault("invalid_request", `The request is not valid: ${whole}.`);
  requireValid(schema, value);
  for (const integer of wideIntegers(schema, "")) {
    const exact = exactIntegers.get(integer.pointer) ?? numberAt(value, integer.path);
    if (exact !== null && !isWide(exact))
      throw new Fault(
        "invalid_request",
        `The request is not valid: ${integer.path.join(".")} must be a 64-bit integer.`,
      );
  }
  return value;
}

// Rules about several fields are reported with the fields' names, which the validator's own messages lack.
function wholeProblem(schema: Schema, value: object): string | null {
  const excluded = requiredIn(schema["not"]);
  if (excluded.length > 1 && excluded.every((name) => Object.hasOwn(value, name)))
    return `${excluded.join(" and ")} exclude each other`;
  const ways = Array.isArray(schema["anyOf"]) ? schema["anyOf"].map(requiredIn) : [];
  const isMet = ways.some((names) => names.every((name) => isGiven(value, name)));
  if (ways.length > 0 && ways.every((names) => names.length > 0) && !isMet)
    return `${ways.map((names) => names.join(" with ")).join(" or ")} is required`;
  return null;
}

function requiredIn(schema: unknown): string[] {
  const names: unknown = typeof schema === "object" && schema !== null ? Reflect.get(schema, "required") : null;
  return Array.isArray(names) ? names.map(String) : [];
}

function isGiven(value: object, name: string): boolean {
  return Object.hasOwn(value, name) && Reflect.get(value, name) !== "";
}

interface WideInteger {
  readonly pointer: string;
  readonly path: readonly string[];
}

function wideIntegers(schema: unknown, pointer: string, path: readonly string[] = []): WideInteger[] {
  if (typeof schema !== "object" || schema === null) return [];
  if (Reflect.get(schema, "format") === "int64") return [{ pointer, path }];
  const properties: unknown = Reflect.get(schema, "properties");
  if (typeof properties !== "object" || properties === null) return [];
  return Object.entries(properties).flatMap(([name, inner]) =>
    wideIntegers(inner, `${pointer}/${name}`, [...path, name]),
  );
}

// Only for numbers without exact digits: a small one, or one with an exponent.
function numberAt(value: unknown, path: readonly string[]): string | null {
  let found: unknown = value;
  for (const name of path)
    found = typeof found === "object" && found !== null && Object.hasOwn(found, name) ? Reflect.get(found, name) : null;
  return typeof found === "number" && Number.isInteger(found) ? String(BigInt(found)) : null;
}

// Fits 64 bits, signed or unsigned.
function isWide(digits: string): boolean {
  if (!/^-?\d{1,20}$/.test(digits)) return false;
  const value = BigInt(digits);
  return value >= -(2n ** 63n) && value < 2n ** 64n;
}
