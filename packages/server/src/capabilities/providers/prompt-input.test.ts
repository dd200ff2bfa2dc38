// Which models one prompt is enough for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { promptInput } from "./prompt-input.ts";

const text = { type: "string" };

test("a prompt is enough if it is the one required input, or if nothing is required", () => {
  const cases: readonly [unknown, string | null][] = [
    [{ properties: { prompt: text, seed: { type: "integer" } }, required: ["prompt"] }, "prompt"],
    [{ properties: { text, voice: text }, required: ["text"] }, "text"],
    [{ properties: { prompt: text } }, "prompt"],
    [{ properties: { text } }, null],
    [{ properties: { prompt: text, image: text }, required: ["prompt", "image"] }, null],
    [{ properties: { messages: { type: "array" } }, required: ["messages"] }, null],
    [{ properties: { image: { ...text, format: "uri" } }, required: ["image"] }, null],
    [{ properties: { mode: { ...text, enum: ["a"] } }, required: ["mode"] }, null],
    [{ properties: {}, required: ["prompt"] }, null],
    [null, null],
  ];
  for (const [schema, expected] of cases) assert.equal(promptInput(schema), expected, JSON.stringify(schema));
});
