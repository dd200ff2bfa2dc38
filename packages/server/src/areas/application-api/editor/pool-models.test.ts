import assert from "node:assert/strict";
import { test } from "node:test";
import { modelFiles, modelFolders } from "./pool-models.ts";

test("a folder holds what the classes that load from it offer, in either form of a choice", () => {
  const classes = new Map<string, unknown>([
    ["CheckpointLoaderSimple", { input: { required: { ckpt_name: [["b.safetensors", "a.safetensors"]] } } }],
    [
      "ImageOnlyCheckpointLoader",
      { input: { required: { ckpt_name: ["COMBO", { options: ["a.safetensors", "c.ckpt"] }] } } },
    ],
    ["LoraLoader", { input: { required: { lora_name: "wrong" } } }],
    ["VAELoader", null],
  ]);
  assert.deepEqual(modelFiles(classes, "checkpoints"), ["a.safetensors", "b.safetensors", "c.ckpt"]);
  for (const folder of ["loras", "vae", "embeddings"]) assert.deepEqual(modelFiles(classes, folder), []);
  for (const folder of ["none", "toString", "__proto__"]) assert.equal(modelFiles(classes, folder), null);
  assert.ok(modelFolders.includes("text_encoders"));
});
