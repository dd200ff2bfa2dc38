import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type HandClock, handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import type { RateFamily } from "./limit-names.ts";
import { createRateBuckets, type Exchange } from "./rate-buckets.ts";

const workspace = newId<"workspace">();
const family: RateFamily = "router_and_partner";
const rate = { perMinute: 600 };

// What rate-store.ts does in PostgreSQL, on a hand-moved clock. rate-store.db.test.ts checks that the two agree.
function sharedBuckets(clock: HandClock): Exchange {
  const spentUntil = new Map<WorkspaceId, number>();
  return async (spendings) => {
    const nowMs = clock.monotonicMs();
    for (const { workspaceId, spentMs, sinceMs } of spendings) {
      spentUntil.set(workspaceId, Math.max(spentUntil.get(workspaceId) ?? 0, nowMs - sinceMs) + spentMs);
    }
    const buckets = [...spentUntil].map(([workspaceId, untilMs]) => ({
      workspaceId,
      family,
      aheadMs: untilMs - nowMs,
    }));
    return { buckets, othersAheadMsMax: 0 };
  };
}

const nothingShared: Exchange = async () => ({ buckets: [], othersAheadMsMax: Infinity });

describe("one process", () => {
  test("keeps workspaces and families apart", () => {
    const buckets = createRateBuckets({ clock: handClock(), share: nothingShared });
    for (let count = 0; count < 600; count++) assert.ok(buckets.admit(workspace, family, rate).admitted);
    assert.equal(buckets.admit(workspace, family, rate).admitted, false);
    assert.ok(buckets.admit(workspace, "workflow_and_registry", rate).admitted);
    assert.ok(buckets.admit(newId(), family, rate).admitted);
  });

  test("is not slowed by exchanging with itself", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(120), { minLength: 15, maxLength: 40 }), async (perSecond) => {
        const clock = handClock();
        const alone = createRateBuckets({ clock, share: nothingShared });
        const sharing = createRateBuckets({ clock, share: sharedBuckets(clock) });
        for (const count of perSecond) {
          for (let request = 0; request < count; request++) {
            const expected = alone.admit(workspace, family, rate);
            assert.equal(sharing.admit(workspace, family, rate).admitted, expected.admitted);
          }
          await clock.advance(1_000);
          await sharing.exchange();
        }
      }),
      { numRuns: 30 },
    );
  });

  test("forgets drained buckets, and keeps a bounded number", async () => {
    const clock = handClock();
    const buckets = createRateBuckets({ clock, share: nothingShared, bucketsMax: 100 });
    for (let count = 0; count < 1_000; count++) buckets.admit(newId(), family, rate);
    assert.equal(buckets.size(), 100);
    await buckets.exchange();
    await clock.advance(1_000);
    await buckets.exchange();
    assert.equal(buckets.size(), 0);
  });

  test("that admitted nothing for a minute skips the exchange", async () => {
    const clock = handClock();
    let asked = 0;
    const share: Exchange = async () => {
      asked += 1;
      return { buckets: [], othersAheadMsMax: Infinity };
    };
    const buckets = createRateBuckets({ clock, share });
    await buckets.exchange();
    assert.equal(asked, 0);
    buckets.admit(workspace, family, rate);
    await buckets.exchange();
    await clock.advance(61_000);
    await buckets.exchange();
    assert.equal(asked, 1);
  });
});

describe("several processes", () => {
  for (const count of [2, 4, 8]) {
    test(`${count} together admit the rate and no more in the long run, however the requests fall`, async () => {
      const clock = handClock();
      const share = sharedBuckets(clock);
      const processes = Array.from({ length: count }, () => createRateBuckets({ clock, share }));
      let admitted = 0;
      const seconds = 1_200;
      for (let second = 0; second < seconds; second++) {
        // More than any of them could admit, at each of them.
        for (const process of processes) {
          for (let request = 0; request < 30; request++)
            if (process.admit(workspace, family, rate).admitted) admitted += 1;
        }
        await clock.advance(1_000);
        for (const process of processes) await process.exchange();
      }
      const fair = (rate.perMinute * seconds) / 60;
      // One full bucket, plus what each admits in the second before it hears of the others.
      assert.ok(admitted <= fair + rate.perMinute + count * 30, `${admitted} of ${fair}`);
      assert.ok(admitted >= fair, `${admitted} of ${fair}`);
    });
  }

  test("a bucket spent in one process is spent in the other after one exchange, even if it never saw the workspace", async () => {
    const clock = handClock();
    const share = sharedBuckets(clock);
    const [one, two] = [createRateBuckets({ clock, share }), createRateBuckets({ clock, share })];
    two.admit(newId(), family, rate);
    for (let request = 0; request < 600; request++) one.admit(workspace, family, rate);
    await one.exchange();
    await two.exchange();
    assert.equal(two.admit(workspace, family, rate).admitted, false);
  });

  test("requests admitted during an exchange count here at once and go out with the next one", async () => {
    const clock = handClock();
    const share = sharedBuckets(clock);
    let answer: () => void = () => undefined;
    const slow: Exchange = async (exchanged) => {
      const shared = await share(exchanged);
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return shared;
    };
    const [one, two] = [createRateBuckets({ clock, share: slow }), createRateBuckets({ clock, share })];
    for (let request = 0; request < 300; request++) one.admit(workspace, family, rate);
    const exchanging = one.exchange();
    for (let request = 0; request < 300; request++) assert.ok(one.admit(workspace, family, rate).admitted);
    await new Promise((resolve) => setImmediate(resolve));
    answer();
    await exchanging;
    assert.equal(one.admit(workspace, family, rate).admitted, false);
    const again = one.exchange();
    await new Promise((resolve) => setImmediate(resolve));
    answer();
    await again;
    two.admit(newId(), family, rate);
    await two.exchange();
    assert.equal(two.admit(workspace, family, rate).admitted, false);
    await clock.advance(1_000);
    for (let request = 0; request < 10; request++) assert.ok(two.admit(workspace, family, rate).admitted);
  });

  test("a raised limit applies here at once and elsewhere after one exchange, for known and new workspaces", async () => {
    const clock = handClock();
    let aheadMs = 0;
    const share: Exchange = async (exchanged) => {
      for (const { spentMs } of exchanged) aheadMs += spentMs;
      return { buckets: [{ workspaceId: workspace, family, aheadMs }], othersAheadMsMax: 5_000 };
    };
    const [one, two, three] = [0, 1, 2].map(() => createRateBuckets({ clock, share }));
    assert.ok(one && two && three);
    const low = { perMinute: 2 };
    for (const process of [one, two]) while (process.admit(workspace, family, low).admitted);
    three.admit(newId(), family, low);
    for (const process of [one, two, three, one]) await process.exchange();
    for (const process of [one, two, three]) assert.equal(process.admit(workspace, family, low).admitted, false);
    // The operator's change shrinks the shared bucket.
    const high = { perMinute: 2_000 };
    aheadMs *= low.perMinute / high.perMinute;
    assert.ok(one.admit(workspace, family, high).admitted);
    for (const process of [two, three]) {
      await process.exchange();
      for (let request = 0; request < 100; request++) assert.ok(process.admit(workspace, family, high).admitted);
    }
  });

  test("spending from a failed exchange goes out with the next one", async () => {
    const clock = handClock();
    const share = sharedBuckets(clock);
    let away = true;
    const one = createRateBuckets({
      clock,
      share: (exchanged) => (away ? Promise.reject(new Error("away")) : share(exchanged)),
    });
    const two = createRateBuckets({ clock, share });
    for (let request = 0; request < 600; request++) one.admit(workspace, family, rate);
    await assert.rejects(one.exchange(), /away/);
    assert.equal(one.admit(workspace, family, rate).admitted, false);
    away = false;
    await one.exchange();
    two.admit(newId(), family, rate);
    await two.exchange();
    assert.equal(two.admit(workspace, family, rate).admitted, false);
  });
});
