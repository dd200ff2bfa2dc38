import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../foundation/clock.ts";
import { newId } from "../../foundation/ids.ts";
import { createOverrideCache, type Overrides } from "./override-cache.ts";

const workspace = newId<"workspace">();
const keysAre = (value: number): Overrides => new Map([["keys", value]]);

function countingCache(answers: () => Promise<Overrides>) {
  const clock = handClock();
  let looked = 0;
  const look = () => {
    looked += 1;
    return answers();
  };
  return { clock, cache: createOverrideCache({ clock, look, entriesMax: 2 }), looked: () => looked };
}

test("a workspace is looked up once in five seconds, and then again", async () => {
  const { clock, cache, looked } = countingCache(async () => keysAre(1));
  await cache.get(workspace);
  await clock.advance(4_999);
  assert.ok(!(cache.get(workspace) instanceof Promise));
  assert.equal(looked(), 1);
  await clock.advance(1);
  await cache.get(workspace);
  assert.equal(looked(), 2);
});

test("those who ask together share one look-up", async () => {
  const { cache, looked } = countingCache(async () => keysAre(1));
  await Promise.all([cache.get(workspace), cache.get(workspace), cache.get(workspace)]);
  assert.equal(looked(), 1);
});

test("a dropped workspace is looked up afresh, and an older look-up under way is not remembered", async () => {
  const waiting: ((overrides: Overrides) => void)[] = [];
  const { cache } = countingCache(() => new Promise((resolve) => waiting.push(resolve)));
  const old = cache.get(workspace);
  cache.drop(workspace);
  const fresh = cache.get(workspace);
  waiting[1]?.(keysAre(2));
  waiting[0]?.(keysAre(1));
  await Promise.all([old, fresh]);
  const remembered = await cache.get(workspace);
  assert.equal(remembered.get("keys"), 2);
});

test("a failed look-up is not remembered", async () => {
  let fails = true;
  const { cache } = countingCache(() => (fails ? Promise.reject(new Error("away")) : Promise.resolve(keysAre(3))));
  await assert.rejects(Promise.resolve(cache.get(workspace)), /away/);
  fails = false;
  assert.equal((await cache.get(workspace)).get("keys"), 3);
});

test("the oldest workspace goes when there are too many", async () => {
  const { cache, looked } = countingCache(async () => keysAre(1));
  const [one, two, three] = [newId<"workspace">(), newId<"workspace">(), newId<"workspace">()];
  for (const id of [one, two, three]) await cache.get(id);
  assert.ok(!(cache.get(three) instanceof Promise));
  await cache.get(one);
  assert.equal(looked(), 4);
});
