import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import Type from "typebox";
import { Fault } from "../fault.ts";
import { compileSchema, requireValid } from "./schema.ts";

const Order = Type.Object(
  {
    name: Type.String({ minLength: 2, pattern: "^x" }),
    count: Type.Integer({ minimum: 1 }),
    size: Type.Optional(Type.Union([Type.Literal("small"), Type.Literal("large")])),
    note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    colour: Type.Optional(Type.Enum(["red", "blue"])),
    lines: Type.Array(Type.Object({ text: Type.String(), price: Type.Number() })),
  },
  { additionalProperties: false },
);

function listed(schema: Parameters<typeof compileSchema>[0], value: unknown): string[] {
  return compileSchema(schema)
    .violations(value)
    .map(({ path, keyword }) => `${path} ${keyword}`);
}

describe("violations", () => {
  test("a valid value has none and comes back with its type", () => {
    const value: unknown = { name: "xy", count: 1, lines: [] };
    const order = requireValid(Order, value);
    assert.equal(order, value);
    assert.equal(order.name.length + order.count, 3);
  });

  test("every missing field is named by itself", () => {
    assert.deepEqual(listed(Order, {}), ["/name required", "/count required", "/lines required"]);
  });

  test("each field appears once, with its first broken keyword, members of lists included", () => {
    const value = {
      name: "",
      count: 1.5,
      size: "huge",
      note: 5,
      colour: "green",
      lines: [{ text: 1, price: "x" }, {}, 7],
    };
    assert.deepEqual(listed(Order, value), [
      "/name minLength",
      "/count type",
      "/size enum",
      "/note anyOf",
      "/colour enum",
      "/lines/0/text type",
      "/lines/0/price type",
      "/lines/1/text required",
      "/lines/1/price required",
      "/lines/2 type",
    ]);
  });

  test("a forbidden member is named at the member, escaped as a pointer", () => {
    const value = { name: "xy", count: 1, lines: [], extra: 1, "a/~b": 2 };
    assert.deepEqual(listed(Order, value), ["/extra additionalProperties", "/a~1~0b additionalProperties"]);
  });

  test("a list of unions reports each item by itself", () => {
    const schema = Type.Array(Type.Union([Type.Literal("a"), Type.Literal("b")]));
    assert.deepEqual(
      compileSchema(schema)
        .violations(["a", "x", "b", 1])
        .map(({ path, message }) => `${path} ${message}`),
      ['/1 must be one of "a", "b"', '/3 must be one of "a", "b"'],
    );
  });

  test("a union of a constant and something else is not reported as a list of values", () => {
    const schema = Type.Object({ size: Type.Union([Type.Literal("auto"), Type.Number()]) });
    assert.deepEqual(listed(schema, { size: "x" }), ["/size anyOf"]);
  });

  test("nothing is coerced and no default is filled in", () => {
    const schema = Type.Object({ n: Type.Integer(), d: Type.Optional(Type.Integer({ default: 5 })) });
    const value = { n: 1 };
    assert.deepEqual(requireValid(schema, value), { n: 1 });
    for (const wrong of ["1", true, null, [1]]) assert.deepEqual(listed(schema, { n: wrong }), ["/n type"]);
  });

  test("at most 1,000 are listed, however many there are", () => {
    const schema = Type.Array(Type.String());
    assert.equal(compileSchema(schema).violations(Array.from({ length: 20_000 }, () => 1)).length, 1000);
    const unions = Type.Array(Type.Union([Type.String(), Type.Null()]));
    assert.equal(compileSchema(unions).violations(Array.from({ length: 20_000 }, () => 1)).length, 1000);
  });

  test("the same value gives the same list every time", () => {
    const value = { name: 1, lines: [{}], b: 1, a: 2 };
    assert.deepEqual(compileSchema(Order).violations(value), compileSchema(Order).violations(structuredClone(value)));
  });

  test("the verdict agrees with another validator", () => {
    const other = new Ajv2020({ strict: false }).compile(JSON.parse(JSON.stringify(Order)));
    const part = fc.oneof(
      fc.constantFrom("xy", "", "small", "red", null),
      fc.integer({ min: -2, max: 3 }),
      fc.double(),
    );
    const value = fc.record(
      {
        name: part,
        count: part,
        size: part,
        note: part,
        colour: part,
        lines: fc.oneof(part, fc.array(fc.record({ text: part, price: part }, { requiredKeys: [] }), { maxLength: 3 })),
        extra: part,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(value, (candidate) => {
        const json: unknown = JSON.parse(JSON.stringify(candidate));
        assert.equal(compileSchema(Order).violations(json).length === 0, other(json));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("requireValid", () => {
  test("throws invalid_request that names every bad field, with details", () => {
    assert.throws(
      () => requireValid(Order, { name: "xy", count: 0, extra: 1 }),
      (thrown) => {
        assert.ok(thrown instanceof Fault && thrown.code === "invalid_request");
        assert.equal(
          thrown.message,
          "The request is not valid: lines is required; extra is not allowed; count must be >= 1.",
        );
        assert.deepEqual(thrown.details, [
          { path: "/lines", keyword: "required", message: "is required" },
          { path: "/extra", keyword: "additionalProperties", message: "is not allowed" },
          { path: "/count", keyword: "minimum", message: "must be >= 1" },
        ]);
        return true;
      },
    );
  });

  test("a body of the wrong kind is said in words, and long lists are cut in the message only", () => {
    assert.throws(() => requireValid(Order, 5), /the body must be object/);
    const wrong = Array.from({ length: 50 }, () => 1);
    assert.throws(
      () => requireValid(Type.Array(Type.String()), wrong),
      (thrown) => {
        assert.ok(thrown instanceof Fault && Array.isArray(thrown.details));
        assert.equal(thrown.details.length, 50);
        assert.match(thrown.message, /; and 30 more\.$/);
        return true;
      },
    );
  });
});

describe("schemas are obeyed as written", () => {
  const open = (schema: object) => compileSchema({ ...schema });

  test("a member that no part of the schema speaks of is refused under unevaluatedProperties, and named", () => {
    const schema = { type: "object", allOf: [{ properties: { a: true } }], unevaluatedProperties: false };
    assert.deepEqual(open(schema).violations({ a: 1 }), []);
    assert.deepEqual(listed(schema, { a: 1, b: 2, "c/d": 3 }), [
      "/b unevaluatedProperties",
      "/c~1d unevaluatedProperties",
    ]);
    const inside = { properties: { o: { ...schema, unevaluatedProperties: { type: "string" } } } };
    assert.deepEqual(listed(inside, { o: { b: 2 } }), ["/o/b unevaluatedProperties"]);
    assert.deepEqual(listed(inside, { o: { b: "x" } }), []);
  });

  test("a multiple is one in decimals, whatever doubles make of it", () => {
    const yes: [number, number][] = [
      [0.1, 0.3],
      [0.1, 1234567.1],
      [0.01, 123456789.01],
      [0.01, 4.35],
      [3, 9],
      [0.1, 1e22],
    ];
    const no: [number, number][] = [
      [0.1, 0.35],
      [3, 3.00000000001],
      [1e-11, 0.5e-11],
      [0.3, 1],
      [0.01, 4.355],
    ];
    for (const [multipleOf, value] of yes)
      assert.deepEqual(listed({ multipleOf }, value), [], `${value} of ${multipleOf}`);
    for (const [multipleOf, value] of no) assert.deepEqual(listed({ multipleOf }, value), [" multipleOf"], `${value}`);
    const nested = { anyOf: [{ properties: { n: { multipleOf: 0.1 } }, required: ["n"] }, { type: "string" }] };
    assert.deepEqual(listed(nested, { n: 0.3 }), []);
    assert.equal(listed(nested, { n: 0.35 }).length, 1);
    const named = { properties: { multipleOf: { type: "number", multipleOf: 0.2 } }, default: { multipleOf: 0.1 } };
    assert.deepEqual(listed(named, { multipleOf: 0.6 }), []);
    assert.deepEqual(listed(named, { multipleOf: 0.5 }), ["/multipleOf multipleOf"]);
  });

  test("any two decimals of six places agree with whole numbers", () => {
    const part = fc.integer({ min: 1, max: 10_000_000 });
    fc.assert(
      fc.property(part, part, (value, of) => {
        assert.equal(open({ multipleOf: of / 1e6 }).accepts(value / 1e6), value % of === 0);
      }),
    );
  });

  test("what is refused has a word for it, whichever keyword refused it", () => {
    const refused: [object, unknown][] = [
      [{ prefixItems: [{ type: "number" }], unevaluatedItems: false }, [1, 2]],
      [{ contains: { type: "number" }, maxContains: 1 }, [1, 2]],
      [{ dependentSchemas: { a: { required: ["b"] } } }, { a: 1 }],
      [{ propertyNames: { maxLength: 2 } }, { abc: 1 }],
      [{ not: { type: "string" } }, "a"],
      [{ additionalProperties: false }, { a: 1 }],
    ];
    for (const [schema, value] of refused) assert.ok(listed(schema, value).length > 0, JSON.stringify(schema));
  });
});
