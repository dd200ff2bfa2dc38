import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { writeExactJson } from "../../../foundation/json/exact-json.ts";
import { parseJson } from "../../../foundation/json/json-bytes.ts";
import { compileSchema } from "../../../foundation/json/schema.ts";
import { bodyViolations } from "../../providers/index.ts";
import { formSchema } from "./form-schema.ts";
import { valueProblem } from "./form-values.ts";
import type { FormInput } from "./work-form.ts";

const input = (given: Partial<FormInput> = {}): FormInput => ({
  name: "value",
  node: "1",
  input: "value",
  kind: "text",
  ...given,
});

// As a call is checked: by the schema, then by the digits that a double cannot hold.
function isAccepted(one: FormInput, value: unknown): boolean {
  const schema = formSchema({ inputs: [one] });
  const body = parseJson(Buffer.from(`{"value":${writeExactJson(value)}}`));
  return bodyViolations(compileSchema(schema), schema, body).length === 0;
}

describe("the schema of a form", () => {
  test("says all that the form says, and is a JSON Schema", () => {
    const schema = formSchema({
      inputs: [
        input({ name: "prompt", label: "Prompt", description: "What to paint.", multiline: true, default: "a pear" }),
        input({ name: "title", minimum: 1, maximum: 80, required: true, default: "left out" }),
        input({ name: "seed", kind: "integer", random: true, minimum: 0, maximum: 2n ** 64n - 1n, default: 7 }),
        input({ name: "width", kind: "integer", minimum: 64, maximum: 4096, step: 8, default: 512, group: "Size" }),
        input({ name: "frames", kind: "integer", minimum: 1, step: 4 }),
        input({ name: "style", kind: "choice", choices: ["ink", "oil", 3] }),
        input({ name: "is_fast", kind: "boolean", default: false }),
        input({ name: "paint", kind: "color", default: "#ff8800" }),
        input({ name: "photo", kind: "picture" }),
      ],
    });
    const { properties, ...rest } = schema;
    assert.deepEqual(rest, {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      required: ["title"],
      additionalProperties: false,
    });
    const { outputs_as, photo, paint, ...others } = Object(properties);
    assert.deepEqual(outputs_as.enum, ["url", "data_uri"]);
    assert.equal(photo["x-atelier-kind"], "picture");
    assert.deepEqual(
      { ...paint, pattern: "" },
      {
        type: "string",
        pattern: "",
        title: "paint",
        default: "#ff8800",
        "x-atelier-kind": "color",
      },
    );
    assert.deepEqual(others, {
      prompt: {
        type: "string",
        title: "Prompt",
        description: "What to paint.",
        default: "a pear",
        "x-atelier-kind": "text",
        "x-atelier-multiline": true,
      },
      title: { type: "string", minLength: 1, maxLength: 80, title: "title", "x-atelier-kind": "text" },
      seed: {
        type: "integer",
        minimum: 0,
        maximum: 18446744073709551615n,
        title: "seed",
        "x-atelier-kind": "integer",
        "x-atelier-random": true,
      },
      width: {
        type: "integer",
        minimum: 64,
        maximum: 4096,
        multipleOf: 8,
        title: "width",
        default: 512,
        "x-atelier-kind": "integer",
        "x-atelier-group": "Size",
      },
      frames: { type: "integer", minimum: 1, "x-atelier-step": 4, title: "frames", "x-atelier-kind": "integer" },
      style: { enum: ["ink", "oil", 3], title: "style", "x-atelier-kind": "choice" },
      is_fast: { type: "boolean", title: "is_fast", default: false, "x-atelier-kind": "boolean" },
    });
    assert.ok(new Ajv2020({ strict: false }).validateSchema(JSON.parse(writeExactJson(schema))));
  });

  test("accepts asset ids, https addresses and data URIs as files, and nothing else", () => {
    const photo = input({ kind: "picture" });
    for (const good of [
      "0190a5e0-0000-7000-8000-000000000001",
      "https://example.test/a.png",
      "data:image/png;base64,AA==",
    ])
      assert.ok(isAccepted(photo, good), good);
    for (const bad of ["photo.png", "http://example.test/a.png", "file:///etc/passwd", "", 5, null, {}])
      assert.ok(!isAccepted(photo, bad), String(bad));
  });

  test("names the step and where it counts from", () => {
    const schema = formSchema({ inputs: [input({ kind: "integer", minimum: 1, step: 4 })] });
    const [violation] = compileSchema(schema).violations({ value: 4 });
    assert.equal(violation?.message, "must be multiple of 4 counted from 1");
  });

  test("accepts a value exactly if the form does", () => {
    const big = fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n });
    const small = fc.bigInt({ min: -20n, max: 20n });
    const integer = fc.oneof(big, small);
    const integers = fc.record(
      {
        kind: fc.constant("integer" as const),
        minimum: integer,
        maximum: integer,
        step: fc.oneof(fc.bigInt({ min: 1n, max: 9n }), fc.constant(2n ** 55n)),
      },
      { requiredKeys: ["kind"] },
    );
    const choices = fc.record({
      kind: fc.constant("choice" as const),
      choices: fc.array(fc.oneof(fc.string(), small.map(Number), big), { minLength: 1, maxLength: 4 }),
    });
    const texts = fc.record(
      { kind: fc.constant("text" as const), minimum: fc.nat(5), maximum: fc.nat(5) },
      { requiredKeys: ["kind"] },
    );
    const value = fc.oneof(integer, fc.string(), fc.boolean(), fc.double({ noNaN: true, min: -1e15, max: 1e15 }));
    fc.assert(
      fc.property(fc.oneof(integers, choices, texts), value, (given, each) => {
        const one = input(given);
        assert.equal(isAccepted(one, each), valueProblem(one, asRead(each)) === null, writeExactJson([given, each]));
      }),
      { numRuns: 500 },
    );
  });
});

// As the parser reads it: only integers beyond 2^53 are bigints.
const asRead = (value: unknown) =>
  typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value;
