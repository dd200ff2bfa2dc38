import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { inputSchemas } from "./input-schemas.ts";
import { type ModelInput, readInput } from "./read-input.ts";

const read = (text: string, schema = inputSchemas.image) => readInput(Buffer.from(text), schema);

function inputFrom(text: string): ModelInput {
  const result = read(text);
  assert.ok("input" in result, JSON.stringify(result));
  return result.input;
}

test("a seed of any size arrives as it was written", () => {
  for (const seed of [
    "18446744073709551615",
    String(2n ** 200n),
    `-${"9".repeat(500)}`,
    "0",
    "1.0",
    "9007199254740993",
  ])
    assert.equal(inputFrom(`{"prompt":"x", "seed" :\t${seed} }`).seed.text, seed);
  fc.assert(
    fc.property(fc.bigInt(), (seed) => inputFrom(`{"seed":${seed},"prompt":"x"}`).seed.digits === String(seed)),
  );
});

test("a seed inside another member is not the seed", () => {
  const { seed } = inputFrom('{"extra":{"seed":5},"prompt":"{\\"seed\\":6}","seed":7}');
  assert.equal(seed.text, "7");
});

test("without a seed one is drawn", () => {
  const drawn = new Set(Array.from({ length: 20 }, () => inputFrom('{"prompt":"x"}').seed.text));
  assert.ok(drawn.size > 15);
});

test("defaults apply where nothing was said", () => {
  const input = inputFrom('{"prompt":"x"}');
  assert.deepEqual([input.number("width"), input.number("height"), input.word("response_format")], [1024, 1024, "url"]);
  assert.deepEqual([input.simulate, input.simulateSeconds], [null, null]);
});

test("every invalid field is named once, in the providers' common shape", () => {
  const result = read('{"width":65,"height":9999,"seed":1.5,"response_format":"gif","simulate_seconds":-1}');
  assert.ok("violations" in result);
  assert.deepEqual(
    result.violations.map(({ loc, type }) => [loc.join("."), type]),
    [
      ["body.prompt", "missing"],
      ["body.seed", "int_type"],
      ["body.width", "multiple_of"],
      ["body.height", "less_than_equal"],
      ["body.response_format", "literal_error"],
      ["body.simulate_seconds", "greater_than_equal"],
    ],
  );
});

test("anything but an object, JSON or UTF-8 is refused", () => {
  assert.ok("violations" in read("[1]"));
  assert.ok("violations" in read("null"));
  assert.ok("syntax" in read("{"));
  assert.ok("syntax" in read(""));
  assert.ok("syntax" in readInput(Buffer.from([0x7b, 0xff, 0x7d]), inputSchemas.image));
});

test("the verdict equals that of a JSON Schema validator over the same document", () => {
  const scalar = fc.oneof(
    fc.integer({ min: -10, max: 2200 }),
    fc.integer({ min: 0, max: 260 }).map((value) => value * 8),
    fc.constantFrom(
      "url",
      "b64_json",
      "refuse",
      "",
      "😀",
      "😀".repeat(4000),
      "x".repeat(4001),
      null,
      true,
      1.5,
      1024,
      3,
      900,
      901,
      0,
    ),
    fc.string(),
    fc.constant([]),
  );
  for (const schema of Object.values(inputSchemas)) {
    const validate = new Ajv2020().compile(schema);
    const members = fc.record(
      Object.fromEntries(
        Object.keys(schema.properties).map((name) => [
          name,
          name === "prompt" ? fc.oneof({ weight: 4, arbitrary: fc.string({ minLength: 1 }) }, scalar) : scalar,
        ]),
      ),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(members, (value) => {
        assert.equal(
          "input" in read(JSON.stringify(value), schema),
          validate(value),
          JSON.stringify(value).slice(0, 200),
        );
      }),
      { numRuns: 400 },
    );
  }
});
