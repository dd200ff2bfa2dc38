import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isPattern } from "./entitlements.ts";
import { allows } from "./model-patterns.ts";

const cases: [patterns: string[] | null, modelId: string, allowed: boolean][] = [
  [["*"], "sandbox/image-1", true],
  [["sandbox/*"], "sandbox/image-1", true],
  [["sandbox/*"], "sandbox-2/image-1", false],
  [["sandbox/image-1"], "sandbox/image-1", true],
  [["sandbox/image-1"], "sandbox/image-10", false],
  [["other/*", "sandbox/text-1"], "sandbox/image-1", false],
  [[], "sandbox/image-1", false],
  [null, "sandbox/image-1", false],
];

for (const [patterns, modelId, allowed] of cases) {
  test(`${JSON.stringify(patterns)} ${allowed ? "allows" : "refuses"} ${modelId}`, () => {
    assert.equal(allows(patterns === null ? null : new Set(patterns), modelId), allowed);
  });
}

test("a pattern is everything, a provider or a model, and nothing else", () => {
  for (const text of ["*", "sandbox/*", "sandbox/image-1", "a.b-c_d/e.1"]) assert.ok(isPattern(text), text);
  for (const text of [
    "",
    "**",
    "*/*",
    "*/image",
    "sandbox/",
    "/image",
    "Sandbox/*",
    "a/b/c",
    "a..b/*",
    "sandbox/im*",
  ]) {
    assert.ok(!isPattern(text), text);
  }
});

test("adding a pattern never takes a model away", () => {
  const segment = fc.stringMatching(/^[a-z0-9]{1,3}$/);
  const model = fc.tuple(segment, segment).map((parts) => parts.join("/"));
  const pattern = fc.oneof(
    model,
    fc.constant("*"),
    segment.map((provider) => `${provider}/*`),
  );
  fc.assert(
    fc.property(fc.array(pattern), pattern, model, (patterns, more, modelId) => {
      if (allows(new Set(patterns), modelId)) assert.ok(allows(new Set([...patterns, more]), modelId));
    }),
  );
});
