import assert from "node:assert/strict";
import { test } from "node:test";
import { getHeapSpaceStatistics } from "node:v8";
import { giveBackMemory } from "./give-back-memory.ts";

const youngBytes = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size ?? 0;

test("what the young generation grew to is given back", () => {
  const kept: object[][] = [];
  for (let round = 0; round < 200; round++) kept.push(Array.from({ length: 5_000 }, (_, at) => ({ round, at })));
  assert.equal(kept.length, 200);
  const grown = youngBytes();
  giveBackMemory();
  assert.ok(youngBytes() <= grown / 2, `${grown} → ${youngBytes()}`);
});
