import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { sandboxModels } from "./catalog.ts";

test("the catalog is plain JSON", () => {
  assert.deepEqual(JSON.parse(JSON.stringify(sandboxModels)), sandboxModels);
});

test("the six models have the decided prices: two kinds of unit, one flat, three free", () => {
  const prices = Object.fromEntries(
    sandboxModels.map(({ id, price }) => [
      id,
      typeof price.usd === "string" ? price.usd : `${price.usd.kind} ${price.usd.each}`,
    ]),
  );
  assert.deepEqual(prices, {
    "sandbox/image-1": "0",
    "sandbox/image-1-queued": "per_megapixel 0.02",
    "sandbox/video-1": "per_second 0.05",
    "sandbox/voice-1": "0.01",
    "sandbox/text-1": "0",
    "sandbox/open-1": "0",
  });
});

test("every schema is valid 2020-12 and accepts its own example", () => {
  for (const { inputSchema, name } of sandboxModels) {
    if (inputSchema === null) assert.equal(name, "open-1");
    else
      assert.ok(
        new Ajv2020({ strict: true }).compile(inputSchema)({
          prompt: inputSchema.properties["prompt"]?.examples?.[0],
          seed: 42,
        }),
      );
  }
});

test("a price's bounds are those of the schema, so a hold covers every allowed input", () => {
  for (const { inputSchema, price } of sandboxModels) {
    if (typeof price.usd === "string") continue;
    const sides = price.usd.kind === "per_second" ? [price.usd.seconds] : [price.usd.width, price.usd.height];
    for (const { from, default: usual, least, most } of sides) {
      const member = inputSchema?.properties[from.slice(1)];
      assert.deepEqual([member?.default, member?.minimum, member?.maximum], [usual, least, most], from);
    }
  }
});
