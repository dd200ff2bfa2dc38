// Which field a schema gets, and that all fields edit one value.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkValue } from "./check-value.ts";
import { fieldKind, isPermissive, membersOf, resolved, titleOf } from "./json-schema.ts";
import { integerOf, numberOf, valueAt, withValueAt } from "./values.ts";

const kindOf = (schema: object, name = "", root: object = {}) => fieldKind({ ...schema }, { ...root }, name).kind;

describe("fields from a schema", () => {
  test("each simple type has its field, and anything unknown is JSON", () => {
    assert.equal(kindOf({ type: "string" }), "text");
    assert.equal(kindOf({ type: "integer" }), "integer");
    assert.equal(kindOf({ type: "number" }), "number");
    assert.equal(kindOf({ type: "boolean" }), "boolean");
    assert.equal(kindOf({ enum: ["a", 1] }), "choice");
    assert.equal(kindOf({ type: "array", items: { type: "string" } }), "list");
    assert.equal(kindOf({ type: "object", properties: { a: {} } }), "object");
    assert.equal(kindOf({ type: "object" }), "json");
    assert.equal(kindOf({ type: "array" }), "json");
    assert.equal(kindOf({ not: {} }), "json");
  });

  test("null beside a type is a field that may be left out", () => {
    assert.equal(kindOf({ type: ["integer", "null"] }), "integer");
    assert.equal(kindOf({ anyOf: [{ type: "string" }, { type: "null" }] }), "text");
    assert.equal(kindOf({ oneOf: [{ const: "a" }, { const: "b" }] }), "choice");
    assert.equal(kindOf({ anyOf: [{ enum: ["x"] }, { type: "object", properties: { w: {} } }] }), "alternatives");
    assert.equal(kindOf({ type: ["string", "array"] }), "alternatives");
  });

  test("texts that refer to files are recognised by their names, and words of a list are not", () => {
    for (const name of ["image", "input_image_2", "image_url", "mask", "promptImage", "init_image", "image_tail"])
      assert.equal(kindOf({ type: "string" }, name), "file", name);
    assert.equal(kindOf({ type: "string" }, "image_style"), "text");
    assert.equal(kindOf({ type: "string" }, "style"), "text");
    assert.equal(kindOf({ enum: ["webp", "png"] }, "image_format"), "choice");
    assert.equal(kindOf({ type: "integer" }, "num_images"), "integer");
    const plain = fieldKind({ type: "string", description: "Base64 without a prefix, or an https URL." }, {}, "image");
    assert.ok(plain.kind === "file" && plain.isBase64);
  });

  test("references and allOf are followed, and never in a cycle", () => {
    const root = { $defs: { size: { type: "integer", minimum: 1 }, loop: { $ref: "#/$defs/loop" } } };
    assert.equal(kindOf({ $ref: "#/$defs/size" }, "", root), "integer");
    assert.equal(kindOf({ $ref: "#/$defs/loop" }, "", root), "json");
    const both = resolved(
      { allOf: [{ properties: { a: {} }, required: ["a"] }, { properties: { b: {} } }], type: "object" },
      {},
    );
    assert.deepEqual(
      membersOf(both, {}).map(({ name, isRequired }) => [name, isRequired]),
      [
        ["a", true],
        ["b", false],
      ],
    );
    assert.ok(isPermissive({ type: "object", description: "Any JSON object." }));
    assert.equal(titleOf("num_inferenceSteps", {}), "Num inference Steps");
  });
});

describe("the value behind a form", () => {
  test("integers keep every digit; anything else stays as it was typed", () => {
    assert.equal(integerOf("18446744073709551615"), 18446744073709551615n);
    assert.equal(integerOf("-9007199254740993"), -9007199254740993n);
    assert.equal(integerOf(" 42 "), 42);
    assert.equal(integerOf("4x"), "4x");
    assert.equal(integerOf(""), undefined);
    assert.equal(numberOf("0,5"), 0.5);
    assert.equal(numberOf("18446744073709551615"), 18446744073709551615n);
  });

  test("a change creates the missing parents, and removing it leaves no trace", () => {
    assert.deepEqual(withValueAt({}, ["a", "b"], 1), { a: { b: 1 } });
    assert.deepEqual(withValueAt({ a: [1, 2, 3] }, ["a", 1], undefined), { a: [1, 3] });
    assert.deepEqual(withValueAt({ a: 1, b: 2 }, ["a"], undefined), { b: 2 });
    assert.equal(valueAt({ a: [{ b: 7 }] }, ["a", 0, "b"]), 7);
    assert.equal(valueAt({}, ["__proto__", "x"]), undefined);
  });

  test("the check names the field and says in words what is wrong", () => {
    const schema = {
      type: "object",
      required: ["prompt"],
      properties: {
        prompt: { type: "string", minLength: 1 },
        width: { type: "integer", multipleOf: 8, maximum: 2048 },
        seed: { type: "integer" },
        list: { type: "array", items: { type: "integer" } },
      },
    };
    const said = (value: unknown) =>
      checkValue(schema, value).map(({ path, message }) => `${path.join(".")}: ${message}`);
    assert.deepEqual(said({ prompt: "a", seed: 18446744073709551615n }), []);
    assert.deepEqual(said({}), ["prompt: This field is required."]);
    assert.deepEqual(
      [{}, { prompt: "" }].map((value) => checkValue(schema, value)[0]?.isMissing),
      [true, undefined],
    );
    assert.deepEqual(said({ prompt: "" }), ["prompt: Must not be empty."]);
    assert.deepEqual(said({ prompt: "a", width: 65 }), ["width: Must be a multiple of 8."]);
    assert.deepEqual(said({ prompt: "a", width: "wide" }), ["width: Must be a whole number."]);
    assert.deepEqual(said({ prompt: "a", list: [1, "b"] }), ["list.1: Must be a whole number."]);
  });
});
