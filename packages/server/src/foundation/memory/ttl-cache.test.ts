import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { handClock } from "../hand-clock.fixture.ts";
import { newId } from "../ids.ts";
import { TtlCache } from "./ttl-cache.ts";

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
  const cache = new TtlCache<string, Thing | null>({ clock, ...options });
  const source = counted([{ name: "first" }, { name: "second" }]);
  assert.deepEqual(await cache.getOrLoad("a", source.look), { name: "first" });
  await clock.advance(4_999);
  assert.deepEqual(cache.getOrLoad("a", source.look), { name: "first" });
  await clock.advance(1);
  assert.deepEqual(await cache.getOrLoad("a", source.look), { name: "second" });
});

test("the age counts from the beginning of the look-up, so a slow one is remembered less long", async () => {
  const clock = handClock();
  const cache = new TtlCache<string, Thing | null>({ clock, ...options });
  const slow = cache.getOrLoad("a", async () => {
    await clock.sleep(3_000);
    return { name: "slow" };
  });
  await clock.advance(3_000);
  assert.deepEqual(await slow, { name: "slow" });
  await clock.advance(2_000);
  const source = counted([{ name: "again" }]);
  assert.deepEqual(await cache.getOrLoad("a", source.look), { name: "again" });
});

test("simultaneous askers share one look-up, found or not", async () => {
  const cache = new TtlCache<string, Thing | null>({ clock: handClock(), ...options });
  const source = counted([null]);
  const answers = await Promise.all(Array.from({ length: 50 }, () => cache.getOrLoad("a", source.look)));
  assert.deepEqual(new Set(answers), new Set([null]));
  assert.equal(await cache.getOrLoad("a", source.look), null);
  assert.equal(source.looks(), 1);
});

test("a failed look-up is not remembered", async () => {
  const cache = new TtlCache<string, Thing | null>({ clock: handClock(), ...options });
  await assert.rejects(async () => cache.getOrLoad("a", () => Promise.reject(new Error("away"))), /away/);
  assert.deepEqual(await cache.getOrLoad("a", counted([{ name: "back" }]).look), { name: "back" });
});

test("what was dropped while it was being looked up is looked up again", async () => {
  const clock = handClock();
  const cache = new TtlCache<string, Thing | null>({ clock, ...options });
  const old = cache.getOrLoad("a", async () => {
    await clock.sleep(10);
    return { name: "before the change" };
  });
  cache.delete("a");
  const fresh = await cache.getOrLoad("a", counted([{ name: "after the change" }]).look);
  await clock.advance(10);
  await old;
  assert.deepEqual(fresh, { name: "after the change" });
  assert.deepEqual(cache.getOrLoad("a", counted([null]).look), { name: "after the change" });
});

test("a flood of unknown keys pushes out no known one", async () => {
  const cache = new TtlCache<string, Thing | null>({ clock: handClock(), ...options });
  await cache.getOrLoad("known", counted([{ name: "known" }]).look);
  for (let key = 0; key < 100; key += 1) await cache.getOrLoad(`unknown-${key}`, counted([null]).look);
  assert.deepEqual(cache.getOrLoad("known", counted([null]).look), { name: "known" });
  assert.ok(cache.getStale("known") !== undefined);
});

test("no more than the allowed number is remembered", async () => {
  const cache = new TtlCache<string, Thing | null>({ clock: handClock(), ...options });
  for (const key of ["a", "b", "c"]) await cache.getOrLoad(key, counted([{ name: key }]).look);
  assert.deepEqual(
    [cache.getStale("a") !== undefined, cache.getStale("b") !== undefined, cache.getStale("c") !== undefined],
    [false, true, true],
  );
});

test("dropping by value also forgets what was not found", async () => {
  const cache = new TtlCache<string, Thing | null>({ clock: handClock(), ...options });
  await cache.getOrLoad("mine", counted([{ name: "mine" }]).look);
  await cache.getOrLoad("other", counted([{ name: "other" }]).look);
  await cache.getOrLoad("absent", counted([null]).look);
  cache.deleteWhere((thing) => thing?.name === "mine");
  assert.deepEqual(await cache.getOrLoad("mine", counted([null]).look), null);
  assert.deepEqual(await cache.getOrLoad("absent", counted([{ name: "now" }]).look), { name: "now" });
  assert.deepEqual(cache.getOrLoad("other", counted([null]).look), { name: "other" });
});

type Overrides = ReadonlyMap<"keys", number>;

describe("limits of workspaces", () => {
  const workspace = newId<"workspace">();
  const keysAre = (value: number): Overrides => new Map([["keys", value]]);

  function countingCache(answers: () => Promise<Overrides>) {
    const clock = handClock();
    let looked = 0;
    const look = () => {
      looked += 1;
      return answers();
    };
    const kept = new TtlCache<string, Overrides>({ clock, keepMs: 5_000, entriesMax: 2 });
    const cache = { get: (key: string) => kept.getOrLoad(key, look), drop: (key: string) => kept.delete(key) };
    return { clock, cache, looked: () => looked };
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
});

describe("prices", () => {
  function counting(entriesMax = 10) {
    const clock = handClock();
    let asked = 0;
    let release: () => void = () => {};
    let gate: Promise<void> = Promise.resolve();
    const kept = new TtlCache<string, number>({ clock, keepMs: 5000, entriesMax });
    const look = async () => {
      const answer = ++asked;
      await gate;
      return answer;
    };
    const recall = { get: (key: string) => kept.getOrLoad(key, look), drop: (key: string) => kept.delete(key) };
    const close = () => {
      gate = new Promise((resolve) => {
        release = resolve;
      });
    };
    return { clock, recall, close, open: () => release() };
  }

  test("an answer is remembered for five seconds from when it was asked for", async () => {
    const { clock, recall, close, open } = counting();
    close();
    const first = recall.get("a");
    await clock.advance(3000);
    open();
    assert.equal(await first, 1);
    await clock.advance(1999);
    assert.equal(recall.get("a"), 1);
    await clock.advance(1);
    assert.equal(await recall.get("a"), 2);
  });

  test("those who ask at the same time share one look-up", async () => {
    const { recall } = counting();
    assert.deepEqual(await Promise.all([recall.get("a"), recall.get("a"), recall.get("b")]), [1, 1, 2]);
  });

  test("a dropped key forgets also the answer that is on its way", async () => {
    const { recall, close, open } = counting();
    close();
    const late = recall.get("a");
    recall.drop("a");
    open();
    assert.equal(await late, 1);
    assert.equal(await recall.get("a"), 2);
  });

  test("no more than the bound is remembered, the oldest goes first", async () => {
    const { recall } = counting(2);
    for (const key of ["a", "b", "c"]) await recall.get(key);
    assert.equal(recall.get("c"), 3);
    assert.equal(recall.get("b"), 2);
    assert.equal(await recall.get("a"), 4);
  });

  test("a failed look-up is not remembered", async () => {
    let fails = true;
    const kept = new TtlCache<string, number>({ clock: handClock(), keepMs: 5000, entriesMax: 1 });
    const look = async () => {
      if (fails) throw new Error("no database");
      return 1;
    };
    const recall = { get: (key: string) => kept.getOrLoad(key, look) };
    await assert.rejects(async () => recall.get("a"), /no database/);
    fails = false;
    assert.equal(await recall.get("a"), 1);
  });
});
