import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { plainJson, schemaComponents } from "./plain-schema.ts";

const Colour = Type.Enum(["red", "blue"], { title: "Colour", description: "A colour." });

test("a named entity is defined once under components and referenced everywhere else", () => {
  const schemas = schemaComponents();
  const car = Type.Object({ body: Colour, roof: Type.Optional(Colour), stripes: Type.Array(Colour) }, { title: "Car" });
  assert.deepEqual(schemas.add(car), { $ref: "#/components/schemas/Car" });
  assert.deepEqual(schemas.components(), {
    Car: {
      title: "Car",
      type: "object",
      required: ["body", "stripes"],
      properties: {
        body: { $ref: "#/components/schemas/Colour" },
        roof: { $ref: "#/components/schemas/Colour" },
        stripes: { type: "array", items: { $ref: "#/components/schemas/Colour" } },
      },
    },
    Colour: { title: "Colour", description: "A colour.", enum: ["red", "blue"] },
  });
});

test("two different entities with one name are refused", () => {
  const schemas = schemaComponents();
  schemas.add(Colour);
  schemas.add(Type.Optional(Colour));
  assert.throws(() => schemas.add(Type.String({ title: "Colour" })), /Colour/);
});

test("a property called title, and data that has one, name nothing", () => {
  const schemas = schemaComponents();
  const schema = Type.Object({ title: Type.String() }, { default: { title: "Untitled" } });
  assert.deepEqual(schemas.add(schema), {
    type: "object",
    default: { title: "Untitled" },
    required: ["title"],
    properties: { title: { type: "string" } },
  });
  assert.deepEqual(schemas.components(), {});
});

test("a map of anything is written as additionalProperties", () => {
  assert.deepEqual(schemaComponents().add(Type.Record(Type.String(), Type.Integer())), {
    type: "object",
    additionalProperties: { type: "integer" },
  });
});

test("keywords come in one order, however the schema was written", () => {
  const one = schemaComponents().add({ maxLength: 3, type: "string", description: "x" });
  const other = schemaComponents().add({ description: "x", maxLength: 3, type: "string" });
  assert.equal(JSON.stringify(one), JSON.stringify(other));
  assert.equal(JSON.stringify(one), '{"description":"x","type":"string","maxLength":3}');
});

test("a value that is not JSON never reaches a document", () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, Symbol("x")]) {
    assert.throws(() => plainJson({ default: value }));
  }
});
