import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { compileSchema } from "../../../foundation/json/schema.ts";
import { buildInputSchema } from "../../providers/index.ts";
import { checkInput } from "./check-input.ts";

const input_schema = {
  type: "object",
  required: ["prompt"],
  additionalProperties: false,
  properties: {
    prompt: { type: "string", minLength: 1, maxLength: 10 },
    seed: { type: "integer", minimum: 0, maximum: 2 ** 64 },
    size: { enum: [512, 1024] },
    tags: { type: "array", maxItems: 2, items: { type: "string" } },
    strength: { type: "number", exclusiveMinimum: 0, maximum: 1 },
  },
};
const model = (schema: object | null) =>
  ({ definition: { input_schema: schema }, schema: schema === null ? null : compileSchema(schema) }) as Parameters<
    typeof checkInput
  >[0];
const errorsOf = (text: string, schema: object | null = input_schema) => {
  const verdict = checkInput(model(schema), Buffer.from(text));
  return verdict.ok ? [] : { code: verdict.fault.code, details: verdict.fault.details };
};

describe("a model input", () => {
  test("that the schema admits passes, with integers beyond 2^53 known exactly", () => {
    const verdict = checkInput(model(input_schema), Buffer.from('{"prompt":"fox","seed":18446744073709551615}'));
    assert.ok(verdict.ok);
    assert.equal(verdict.ok && verdict.exactIntegers.get("/seed"), "18446744073709551615");
  });

  test("is rejected with one entry per field, in the vocabulary of the validation body", () => {
    assert.deepEqual(errorsOf('{"seed":-1,"size":3,"tags":["a",5],"strength":0,"extra":1}'), {
      code: "validation_failed",
      details: [
        { loc: ["body", "prompt"], msg: "Field is required", type: "missing" },
        { loc: ["body", "extra"], msg: "Field is not allowed", type: "extra_forbidden", input: 1 },
        { loc: ["body", "seed"], msg: "Field must be >= 0", type: "greater_than_equal", ctx: { ge: 0 }, input: -1 },
        {
          loc: ["body", "size"],
          msg: "Field must be one of 512, 1024",
          type: "literal_error",
          ctx: { expected: [512, 1024] },
          input: 3,
        },
        { loc: ["body", "tags", 1], msg: "Field must be string", type: "string_type", input: 5 },
        { loc: ["body", "strength"], msg: "Field must be > 0", type: "greater_than", ctx: { gt: 0 }, input: 0 },
      ],
    });
  });

  test("one beyond a bound that a double cannot tell is still beyond it", () => {
    const at = errorsOf('{"prompt":"x","seed":18446744073709551616}');
    // The bound itself is a double in the schema (2^64), so 2^64 passes and one more does not.
    assert.deepEqual(at, []);
    assert.deepEqual(errorsOf('{"prompt":"x","seed":18446744073709551617}'), {
      code: "validation_failed",
      details: [
        {
          loc: ["body", "seed"],
          msg: "Field breaks maximum",
          type: "less_than_equal",
          ctx: { le: 2 ** 64 },
        },
      ],
    });
  });

  test("bounds, steps and choices beyond 2^53 hold to the digit", () => {
    const schema = {
      properties: {
        seed: { type: "integer", maximum: 2n ** 64n - 1n },
        triple: { type: "integer", multipleOf: 3 },
        frame: { type: "integer", minimum: 1, "x-atelier-step": 4 },
        word: { enum: ["a", 2n ** 60n + 1n] },
      },
    };
    const good =
      '{"seed":18446744073709551615,"triple":9007199254740993,"frame":9007199254740993,"word":1152921504606846977}';
    assert.deepEqual(errorsOf(good, schema), []);
    const bad =
      '{"seed":18446744073709551616,"triple":9007199254740994,"frame":9007199254740994,"word":1152921504606846978}';
    const verdict = checkInput(model(schema), Buffer.from(bad));
    assert.ok(!verdict.ok);
    assert.deepEqual(JSON.parse(JSON.stringify(verdict.fault.details)), [
      { loc: ["body", "seed"], msg: "Field breaks maximum", type: "less_than_equal", ctx: { le: 2 ** 64 } },
      { loc: ["body", "triple"], msg: "Field breaks multipleOf", type: "multiple_of", ctx: { multiple_of: 3 } },
      { loc: ["body", "frame"], msg: "Field breaks multipleOf", type: "multiple_of", ctx: { multiple_of: 4 } },
      { loc: ["body", "word"], msg: "Field breaks enum", type: "literal_error", ctx: { expected: ["a", 2 ** 60] } },
    ]);
    const words = errorsOf('{"word":"b"}', schema);
    assert.match(JSON.stringify(words), /must be one of \\"a\\", 1152921504606846977/);
  });

  test("without an authored schema any object passes and nothing else does (Spec, Router rule 7)", () => {
    assert.deepEqual(errorsOf('{"anything":[{"at":"all"}]}', null), []);
    for (const text of ["[]", "5", '"x"', "null", "true"]) {
      assert.deepEqual(errorsOf(text, null), {
        code: "validation_failed",
        details: [{ loc: ["body"], msg: "The body must be a JSON object", type: "dict_type" }],
      });
    }
  });

  test("that is no JSON, or JSON that two parsers could read differently, is a bad request and no validation error", () => {
    for (const text of ["{", "", '{"a":1,"a":2}', "\ufeff{}", `${'{"a":'.repeat(65)}1${"}".repeat(65)}`]) {
      const errors = errorsOf(text);
      assert.ok(!Array.isArray(errors) && errors.code === "invalid_json", text);
    }
  });

  test("with numbers beyond a double or halves of surrogate pairs passes where the schema admits them", () => {
    for (const text of ['{"a":1e999}', '{"a":-1e400,"b":[1e309]}', '{"a":"\\ud800"}', '{"\\udfff":1}'])
      assert.deepEqual(errorsOf(text, null), [], text);
    const schema = {
      type: "object",
      properties: { n: { type: "number" }, i: { type: "integer" }, small: { type: "number", maximum: 5 } },
    };
    assert.deepEqual(errorsOf('{"n":1e400,"i":1e400}', schema), []);
    const above = errorsOf('{"small":1e400}', schema);
    assert.ok(
      !Array.isArray(above) && above.code === "validation_failed" && JSON.stringify(above).includes("less_than_equal"),
    );
  });

  test("is echoed only where that is short and true", () => {
    const verdict = errorsOf(JSON.stringify({ prompt: "x".repeat(5000), size: 2 ** 60 }));
    assert.ok(!JSON.stringify(verdict).includes("xxxxx"));
  });
});

describe("a model whose provider wants its name in the body", () => {
  const definition = {
    submit: { path: "/m", encoding: "json", model_member: { name: "model", value: "m-1" } },
    input_schema: { type: "object", properties: { n: { type: "integer" } }, additionalProperties: false },
  } as unknown as Parameters<typeof checkInput>[0]["definition"];
  const served = buildInputSchema(definition);
  const named = { definition, schema: compileSchema({ ...served }) };
  const client = new Ajv2020({ strict: false }).compile({ ...served });

  test("serves it as a constant and obeys what it serves", () => {
    for (const body of [
      {},
      { model: "m-1" },
      { model: "m-2" },
      { model: 5 },
      { model: null },
      { n: 1 },
      { n: "x" },
      { o: 1 },
    ])
      assert.equal(checkInput(named, Buffer.from(JSON.stringify(body))).ok, client(body), JSON.stringify(body));
  });

  test("names every rejected field beside it", () => {
    const verdict = checkInput(named, Buffer.from('{"model":"m-2","n":"x"}'));
    const details: unknown = verdict.ok ? [] : verdict.fault.details;
    assert.deepEqual(Array.isArray(details) && details.map(({ loc, type }) => `${loc.join("/")} ${type}`), [
      "body/model literal_error",
      "body/n int_type",
    ]);
  });
});
