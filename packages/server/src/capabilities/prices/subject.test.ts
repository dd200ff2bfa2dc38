import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSubject } from "./subject.ts";

test("models, operations of partners and node classes have prices, and nothing else does", () => {
  const good = [
    "model:sandbox/image-1",
    "model:vertexai/gemini-2.5-flash-image",
    "partner:partner-a/image-relight",
    "partner:partner-a/v1/ai/skin-enhancer/flexible",
    "node:KSampler (Efficient)",
    "node:图像",
  ];
  for (const text of good) assert.equal(parseSubject(text), text);
  const bad = [
    "",
    "model:",
    "model:sandbox",
    "model:Sandbox/image",
    "model:a/b/c",
    "model:a/../b",
    "partner:partner-a",
    "partner:partner-a/",
    "node:",
    "node: padded",
    "node:two\nlines",
    "node:\ud800",
    "job:1",
    `node:${"x".repeat(300)}`,
  ];
  for (const text of bad) assert.equal(parseSubject(text), null, text);
});
