import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseModelId } from "./model-id.ts";

const parse = (provider: string, model: string) =>
  parseModelId({ path: `/v1/models/${provider}/${model}`, params: { provider, model } });

test("the alphabet admits no slash, no dot segment and no repeated separator, so no address can be composed of more", () => {
  for (const [provider, model] of [
    ["sandbox", "image-1"],
    ["a", "b"],
    ["a.b-c_d", "v1.2.3"],
    ["a".repeat(64), "b".repeat(128)],
  ] as const) {
    assert.equal(parse(provider, model), `${provider}/${model}`);
  }
  for (const bad of [
    "",
    ".",
    "..",
    "a..b",
    "a/b",
    "A",
    "a b",
    "-a",
    "a-",
    "a__b",
    "a\u0000",
    "ａ",
    "%2e%2e",
    "a".repeat(129),
  ]) {
    assert.equal(parse("a", bad), null, bad);
    assert.equal(parse(bad, "a"), null, bad);
  }
});

test("a percent-encoded segment is not a name (Spec, Model router: no percent-encoding)", () => {
  const params = { provider: "sandbox", model: "image-1" };
  assert.equal(parseModelId({ path: "/v1/models/sandbox/%69mage-1", params }), null);
  assert.equal(parseModelId({ path: "/v1/models/sandbo%78/image-1", params }), null);
});

test("every accepted id is two safe segments", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (provider, model) => {
      const id = parse(provider, model);
      if (id !== null) assert.match(id, /^[a-z0-9]+([._-][a-z0-9]+)*\/[a-z0-9]+([._-][a-z0-9]+)*$/);
    }),
  );
});
