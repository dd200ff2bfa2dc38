// The form of a work is shown as its author arranged it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { WorkForm } from "@atelier/sdk";
import { schemaOf } from "../work-form/form-schema.ts";
import { fieldKind, groupsOf, membersOf } from "./json-schema.ts";
import { randomSeed } from "./values.ts";

const form: Pick<WorkForm, "inputs"> = {
  inputs: [
    { name: "strength", node: "1", input: "strength", kind: "number", group: "Look", minimum: 0, maximum: 1 },
    { name: "prompt", node: "2", input: "text", kind: "text", required: true },
    { name: "seed", node: "3", input: "seed", kind: "integer", random: true, maximum: 9 },
    { name: "tint", node: "4", input: "color", kind: "color", group: "Look" },
    { name: "photo", node: "5", input: "image", kind: "mask" },
  ],
};

describe("the form of a work", () => {
  const schema = schemaOf(form);
  const members = membersOf(schema, schema);

  test("fields keep the author's order, with groups where their first field is", () => {
    assert.deepEqual(
      members.map(({ name }) => name),
      ["strength", "prompt", "seed", "tint", "photo"],
      "a required field does not move to the front",
    );
    const { groups, rest } = groupsOf([
      ...members,
      { name: "outputs_as", schema: { enum: ["url"] }, isRequired: false },
    ]);
    assert.deepEqual(
      groups.map(({ label, members: own }) => [label, own.map(({ name }) => name)]),
      [
        ["Look", ["strength", "tint"]],
        [null, ["prompt", "seed", "photo"]],
      ],
    );
    assert.deepEqual(
      rest.map(({ name }) => name),
      ["outputs_as"],
    );
  });

  test("the kind decides the field, not the name", () => {
    const kindOf = (at: number) => fieldKind(members[at]?.schema ?? {}, schema, members[at]?.name);
    assert.deepEqual(kindOf(1), { kind: "text", isLong: false, maxLength: null });
    assert.deepEqual(kindOf(2), { kind: "integer", isSeed: true, least: null, most: 9, step: null });
    assert.deepEqual(kindOf(3), { kind: "color" });
    assert.deepEqual(kindOf(4), { kind: "file", media: "image", isBase64: false, isAsset: true });
  });

  test("a random number stays within the field's bound", () => {
    for (let draw = 0; draw < 50; draw++) assert.ok(randomSeed(9) <= 9);
    assert.equal(randomSeed(0), 0);
  });
});
