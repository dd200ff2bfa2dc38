// Values on both sides of every limit in a schema: lengths, ranges, formats, patterns, words and types. A validator of
// the document decides which side a value is on, so a wrong guess here wastes a probe but never gives a wrong verdict.
import fc from "fast-check";

export type Values = Readonly<Record<string, unknown>>;

export function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Expiry times must be in the future, and some must not be too far ahead.
const nextYear = new Date().getUTCFullYear() + 2;
const uuid = "00000000-0000-7000-8000-00000000abcd";
const hex = "0123456789abcdef".repeat(4);
// Longer texts and lists find nothing more and are slow.
const longest = 21_000;
const mostItems = 1_001;

const commonTexts = ["x", " ", "", "é", "x\n"];
// Texts that match some pattern in use, and texts that match none.
const codedTexts = ["a-b", "A.b", "-1", "1.2.3", "0.0000001", "2026-01-31", "a b", hex, `blake3:${hex}`];
const addresses = ["https://a.example/x", "HTTP://a.example", "http://", "ftp://a.example/x", "javascript:alert(1)"];
const byFormat: Readonly<Record<string, readonly string[]>> = {
  uuid: [uuid, uuid.toUpperCase(), "no-uuid", `${uuid}0`, `{${uuid}}`],
  "date-time": [
    `${nextYear}-01-31T12:00:00.000Z`,
    `${nextYear}-01-31T12:00:00Z`,
    `${nextYear}-01-31T12:00:00.123456Z`,
    `${nextYear}-01-31T13:00:00+01:00`,
    `${nextYear}-02-30T12:00:00.000Z`,
    `${nextYear}-01-31`,
    "tomorrow",
  ],
  uri: ["https://receiver.example/hook", "receiver.example/hook", "/hook", "x y"],
};
const ofEachType: readonly unknown[] = ["x", 7, null, {}];

function textsOf(schema: Values): readonly string[] {
  const { format, pattern, minLength = 0, maxLength } = schema;
  const least = Number(minLength);
  const texts = ["x".repeat(least), "x".repeat(Math.max(0, least - 1)), ...commonTexts];
  if (typeof format === "string") texts.push(...(byFormat[format] ?? []));
  if (typeof pattern === "string" && format !== "uuid") texts.push(...codedTexts, ...matching(pattern));
  const most = Number(maxLength ?? 300);
  if (most > longest) return texts;
  // A character of two code units, and one that people see as one and JSON Schema counts as two.
  texts.push("x".repeat(most), "x".repeat(most + 1), "😀".repeat(most), "e\u0301".repeat(most));
  return texts;
}

const matched = new Map<string, readonly string[]>();

// Cached: many schemas share the same few patterns, and generating texts for one is slow.
function matching(pattern: string): readonly string[] {
  const known = matched.get(pattern) ?? textsMatching(pattern);
  matched.set(pattern, known);
  return known;
}

function textsMatching(pattern: string): readonly string[] {
  if (/tt|https/i.test(pattern)) return addresses;
  // The text generator does not support look-around.
  if (/\(\?[=!<]/.test(pattern)) return ["0", "0.000001", "1", "999999999999", "1000000000000"];
  return fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 2, seed: 7 });
}

function numbersOf({ minimum, maximum, type }: Values): readonly number[] {
  const bounds = [minimum, maximum].filter((bound) => typeof bound === "number");
  const around = bounds.flatMap((bound) => [bound - 1, bound, bound + 1]);
  const open = [
    ...(minimum === undefined ? [-1] : []),
    ...(maximum === undefined ? [2 ** 31, Number.MAX_SAFE_INTEGER] : []),
  ];
  return [...around, ...open, 1, type === "number" ? 0.25 : 0.5];
}

// The simplest value that the schema accepts.
export function simplest(schema: Values): unknown {
  const { anyOf, enum: words, const: constant, type } = schema;
  if (constant !== undefined) return constant;
  if (Array.isArray(words)) return words[0];
  if (Array.isArray(anyOf) && type === undefined) return simplest(valuesOf(anyOf[0]));
  if (type === "object") {
    const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
    const properties = valuesOf(schema["properties"]);
    return Object.fromEntries(required.map((name) => [name, simplest(valuesOf(properties[name]))]));
  }
  if (type === "array")
    return Array.from({ length: Number(schema["minItems"] ?? 0) }, () => simplest(valuesOf(schema["items"])));
  if (type === "integer" || type === "number") return Number(schema["minimum"] ?? 1);
  if (type === "boolean") return true;
  const [text] = byFormat[String(schema["format"])] ?? ["x".repeat(Math.max(1, Number(schema["minLength"] ?? 1)))];
  return text;
}

export function valuesOf(value: unknown): Values {
  return isValues(value) ? value : {};
}

export function boundaryValues(schema: Values): readonly unknown[] {
  const { anyOf, enum: words, const: constant, type } = schema;
  const unions = Array.isArray(anyOf) ? anyOf.flatMap((variant) => boundaryValues(valuesOf(variant))) : [];
  if (type === undefined && unions.length > 0) return unions;
  if (constant !== undefined) return [constant, `${String(constant)}x`, ...ofEachType];
  if (Array.isArray(words)) return [...words, `${String(words[0])}x`, String(words[0]).toUpperCase(), ...ofEachType];
  if (type === "string") return [...textsOf(schema), ...ofEachType];
  if (type === "integer" || type === "number") return [...numbersOf(schema), ...ofEachType];
  if (type === "array") return [...listsOf(schema), ...ofEachType];
  return type === undefined ? [] : ofEachType;
}

function listsOf({ items, minItems, maxItems }: Values): readonly unknown[] {
  const item = simplest(valuesOf(items));
  const lengths = [minItems, maxItems]
    .filter((bound) => typeof bound === "number")
    .flatMap((bound) => [bound - 1, bound, bound + 1]);
  const lists = lengths
    .filter((length) => length >= 0 && length <= mostItems)
    .map((length) => Array.from({ length }, () => item));
  return [...lists, ...boundaryValues(valuesOf(items)).map((one) => [one])];
}
