import assert from "node:assert/strict";
import { test } from "node:test";
import { fixturesBeside, shippedDefinition, shippedNames, shippedProviders } from "./shipped-providers.ts";

test("only providers with a configured credential are offered", async () => {
  assert.deepEqual(await shippedProviders(() => false), []);
  const one = await shippedProviders((setting) => setting === "ATELIER_PROVIDER_LUMA_KEY");
  assert.deepEqual(
    one.map(({ provider }) => provider),
    ["luma"],
  );
  const all = await shippedProviders(() => true);
  assert.deepEqual(
    all.map(({ provider }) => provider),
    await shippedNames(),
  );
  // One setting each: one variable enables one provider.
  const settings = all.map(({ credential }) => (credential.kind === "none" ? "" : credential.setting));
  assert.equal(new Set(settings).size, settings.length);
});

test("only shipped names are found, whatever the name looks like", async () => {
  for (const name of ["nobody", "bfl.fixtures", "../package", ""]) assert.equal(await shippedDefinition(name), null);
});

test("fixtures come with a definition", () => {
  assert.equal(fixturesBeside("/etc/a.json"), "/etc/a.fixtures.json");
  assert.equal(fixturesBeside("a"), "a.fixtures.json");
});
