// JSON objects as text, in every spelling that a caller may choose. They are made of what a parser would change in
// passing: integers beyond 2^53, 1.0, escapes, spaces, the order of numeric names, names of prototypes.
import fc from "fast-check";

const space = fc.constantFrom("", "", " ", "\n", "\r\n", "\t  ", "  ");

const number = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(String),
  fc.constantFrom("9007199254740993", "18446744073709551615", "1.0", "-0", "-0.0", "1e2", "1E+2", "0.10", "1.50e-7"),
);

const escapes = fc.constantFrom(
  '"\\u00e9"',
  '"\\u0041\\/\\b\\f\\n\\r\\t"',
  '"\\ud83d\\ude00"',
  '"é 漢 😀 \u2028"',
  '"</script>"',
);
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }).map((value) => JSON.stringify(value)),
  fc.string({ unit: "binary", maxLength: 12 }).map((value) => JSON.stringify(value.isWellFormed() ? value : "x")),
  escapes,
);

const name = fc.oneof(
  { arbitrary: fc.stringMatching(/^[a-z_]{1,8}$/), weight: 4 },
  fc.constantFrom("10", "9", "2", "constructor", "toString", "prompt", "seed", "stream", "a b", "", "é", "\\n", '"'),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }),
);

const literal = fc.constantFrom("null", "true", "false", "[]", "{}", "[ ]", "{ }");

// Names are compared after decoding, so none appears twice.
function objectOf(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .uniqueArray(fc.tuple(name, value, space, space), { maxLength: 6, selector: ([key]) => key })
    .map(
      (members) =>
        `{${members.map(([key, inner, before, after]) => `${before}${JSON.stringify(key)}${after}:${before}${inner}${after}`).join(",")}}`,
    );
}

function arrayOf(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .array(fc.tuple(value, space), { maxLength: 4 })
    .map((items) => `[${items.map(([inner, gap]) => `${gap}${inner}${gap}`).join(",")}]`);
}

const flat = fc.oneof(number, text, literal);
const nested = fc.oneof({ arbitrary: flat, weight: 4 }, objectOf(flat), arrayOf(flat));
const tower = fc
  .tuple(fc.integer({ min: 10, max: 60 }), flat)
  .map(([depth, inner]) => `${'{"d":['.repeat(depth / 2)}${inner}${"]}".repeat(depth / 2)}`);

// Any JSON object that the router accepts: at most 64 deep, and without duplicate names.
export const anyObjectText: fc.Arbitrary<string> = fc
  .tuple(space, fc.oneof({ arbitrary: objectOf(nested), weight: 12 }, tower), space)
  .map(([before, object, after]) => `${before}${object}${after}`);
