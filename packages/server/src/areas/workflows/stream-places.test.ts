import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../foundation/fault.ts";
import { newId } from "../../foundation/ids.ts";
import { createStreamPlaces } from "./stream-places.ts";

const isRefused = (thrown: unknown) =>
  thrown instanceof Fault && thrown.code === "too_many_streams" && thrown.retryAfterSeconds === 5;

test("a workspace has its own places, a full one hurts nobody else, and a place given back can be taken again", async () => {
  const places = createStreamPlaces({ limits: { limitOf: () => 2 } });
  const [mine, theirs] = [newId<"workspace">(), newId<"workspace">()];
  const giveBack = await places.take(mine);
  await places.take(mine);
  await assert.rejects(places.take(mine), isRefused);
  await places.take(theirs);
  giveBack();
  giveBack();
  await places.take(mine);
  await assert.rejects(places.take(mine), isRefused);
});

test("the process has an end too", async () => {
  const places = createStreamPlaces({ limits: { limitOf: () => 100 }, perProcessMax: 2 });
  const giveBack = await places.take(newId());
  await places.take(newId());
  await assert.rejects(places.take(newId()), isRefused);
  giveBack();
  await places.take(newId());
});

test("two that come at the same moment do not share the last place", async () => {
  const places = createStreamPlaces({ limits: { limitOf: async () => 1 } });
  const mine = newId<"workspace">();
  const both = await Promise.allSettled([places.take(mine), places.take(mine)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
});
