// `npm test` runs its parts longest first, and another one whenever the processors had time to spare.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { mayStart, runPool } from "../../../scripts/test-pool.ts";

const room = { running: 4, idle: 0.5, sinceStartMs: 2_000, least: 4, most: 8 };

describe("the pool of npm test", () => {
  test("another part starts on idle processors, but not on busy ones, nor right after another, nor beyond the limit", () => {
    assert.equal(mayStart(room), true);
    assert.equal(mayStart({ ...room, idle: 0.02 }), false);
    assert.equal(mayStart({ ...room, sinceStartMs: 100 }), false);
    assert.equal(mayStart({ ...room, running: 8, idle: 1 }), false);
  });

  test("a few parts run however busy the machine is", () => {
    assert.equal(mayStart({ ...room, running: 3, idle: 0, sinceStartMs: 0 }), true);
  });

  test("the longest parts start first, no more than fit run at once, and all have ended at the end", async () => {
    const begun: number[] = [];
    let [running, most, ended] = [0, 0, 0];
    const parts = [1, 5, 3, 4, 2].map((seconds) => ({
      seconds,
      run: async () => {
        begun.push(seconds);
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        ended += 1;
      },
    }));
    await runPool(parts, { least: 2, most: 2, idleShare: () => 0 });
    assert.deepEqual(begun, [5, 4, 3, 2, 1]);
    assert.deepEqual([most, ended], [2, 5]);
  });
});
