// A record read a moment ago is trusted, but never longer than a delete waits.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId } from "../../foundation/ids.ts";
import type { Asset } from "./asset.ts";
import { recentRecords, waitUntilForgotten } from "./recent-records.ts";

const start = new Date("2026-01-01T00:00:00.000Z");
const later = (milliseconds: number) => ({ now: () => new Date(start.getTime() + milliseconds) });
const now = later(0);

function anAsset(expiresAt: Date | null = null): Asset {
  return {
    id: newId<"asset">(),
    workspaceId: newId<"workspace">(),
    hash: "ab".repeat(32),
    size: 1,
    contentType: "text/plain",
    servedType: "text/plain",
    kind: "text",
    filePath: null,
    tags: [],
    jobId: null,
    createdAt: start,
    expiresAt,
  };
}

// A database that looks immediately and answers `answerMs` later.
function aTable(clock: ReturnType<typeof handClock>, answerMs: number) {
  const rows = new Map<string, Asset>();
  let looks = 0;
  const records = recentRecords({
    clock,
    async find(ids) {
      looks += 1;
      const found = ids.map((id) => rows.get(id) ?? null);
      if (answerMs > 0) await clock.sleep(answerMs);
      return found;
    },
  });
  return { rows, records, looks: () => looks };
}

// Lets a batch leave, which takes a turn of the loop.
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("recent records", () => {
  test("one that was read is believed for twenty milliseconds, counted from before the database looked", async () => {
    const clock = handClock();
    const { rows, records, looks } = aTable(clock, 8);
    const asset = anAsset();
    rows.set(asset.id, asset);
    assert.equal(records.recent(asset.id, now), null);
    const reading = records.read(asset.id);
    await turn();
    await clock.advance(8);
    assert.equal(await reading, asset);
    await clock.advance(11);
    assert.equal(records.recent(asset.id, now), asset);
    await clock.advance(1);
    assert.equal(records.recent(asset.id, now), null);
    assert.equal(looks(), 1);
  });

  test("concurrent readers share one read, and a missing record is looked up again", async () => {
    const clock = handClock();
    const { rows, records, looks } = aTable(clock, 8);
    const [asset, later] = [anAsset(), anAsset()];
    rows.set(asset.id, asset);
    const [first, missed] = [records.read(asset.id), records.read(later.id)];
    await turn();
    rows.set(later.id, later);
    await clock.advance(4);
    const [second, found] = [records.read(asset.id), records.read(later.id)];
    for (let ms = 0; ms < 40; ms++) await clock.advance(1);
    assert.deepEqual(await Promise.all([first, second, missed]), [asset, asset, null]);
    assert.equal(looks(), 2, "one for both that began together, one for what was missing");
    assert.equal(await found, later);
  });

  test("a missing record is looked up each time", async () => {
    const { rows, records, looks } = aTable(handClock(), 0);
    const asset = anAsset();
    assert.equal(await records.read(asset.id), null);
    assert.equal(records.recent(asset.id, now), null);
    rows.set(asset.id, asset);
    assert.equal(await records.read(asset.id), asset);
    assert.equal(looks(), 2);
  });

  test("one whose time is over is not believed", async () => {
    const { rows, records } = aTable(handClock(), 0);
    const asset = anAsset(later(1000).now());
    rows.set(asset.id, asset);
    await records.read(asset.id);
    assert.equal(records.recent(asset.id, later(999)), asset);
    assert.equal(records.recent(asset.id, later(1000)), null);
  });

  test("a deleted record is never served once the deletion is answered, whenever it was read", async () => {
    const times = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 0, max: 40 }), fc.nat(60), async (pauses, answerMs, deleteAtMs) => {
        const clock = handClock();
        const { rows, records } = aTable(clock, answerMs);
        const asset = anAsset();
        rows.set(asset.id, asset);
        let isDeleted = false;
        const deleting = clock
          .sleep(deleteAtMs)
          .then(() => rows.delete(asset.id))
          .then(() => waitUntilForgotten(clock))
          .then(() => {
            isDeleted = true;
          });
        const late: Promise<Asset | null>[] = [];
        for (const pause of pauses) {
          const reading = records.read(asset.id);
          if (isDeleted) late.push(reading);
          await turn();
          for (let ms = 0; ms < pause; ms++) {
            await clock.advance(1);
            if (isDeleted) assert.equal(records.recent(asset.id, now), null);
          }
        }
        for (let ms = 0; ms < 1000; ms += 20) await clock.advance(20);
        await deleting;
        assert.equal(records.recent(asset.id, now), null);
        for (const found of await Promise.all(late)) assert.equal(found, null);
      }),
      { numRuns: 100 },
    );
  });

  test("a bounded number of records is kept, the newest among them", async () => {
    const { rows, records } = aTable(handClock(), 0);
    const assets = Array.from({ length: 1500 }, () => anAsset());
    for (const asset of assets) rows.set(asset.id, asset);
    for (const asset of assets) await records.read(asset.id);
    const kept = assets.filter(({ id }) => records.recent(id, now) !== null);
    assert.ok(kept.length <= 1024 + 64, `${kept.length} kept`);
    assert.equal(kept.at(-1), assets.at(-1));
  });
});
