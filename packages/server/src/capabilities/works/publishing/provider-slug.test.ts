import assert from "node:assert/strict";
import { test } from "node:test";
import { PublishWork } from "@atelier/contract";
import { compileSchema } from "../../../foundation/json/schema.ts";
import { proposeProviders } from "./provider-slug.ts";

const first = (name: string) => proposeProviders(name)[0];
const check = compileSchema(PublishWork.properties.provider);

test("a provider is made of the letters and digits of the workspace's name", () => {
  assert.equal(first("Acme Studio"), "w.acme-studio");
  assert.equal(first("Ada's  Château №2"), "w.adas-chateau-no2");
  assert.equal(first("--- ... ---"), "w.workspace");
  assert.equal(first("日本"), "w.workspace");
});

test("every proposal is a valid provider, and they all differ", () => {
  for (const name of ["Acme", "x".repeat(100), "a".repeat(39).concat("-b"), "", "w.w.w"]) {
    const proposed = proposeProviders(name);
    for (const each of proposed) assert.ok(check.accepts(each), each);
    assert.equal(new Set(proposed).size, proposed.length);
  }
});
