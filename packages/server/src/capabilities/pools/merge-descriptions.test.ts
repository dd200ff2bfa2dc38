import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeDescriptions, modelsIn } from "./merge-descriptions.ts";

const loader = (...files: string[]) => ({
  input: { required: { name: [files, { tooltip: "x" }], strength: ["FLOAT", { default: 1 }] }, hidden: null },
  output: ["MODEL"],
});

test("a class offers every choice that any machine offers, once, and is otherwise as the first one says", () => {
  const merged = mergeDescriptions([
    { Loader: loader("a.safetensors", "b.ckpt"), Own: { output: [] } },
    { Loader: loader("b.ckpt", "c.gguf"), Other: 5 },
    { Loader: null },
  ]);
  assert.deepEqual(merged, {
    Loader: {
      input: {
        required: {
          name: [["a.safetensors", "b.ckpt", "c.gguf"], { tooltip: "x" }],
          strength: ["FLOAT", { default: 1 }],
        },
      },
      output: ["MODEL"],
    },
    Own: { output: [] },
    Other: 5,
  });
});

test("the models of a machine are the files of weights that its classes offer", () => {
  assert.deepEqual([...modelsIn({ A: loader("a.safetensors", "fast", "z.png"), B: 7, C: loader("C.GGUF") })].sort(), [
    "C.GGUF",
    "a.safetensors",
  ]);
});
