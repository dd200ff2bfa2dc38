import assert from "node:assert/strict";
import { test } from "node:test";
import { shareNext } from "./share-next.ts";

test("all who ask while one is read share the next, and nobody gets one that began before he asked", async () => {
  const readings: PromiseWithResolvers<number>[] = [];
  const ask = shareNext(() => {
    const reading = Promise.withResolvers<number>();
    readings.push(reading);
    return reading.promise;
  });
  const first = ask();
  const [second, third] = [ask(), ask()];
  assert.equal(readings.length, 1);
  readings[0]?.resolve(1);
  assert.equal(await first, 1);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(readings.length, 2);
  readings[1]?.resolve(2);
  assert.deepEqual(await Promise.all([second, third]), [2, 2]);
});

test("a reading that fails fails those who waited for it, and the next is a new one", async () => {
  let turn = 0;
  const ask = shareNext(async () => {
    turn += 1;
    if (turn === 1) throw new Error("no");
    return turn;
  });
  const [first, second] = [ask(), ask()];
  await assert.rejects(first, /no/);
  assert.equal(await second, 2);
  assert.equal(await ask(), 3);
});
