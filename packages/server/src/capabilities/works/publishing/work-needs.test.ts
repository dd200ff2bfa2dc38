import assert from "node:assert/strict";
import { test } from "node:test";
import { classSignature, recordNeeds } from "./work-needs.ts";

const description = {
  input: {
    required: { image: ["IMAGE"], steps: ["INT", { default: 20 }] },
    optional: { name: [["a.png", "b.png"], {}] },
  },
  output: ["IMAGE"],
};

test("a signature changes with inputs and outputs, and not with defaults, order or choices", () => {
  const before = classSignature(description);
  const same = {
    input: { optional: { name: [["c.png"]] }, required: { steps: ["INT", { default: 30 }], image: ["IMAGE"] } },
    output: ["IMAGE"],
    category: "other",
  };
  assert.equal(classSignature(same), before);
  const others = [
    { ...description, output: ["IMAGE", "MASK"] },
    { ...description, input: { ...description.input, required: { image: ["IMAGE"] } } },
    { ...description, input: { ...description.input, required: { image: ["MASK"], steps: ["INT"] } } },
    { ...description, input: { required: { ...description.input.required, ...description.input.optional } } },
    undefined,
  ];
  for (const other of others) assert.notEqual(classSignature(other), before);
});

test("needs name each class, model and file once, with what is known about them", async () => {
  const graph = {
    "1": { class_type: "LoadImage", inputs: { image: { __type: "core/ASSET", info: { id: "x" } } } },
    "2": { class_type: "CallModel", inputs: { model: " sandbox/one ", prompt: "hi" } },
    "3": { class_type: "CallModel", inputs: { model: "sandbox/one" } },
    "4": { class_type: "CallModel", inputs: { model: ["9", 0] } },
    "5": { class_type: "LoadCheckpoint", inputs: { ckpt_name: "big.safetensors" } },
    "6": { class_type: "LoadImage", inputs: { model: "not/called" } },
  };
  const needs = await recordNeeds(
    {
      classes: { descriptions: new Map([["LoadImage", description]]), locationOf: () => assert.fail() },
      modelsOf: (name, { model }) => (name === "CallModel" && typeof model === "string" ? [model] : []),
      definitionVersion: async (id) => (id === "sandbox/one" ? 7 : assert.fail(id)),
    },
    { graph, files: [{ name: "barn.png", sha256: "0f" }], works: ["w.acme/inner.v2"] },
  );
  assert.deepEqual(needs, {
    node_classes: ["CallModel", "LoadCheckpoint", "LoadImage"].map((name) => ({
      name,
      signature: classSignature(name === "LoadImage" ? description : undefined),
    })),
    models: [{ id: "sandbox/one", definition_version: 7 }],
    files: [
      { name: "barn.png", sha256: "0f" },
      { name: "big.safetensors", sha256: null },
    ],
    works: ["w.acme/inner.v2"],
  });
});
