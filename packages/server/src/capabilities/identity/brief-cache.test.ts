import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../foundation/clock.ts";
import { createBriefCache } from "./brief-cache.ts";

interface Thing {
  readonly name: string;
}

function counted(answers: (Thing | null)[]) {
  let looks = 0;
  return {
    look: async () => answers[Math.min(looks++, answers.length - 1)] ?? null,
    looks: () => looks,
  };
}

const options = { keepMs: 5_000, entriesMax: 2 };

test("a look-up is remembered for its time and not a millisecond longer", async () => {
  const clock = handClock();
  const cache = createBriefCache<Thing>({ clock, ...options });
  const source = counted([{ name: "first" }, { name: "second" }]);
  assert.deepEqual(await cache.get("a", source.look), { name: "first" });
  await clock.advance(4_999);
  assert.deepEqual(cache.get("a", source.look), { name: "first" });
  await clock.advance(1);
  assert.deepEqual(await cache.get("a", source.look), { name: "second" });
});

test("the age counts from the beginning of the look-up, so a slow one is remembered less long", async () => {
  const clock = handClock();
  const cache = createBriefCache<Thing>({ clock, ...options });
  const slow = cache.get("a", async () => {
    await clock.sleep(3_000);
    return { name: "slow" };
  });
  await clock.advance(3_000);
  assert.deepEqual(await slow, { name: "slow" });
  await clock.advance(2_000);
  const source = counted([{ name: "again" }]);
  assert.deepEqual(await cache.get("a", source.look), { name: "again" });
});

test("simultaneous askers share one look-up, found or not", async () => {
  const cache = createBriefCache<Thing>({ clock: handClock(), ...options });
  const source = counted([null]);
  const answers = await Promise.all(Array.from({ length: 50 }, () => cache.get("a", source.look)));
  assert.deepEqual(new Set(answers), new Set([null]));
  assert.equal(await cache.get("a", source.look), null);
  assert.equal(source.looks(), 1);
});

test("a failed look-up is not remembered", async () => {
  const cache = createBriefCache<Thing>({ clock: handClock(), ...options });
  await assert.rejects(async () => cache.get("a", () => Promise.reject(new Error("away"))), /away/);
  assert.deepEqual(await cache.get("a", counted([{ name: "back" }]).look), { name: "back" });
});

test("what was dropped while it was being looked up is looked up again", async () => {
  const clock = handClock();
  const cache = createBriefCache<Thing>({ clock, ...options });
  const old = cache.get("a", async () => {
    await clock.sleep(10);
    return { name: "before the change" };
  });
  cache.drop("a");
  const fresh = await cache.get("a", counted([{ name: "after the change" }]).look);
  await clock.advance(10);
  await old;
  assert.deepEqual(fresh, { name: "after the change" });
  assert.deepEqual(cache.get("a", counted([null]).look), { name: "after the change" });
});

test("a flood of unknown keys pushes out no known one", async () => {
  const cache = createBriefCache<Thing>({ clock: handClock(), ...options });
  await cache.get("known", counted([{ name: "known" }]).look);
  for (let key = 0; key < 100; key += 1) await cache.get(`unknown-${key}`, counted([null]).look);
  assert.deepEqual(cache.get("known", counted([null]).look), { name: "known" });
  assert.ok(cache.wasFound("known"));
});

test("no more than the allowed number is remembered", async () => {
  const cache = createBriefCache<Thing>({ clock: handClock(), ...options });
  for (const key of ["a", "b", "c"]) await cache.get(key, counted([{ name: key }]).look);
  assert.deepEqual([cache.wasFound("a"), cache.wasFound("b"), cache.wasFound("c")], [false, true, true]);
});

test("dropping by value also forgets what was not found", async () => {
  const cache = createBriefCache<Thing>({ clock: handClock(), ...options });
  await cache.get("mine", counted([{ name: "mine" }]).look);
  await cache.get("other", counted([{ name: "other" }]).look);
  await cache.get("absent", counted([null]).look);
  cache.dropWhere((thing) => thing.name === "mine");
  assert.deepEqual(await cache.get("mine", counted([null]).look), null);
  assert.deepEqual(await cache.get("absent", counted([{ name: "now" }]).look), { name: "now" });
  assert.deepEqual(cache.get("other", counted([null]).look), { name: "other" });
});
