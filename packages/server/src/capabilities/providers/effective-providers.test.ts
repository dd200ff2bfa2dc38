import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { effectiveProviders, isReleased, type ProviderSource, type SourcedDefinition } from "./effective-providers.ts";

const given = (provider: string, source: ProviderSource, version: number | null = null): SourcedDefinition => ({
  provider,
  source,
  version,
  definition: null,
  updatedAt: null,
});

test("admin overrides file and file overrides built-in, in any order", () => {
  const sources = fc.shuffledSubarray<ProviderSource>(["built_in", "file", "admin"], { minLength: 1 });
  fc.assert(
    fc.property(sources, (mixed) => {
      const [first, ...others] = effectiveProviders(mixed.map((source) => given("a", source)));
      const expected = (["admin", "file", "built_in"] as const).filter((source) => mixed.includes(source));
      assert.deepEqual([first?.source, ...(first?.hidden ?? [])], expected);
      assert.deepEqual(others, []);
    }),
  );
});

test("a stored definition that cannot be read hides the file's all the same", () => {
  const [first] = effectiveProviders([given("a", "file", 1), given("a", "admin", 2)]);
  assert.deepEqual([first?.source, first?.definition], ["admin", null]);
});

test("providers come in bytewise order", () => {
  const names = effectiveProviders(["b", "a_1", "a-1", "a"].map((name) => given(name, "file"))).map((p) => p.provider);
  assert.deepEqual(names, ["a", "a-1", "a_1", "b"]);
});

test("the operator's release state overrides the definition's", () => {
  const releases = new Map([["a/x", false]]);
  assert.deepEqual([isReleased(releases, "a/x", true), isReleased(releases, "a/y", true)], [false, true]);
});
