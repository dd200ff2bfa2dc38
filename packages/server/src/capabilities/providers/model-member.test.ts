import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { withModelMember } from "./model-member.ts";

const definition = { submit: { path: "/m", encoding: "json" as const, model_member: { name: "model", value: "v-1" } } };
const splice = (text: string, isPresent = false) =>
  withModelMember(definition, Buffer.from(text), isPresent).toString();

test("the member comes first, and every other byte is unchanged", () => {
  assert.equal(splice('{ "seed" : 18446744073709551615 }'), '{"model":"v-1", "seed" : 18446744073709551615 }');
  assert.equal(splice(" {} "), ' {"model":"v-1"} ');
  assert.equal(splice("{\n}"), '{"model":"v-1"\n}');
  assert.equal(splice('{"model":"v-1"}', true), '{"model":"v-1"}');
});

test("any object comes out unchanged but for the added member", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const { model: _, ...others } = value;
      const spliced = JSON.parse(splice(JSON.stringify(others)));
      assert.deepEqual(spliced, JSON.parse(JSON.stringify({ ...others, model: "v-1" })));
    }),
  );
});

test("nothing changes unless the definition asks for it", () => {
  const bytes = Buffer.from("{}");
  assert.equal(withModelMember({ submit: { path: "/m", encoding: "json" } }, bytes, false), bytes);
});
