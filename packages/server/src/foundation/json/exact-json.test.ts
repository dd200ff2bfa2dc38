import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readExactJson, writeExactJson } from "./exact-json.ts";

test("integers beyond 2^53 are read as they are written, and nothing else is changed", () => {
  const text =
    '{"a":18446744073709551615,"b":[ -9223372036854775808 ,1234567890123456],"c":0.12345678901234567,' +
    '"d":"max: 18446744073709551615, they say","e":"[18446744073709551615]","f":1e300,"__proto__":{"x":99999999999999999999}}';
  const value = readExactJson(text);
  assert.ok(
    typeof value === "object" && value !== null && "a" in value && "b" in value && "d" in value && "e" in value,
  );
  assert.deepEqual([value.a, value.b], [18446744073709551615n, [-9223372036854775808n, 1234567890123456]]);
  assert.deepEqual([value.d, value.e], ["max: 18446744073709551615, they say", "[18446744073709551615]"]);
  const written = writeExactJson(value);
  assert.ok(written.includes('"a":18446744073709551615') && written.includes('{"x":99999999999999999999}'));
  assert.throws(() => readExactJson('{"a":18446744073709551615'), SyntaxError);
});

test("everything written reads back the same, even large integers and texts that look like them", () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('":18446744073709551615,', "[12345678901234567890]", '\\",1'));
  const leaf = fc.oneof(
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }),
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie("tree")),
      fc.dictionary(text, tie("tree"), { noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(fc.array(tree), (value) => {
      assert.deepEqual(readExactJson(writeExactJson(value)), value);
    }),
  );
});
