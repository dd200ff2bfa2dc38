import assert from "node:assert/strict";
import { test } from "node:test";
import { inputOfRun, wordsOfInput } from "./playground-runs.ts";

test("a run is remembered by its prompt, else by its first text that is no file", () => {
  assert.equal(wordsOfInput({ style: "oil", prompt: "a fox" }), "a fox");
  assert.equal(wordsOfInput({ image: "data:image/png;base64,AA", caption: "old" }), "old");
  assert.equal(wordsOfInput({ width: 8 }), "");
});

test("the input of a run keeps every digit", () => {
  assert.deepEqual(inputOfRun({ input: '{"seed":18446744073709551615}' }), { seed: 18446744073709551615n });
  assert.deepEqual(inputOfRun({ input: "[]" }), {});
});
