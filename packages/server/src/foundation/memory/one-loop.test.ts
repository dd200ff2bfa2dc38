import assert from "node:assert/strict";
import { test } from "node:test";
import { oneLoop } from "./one-loop.ts";

test("one loop runs at a time, and handles everything announced before its end", async () => {
  const waiting = [1, 2];
  const done: number[] = [];
  let atOnce = 0;
  const run = oneLoop(
    () => waiting.length > 0,
    async () => {
      atOnce += 1;
      assert.equal(atOnce, 1);
      const item = waiting.shift();
      await null;
      if (item !== undefined) done.push(item);
      // Announced at the last moment of the last step.
      if (done.length === 2) {
        waiting.push(3);
        void run();
      }
      atOnce -= 1;
    },
  );
  await Promise.all([run(), run()]);
  assert.deepEqual(done, [1, 2, 3]);
});

test("a step that fails ends its loop and not the next one", async () => {
  let calls = 0;
  const run = oneLoop(
    () => calls < 2,
    async () => {
      calls += 1;
      if (calls === 1) throw new Error("away");
    },
  );
  await assert.rejects(run(), /away/);
  await run();
  assert.equal(calls, 2);
});
