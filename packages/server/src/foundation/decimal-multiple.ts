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

// The same schema, with every `multipleOf` checked this way. Parts without one are returned unchanged, as the same objects.
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
  const of: unknown = Reflect.get(schema, "multipleOf");
  const isOwn = typeof of === "number" && of > 0;
  if (!isOwn && members.every(([name, member]) => member === Reflect.get(schema, name))) return schema;
  const changed = Object.fromEntries(members.filter(([name]) => !(isOwn && name === "multipleOf")));
  return isOwn ? { ...changed, [refined]: [multipleRule(of)] } : changed;
}

// The validator's keyword for a rule written in code.
export const refined = "~refine";

function multipleRule(of: number) {
  const check = (value: unknown) => typeof value !== "number" || isDecimalMultiple(value, of);
  return { check, error: () => String(of) };
}
