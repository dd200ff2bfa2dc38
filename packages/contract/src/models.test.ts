import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isAccepted } from "../test/support/verdicts.ts";
import { ModelId, ModelSegment, ProviderSegment } from "./models.ts";

const letters = fc.string({ unit: fc.constantFrom(..."abcxyz019"), minLength: 1, maxLength: 8 });
const segment = fc
  .tuple(letters, fc.array(fc.tuple(fc.constantFrom(".", "_", "-"), letters), { maxLength: 4 }))
  .map(([first, rest]) => first + rest.flat().join(""));

// Spec, Catalog entry: an id in the listing must be accepted by the invocation route.
test("two segments that the route accepts are an id that the catalog can list, and vice versa", () => {
  fc.assert(
    fc.property(fc.oneof(segment, fc.string()), fc.oneof(segment, fc.string()), (provider, model) => {
      const callable = isAccepted(ProviderSegment, provider) && isAccepted(ModelSegment, model);
      assert.equal(isAccepted(ModelId, `${provider}/${model}`), callable);
    }),
  );
});

test("no segment can climb, be encoded or be empty", () => {
  for (const bad of ["", ".", "..", "a..b", "-a", "a-", "A", "a/b", "a%2e", "a b", "é", "a\n", "_", "a__b"]) {
    assert.equal(isAccepted(ProviderSegment, bad), false, JSON.stringify(bad));
    assert.equal(isAccepted(ModelSegment, bad), false, JSON.stringify(bad));
  }
});

test("lengths end at 64, 128 and 193", () => {
  const [provider, model] = ["p".repeat(64), "m".repeat(128)];
  assert.equal(isAccepted(ModelId, `${provider}/${model}`), true);
  assert.equal(isAccepted(ProviderSegment, `${provider}p`), false);
  assert.equal(isAccepted(ModelSegment, `${model}m`), false);
});
