// Whether one decimal is a multiple of another, as people and other JSON validators understand it: 0.3 is a multiple of 0.1,
// although the nearest doubles are not. A number's shortest decimal form is taken as what its author wrote.

export function isDecimalMultiple(value: number, of: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(of) || of === 0) return false;
  const [one, other] = [parseDecimal(value), parseDecimal(of)];
  const decimals = Math.max(one.decimals, other.decimals);
  return (
    (one.digits * 10n ** BigInt(decimals - one.decimals)) %
      (other.digits * 10n ** BigInt(decimals - other.decimals)) ===
    0n
  );
}

// digits / 10^decimals. decimals can be negative; a double needs at most a few hundred either way.
function parseDecimal(number: number): { digits: bigint; decimals: number } {
  const [mantissa = "0", exponent = "0"] = String(number).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), decimals: fraction.length - Number(exponent) };
}

const values = new Set(["const", "enum", "default", "examples", "example"]);

// Multiples of this, counted from the schema's minimum: 1, 5, 9. Not a keyword of JSON Schema, whose multiples count from zero.
export const stepKeyword = "x-atelier-step";

// The same schema, with every `multipleOf` and every step checked this way. Parts without one are returned unchanged, as the
// same objects.
export function withDecimalMultiples(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    const items = schema.map(withDecimalMultiples);
    return items.every((item, at) => item === schema[at]) ? schema : items;
  }
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.entries(schema).map(([name, member]): [string, unknown] => [
    name,
    values.has(name) ? member : withDecimalMultiples(member),
  ]);
  const rules = multipleRules(schema);
  if (rules.length === 0 && members.every(([name, member]) => member === Reflect.get(schema, name))) return schema;
  const changed = Object.fromEntries(members.filter(([name]) => !(rules.length > 0 && name === "multipleOf")));
  return rules.length > 0 ? { ...changed, [refined]: rules } : changed;
}

// The validator's keyword for a rule written in code.
export const refined = "~refine";

type Whole = number | bigint;

function multipleRules(schema: object) {
  const given = (name: string): Whole | null => {
    const value: unknown = Reflect.get(schema, name);
    return typeof value === "number" || typeof value === "bigint" ? value : null;
  };
  const rule = (name: string, from: Whole) => {
    const of = given(name);
    return of !== null && of > 0 ? [multipleRule(of, from)] : [];
  };
  return [...rule("multipleOf", 0), ...rule(stepKeyword, given("minimum") ?? 0)];
}

function multipleRule(of: Whole, from: Whole) {
  const check = (value: unknown) => typeof value !== "number" || isRounded(value, from) || isOnStep(value, from, of);
  return { check, error: () => (isZero(from) ? String(of) : `${of} counted from ${from}`) };
}

const isZero = (value: Whole) => Number(value) === 0;

// The distance to an integer beyond 2^53 says nothing; its exact digits are checked elsewhere.
const isRounded = (value: number, from: Whole) =>
  !isZero(from) && Number.isInteger(value) && !Number.isSafeInteger(value);

// Whether the value is a multiple of the step, counted from somewhere. Integers of any size are exact.
export function isOnStep(value: Whole, from: Whole, step: Whole): boolean {
  if ([value, from, step].every((each) => typeof each === "bigint" || Number.isSafeInteger(each)))
    return BigInt(step) !== 0n && (BigInt(value) - BigInt(from)) % BigInt(step) === 0n;
  // 0.3 − 0.1 is 0.2 for people.
  const distance = isZero(from) ? Number(value) : Number((Number(value) - Number(from)).toPrecision(15));
  return isDecimalMultiple(distance, Number(step));
}
