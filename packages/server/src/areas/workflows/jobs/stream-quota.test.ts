import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../../foundation/fault.ts";
import { newId } from "../../../foundation/ids.ts";
import { createStreamQuota } from "./stream-quota.ts";

const isRefused = (thrown: unknown) =>
  thrown instanceof Fault && thrown.code === "too_many_streams" && thrown.retryAfterSeconds === 5;

test("a workspace has its own places, a full one hurts nobody else, and a place given back can be taken again", async () => {
  const streamQuota = createStreamQuota({ limits: { limitOf: () => 2 } });
  const [mine, theirs] = [newId<"workspace">(), newId<"workspace">()];
  const giveBack = await streamQuota.take(mine);
  await streamQuota.take(mine);
  await assert.rejects(streamQuota.take(mine), isRefused);
  await streamQuota.take(theirs);
  giveBack();
  giveBack();
  await streamQuota.take(mine);
  await assert.rejects(streamQuota.take(mine), isRefused);
});

test("the process has an end too", async () => {
  const streamQuota = createStreamQuota({ limits: { limitOf: () => 100 }, perProcessMax: 2 });
  const giveBack = await streamQuota.take(newId());
  await streamQuota.take(newId());
  await assert.rejects(streamQuota.take(newId()), isRefused);
  giveBack();
  await streamQuota.take(newId());
});

test("two that come at the same moment do not share the last place", async () => {
  const streamQuota = createStreamQuota({ limits: { limitOf: async () => 1 } });
  const mine = newId<"workspace">();
  const both = await Promise.allSettled([streamQuota.take(mine), streamQuota.take(mine)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
});
