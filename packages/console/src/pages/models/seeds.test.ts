import assert from "node:assert/strict";
import { test } from "node:test";
import { seedFieldOf, seedIn, withAnotherSeed, withSeeds } from "./seeds.ts";

const schema = {
  type: "object",
  properties: { prompt: { type: "string" }, seed: { type: "integer", minimum: 0, maximum: 9 } },
};

test("the seed's field is found by its name and kind, and a model without one has none", () => {
  assert.deepEqual(seedFieldOf(schema), { name: "seed", most: 9 });
  assert.equal(seedFieldOf({ type: "object", properties: { prompt: { type: "string" } } }), null);
});

test("the seed of an answer keeps every digit, and a work's is among the inputs it used", () => {
  assert.equal(seedIn({ seed: 18446744073709551615n }, "seed"), 18446744073709551615n);
  assert.equal(seedIn({ inputs: { noise_seed: 7 }, seed: 1 }, "noise_seed"), 7);
  assert.equal(seedIn({ seed: "7" }, "seed"), null);
  assert.equal(seedIn(null, "seed"), null);
});

test("another seed is another one, even if the same is drawn", () => {
  const field = { name: "seed", most: 9 };
  assert.deepEqual(
    withAnotherSeed({ prompt: "x", seed: 5 }, field, () => 5),
    { prompt: "x", seed: 4 },
  );
  assert.deepEqual(
    withAnotherSeed({ seed: 0 }, field, () => 0),
    { seed: 1 },
  );
});

test("four inputs have four seeds; a field with fewer values gives fewer; without a field nothing changes", () => {
  let drawn = 0;
  const inputs = withSeeds({ prompt: "x" }, { name: "seed", most: null }, 4, () => Math.floor(drawn++ / 2));
  assert.deepEqual(
    inputs.map((input) => input["seed"]),
    [0, 1, 2, 3],
  );
  assert.equal(withSeeds({}, { name: "seed", most: 0 }, 4, () => 0).length, 1);
  assert.deepEqual(withSeeds({ prompt: "x" }, null, 2), [{ prompt: "x" }, { prompt: "x" }]);
});
