// Which model the prompt box begins with, and the seeds it draws.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AccountModel } from "@atelier/sdk";
import { byKind, firstModel, promptModels, seedFor } from "./prompt-models.ts";

function model(id: string, more: Partial<AccountModel> = {}): AccountModel {
  const [provider = "", name = ""] = id.split("/");
  const billing = { charges_on_policy_rejection: "no" } as const;
  return { id, provider, model: name, billing, verified: null, price: "1", prompt_input: "prompt", ...more };
}

const paid = model("a/paid", { kind: "image" });
const free = model("b/free", { kind: "image", price: "0" });
const clip = model("c/clip", { kind: "video" });
const several = model("d/several", { kind: "image", prompt_input: null });

describe("the prompt box", () => {
  test("offers only models that need nothing but a prompt, grouped by what they make", () => {
    const offered = promptModels([paid, free, clip, several, model("e/any")]);
    assert.deepEqual(
      byKind(offered).map(([kind, found]) => [kind, found.map(({ id }) => id)]),
      [
        ["image", ["a/paid", "b/free"]],
        ["video", ["c/clip"]],
        ["other", ["e/any"]],
      ],
    );
  });

  test("begins with the last one used, then with a free picture, then with any picture", () => {
    const offered = promptModels([clip, paid, free]);
    assert.equal(firstModel(offered, "c/clip")?.id, "c/clip");
    assert.equal(firstModel(offered, "gone/model")?.id, "b/free");
    assert.equal(firstModel(promptModels([clip, paid]), undefined)?.id, "a/paid");
    assert.equal(firstModel([], undefined), null);
  });

  test("draws seeds within the model's bounds, and none for a model without", () => {
    const schema = (seed: object) => ({ properties: { seed } });
    assert.deepEqual(
      seedFor(schema({ type: "integer" }), () => 0.999_999_999_9),
      { seed: 2_147_483_647 },
    );
    assert.deepEqual(
      seedFor(schema({ type: "integer", minimum: 1, maximum: 4 }), () => 0),
      { seed: 1 },
    );
    assert.deepEqual(
      seedFor(schema({ type: "integer", minimum: 1, maximum: 4 }), () => 0.99),
      { seed: 4 },
    );
    assert.deepEqual(seedFor(schema({ type: "string" })), {});
    assert.deepEqual(seedFor(undefined), {});
  });
});
