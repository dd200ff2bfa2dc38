import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../foundation/clock.ts";
import { recallFor } from "./price-recall.ts";

function counting(entriesMax = 10) {
  const clock = handClock();
  let asked = 0;
  let release: () => void = () => {};
  let gate: Promise<void> = Promise.resolve();
  const recall = recallFor<string, number>({
    clock,
    keepMs: 5000,
    entriesMax,
    async look() {
      const answer = ++asked;
      await gate;
      return answer;
    },
  });
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
  const recall = recallFor<string, number>({
    clock: handClock(),
    keepMs: 5000,
    entriesMax: 1,
    async look() {
      if (fails) throw new Error("no database");
      return 1;
    },
  });
  await assert.rejects(async () => recall.get("a"), /no database/);
  fails = false;
  assert.equal(await recall.get("a"), 1);
});
