// The value behind a form, for any value and any path.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { uiForms } from "#strings/ui/forms";
import { checkValue } from "./check-value.ts";
import { namesInPointer } from "./json-pointer.ts";
import { fieldKind } from "./json-schema.ts";
import { integerOf, numberOf, samePath, startsWith, valueAt, withValueAt } from "./values.ts";

const names = fc.constantFrom("a", "b", "size", "__proto__", "constructor");
const paths = fc.array(names, { minLength: 1, maxLength: 4 });
const records = fc.dictionary(fc.constantFrom("a", "b", "size"), fc.jsonValue({ maxDepth: 2 }), {
  noNullPrototype: true,
});

describe("a change of a form", () => {
  test("is read back, and nothing else changes", () => {
    fc.assert(
      fc.property(records, paths, fc.integer(), (value, path, next) => {
        const before = structuredClone(value);
        const changed = withValueAt(value, path, next);
        assert.equal(valueAt(changed, path), next);
        assert.deepEqual(value, before, "the old value is never changed");
        const [first = ""] = path;
        for (const name of Object.keys(value)) if (name !== first) assert.equal(valueAt(changed, [name]), value[name]);
      }),
    );
  });

  test("that removes a member leaves none, and the prototype alone", () => {
    fc.assert(
      fc.property(records, names, (value, name) => {
        const left = withValueAt(value, [name], undefined);
        assert.equal(valueAt(left, [name]), undefined);
        assert.equal(Object.getPrototypeOf(left), Object.prototype);
      }),
    );
  });

  test("of a list replaces or removes one entry", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), fc.nat(), (list, any) => {
        const at = any % list.length;
        assert.deepEqual(withValueAt(list, [at], -1), list.with(at, -1));
        assert.deepEqual(withValueAt(list, [at], undefined), list.toSpliced(at, 1));
      }),
    );
  });
});

describe("a typed number", () => {
  test("keeps every digit of any integer", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (value) => {
        const read = integerOf(` ${value} `);
        assert.equal(BigInt(read as number), value);
        assert.equal(
          typeof read === "bigint",
          value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER),
        );
        assert.equal(numberOf(String(value)), read);
      }),
    );
  });

  test("reads with a comma or a point, and stays text where it is not a number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }), (value) => {
        assert.equal(Number(numberOf(String(value).replace(".", ","))), value === 0 ? 0 : value);
      }),
    );
    for (const text of ["1x", "--1", "1.2.3", "Infinity"]) assert.equal(numberOf(text), text);
    assert.equal(integerOf("1.5"), "1.5");
  });
});

describe("paths", () => {
  test("of a pointer are its names, unescaped", () => {
    assert.deepEqual(namesInPointer("#/$defs/a~1b/c~0d"), ["$defs", "a/b", "c~d"]);
    assert.deepEqual(namesInPointer("/seeds/0"), ["seeds", "0"]);
    assert.deepEqual(namesInPointer("#"), []);
  });

  test("are equal or share a prefix, whether an index is a number or text", () => {
    assert.ok(samePath(["a", 0], ["a", "0"]));
    assert.ok(!samePath(["a"], ["a", 0]));
    assert.ok(startsWith(["a", "0", "b"], ["a", 0]));
    assert.ok(!startsWith(["a"], ["a", 0]));
  });
});

describe("a schema of any shape", () => {
  const scalar = fc.constantFrom<object>(
    { type: "string" },
    { type: "integer", minimum: 1 },
    { enum: ["a", null] },
    { const: 3 },
  );
  const { schema } = fc.letrec<{ schema: object }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.constantFrom<object>({ $ref: "#" }, { $ref: "#/none" }, { not: {} }, { type: "file" }),
      fc.record({ type: fc.constant("array"), items: tie("schema") }),
      fc.record({ anyOf: fc.array(tie("schema"), { maxLength: 3 }) }),
      fc.record({ allOf: fc.array(tie("schema"), { maxLength: 2 }) }),
      fc.record({
        type: fc.constant("object"),
        properties: fc.dictionary(names, tie("schema"), { noNullPrototype: true }),
      }),
    ),
  }));

  test("has a field, and never loops", () => {
    fc.assert(
      fc.property(schema, (any) => {
        const { kind } = fieldKind({ ...any }, { ...any }, "name");
        assert.ok(
          ["text", "file", "integer", "number", "boolean", "choice", "list", "object", "alternatives", "json"].includes(
            kind,
          ),
        );
      }),
    );
  });

  test("accepts what it allows and names the field of anything else", () => {
    const size = {
      type: "object",
      required: ["w"],
      properties: { w: { type: "integer", minimum: 1 } },
      additionalProperties: false,
    };
    fc.assert(
      fc.property(fc.integer({ min: -50, max: 50 }), (w) => {
        const faults = checkValue(size, { w });
        assert.deepEqual(
          faults.map(({ path }) => path.join(".")),
          w >= 1 ? [] : ["w"],
        );
      }),
    );
    assert.deepEqual(checkValue(size, { w: 1n }), []);
    assert.deepEqual(
      checkValue(size, { w: 2, h: 3 }).map(({ path, message }) => `${path.join(".")}: ${message}`),
      [`h: ${uiForms.check.unknownField}`],
    );
  });
});
