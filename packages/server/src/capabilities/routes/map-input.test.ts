import assert from "node:assert/strict";
import { test } from "node:test";
import { mapBytes, mapInput } from "./map-input.ts";

const inputs = {
  rename: { prompt: "text", seed: "random_seed" },
  constants: { quality: "high" },
  drop: ["style"],
  choices: { size: { square: { width: 1, height: 1 }, "2": "two" } },
};
const text =
  '{ "prompt": "a", "seed": 9007199254740993, "style": "x", "size": "square", "model": "m", "quality": "low" }';
const given = { document: JSON.parse(text), exactIntegers: new Map([["/seed", "9007199254740993"]]) };

test("a mapping renames, adds, drops and chooses, and names what it dropped", () => {
  const mapped = mapInput(inputs, given, "model");
  assert.ok("document" in mapped);
  assert.deepEqual(
    { ...mapped.document, random_seed: null },
    { text: "a", random_seed: null, size: { width: 1, height: 1 }, quality: "high" },
  );
  assert.deepEqual(mapped.dropped, ["style"]);
  assert.deepEqual([...mapped.exactIntegers], [["/random_seed", "9007199254740993"]]);
});

test("mapped bytes say the same as the mapped document, and an integer keeps all its digits", () => {
  const bytes = mapBytes(inputs, Buffer.from(text), "model").toString();
  const mapped = mapInput(inputs, given, "model");
  assert.ok("document" in mapped);
  assert.deepEqual(JSON.parse(bytes), mapped.document);
  assert.ok(bytes.includes('"random_seed":9007199254740993'), bytes);
  assert.equal(mapBytes(inputs, Buffer.from("{}")).toString(), '{"quality":"high"}');
  assert.equal(mapBytes({ drop: ["a"] }, Buffer.from('{"a": 1}')).toString(), "{}");
});

test("a value that a choice does not list is not mapped; numbers are looked up by their digits", () => {
  assert.deepEqual(mapInput(inputs, { document: { size: "wide" }, exactIntegers: new Map() }), {
    unknownChoice: "size",
  });
  const mapped = mapInput(inputs, { document: { size: 2 }, exactIntegers: new Map() });
  assert.deepEqual("document" in mapped && mapped.document["size"], "two");
});

test("a member called __proto__ stays a plain member", () => {
  const mapped = mapInput({}, { document: JSON.parse('{"__proto__": {"a": 1}}'), exactIntegers: new Map() });
  assert.ok("document" in mapped);
  assert.ok(Object.hasOwn(mapped.document, "__proto__"));
});
