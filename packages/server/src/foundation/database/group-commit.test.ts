import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { groupCommit } from "./group-commit.ts";

test("every item gets exactly its own result, batches obey their limits, and order is kept", async () => {
  const arrivals = fc.array(fc.record({ pauses: fc.nat(3), items: fc.integer({ min: 1, max: 9 }) }), { maxLength: 12 });
  const limits = fc.record({ maxBatch: fc.integer({ min: 1, max: 6 }), inFlight: fc.integer({ min: 1, max: 3 }) });
  await fc.assert(
    fc.asyncProperty(arrivals, limits, fc.infiniteStream(fc.nat(3)), async (waves, { maxBatch, inFlight }, delays) => {
      const started: number[] = [];
      let running = 0;
      const commit = groupCommit<number, string>({
        maxBatch,
        inFlight,
        async run(items) {
          running++;
          assert.ok(items.length >= 1 && items.length <= maxBatch);
          assert.ok(running <= inFlight);
          started.push(...items);
          for (let left = delays.next().value ?? 0; left > 0; left--) await turn();
          running--;
          return items.map((item) => `result ${item}`);
        },
      });
      const answers: Promise<string>[] = [];
      for (const wave of waves) {
        for (let left = wave.pauses; left > 0; left--) await turn();
        for (let left = wave.items; left > 0; left--) answers.push(commit(answers.length));
      }
      const expected = answers.map((_, index) => index);
      assert.deepEqual(
        await Promise.all(answers),
        expected.map((item) => `result ${item}`),
      );
      assert.deepEqual(started, expected);
      assert.equal(commit.waiting, 0);
      await commit.close();
    }),
    { numRuns: 200 },
  );
});

test("an item that comes when all is idle leaves in the same turn", async () => {
  const batches: number[][] = [];
  const commit = groupCommit<number, number>({
    maxBatch: 10,
    inFlight: 1,
    run: async (items) => {
      batches.push([...items]);
      return items;
    },
  });
  const both = [commit(1), commit(2)];
  await turn();
  assert.deepEqual(batches, [[1, 2]]);
  assert.deepEqual(await Promise.all(both), [1, 2]);
});

test("items that come while a batch is under way travel together in the next one", async () => {
  const batches: number[][] = [];
  const first = Promise.withResolvers<void>();
  const commit = groupCommit<number, number>({
    maxBatch: 10,
    inFlight: 1,
    async run(items) {
      batches.push([...items]);
      if (batches.length === 1) await first.promise;
      return items;
    },
  });
  const answers = [commit(1)];
  await turn();
  answers.push(commit(2), commit(3));
  await turn();
  assert.deepEqual(batches, [[1]]);
  assert.equal(commit.waiting, 2);
  first.resolve();
  await Promise.all(answers);
  assert.deepEqual(batches, [[1], [2, 3]]);
});

test("a batch that fails fails its own items and no others", async () => {
  const commit = groupCommit<number, number>({
    maxBatch: 2,
    inFlight: 1,
    run: async (items) => {
      if (items.includes(3)) throw new Error("no");
      return items;
    },
  });
  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => commit(item)));
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ["fulfilled", "fulfilled", "rejected", "rejected", "fulfilled"],
  );
});

test("a batch that is answered with the wrong number of results is refused whole", async () => {
  const commit = groupCommit<number, number>({ maxBatch: 2, inFlight: 1, run: async (items) => items.slice(1) });
  await assert.rejects(commit(1), /answered with 0 results/);
});

test("closing answers everything queued and accepts no more", async () => {
  const commit = groupCommit<number, number>({
    maxBatch: 1,
    inFlight: 1,
    run: async (items) => {
      await turn();
      return items;
    },
  });
  const answers = [commit(1), commit(2), commit(3)];
  const closed = commit.close();
  await assert.rejects(commit(4), /closed/);
  await closed;
  assert.deepEqual(await Promise.all(answers), [1, 2, 3]);
  await commit.close();
});
