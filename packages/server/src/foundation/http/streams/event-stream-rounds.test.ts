import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../hand-clock.fixture.ts";
import { createRounds } from "./event-stream-rounds.ts";

test("every stream is checked each five seconds, and first within five, whenever it came", async () => {
  const clock = handClock();
  const rounds = createRounds(clock);
  const looks: number[][] = [];
  for (let second = 0; second < 12; second++) {
    const own: number[] = [second * 1_000];
    looks.push(own);
    rounds.add({ lookAfter: (nowMs) => void own.push(nowMs) });
    await clock.advance(1_000);
  }
  await clock.advance(20_000);
  for (const own of looks) {
    const gaps = own.slice(1).map((at, index) => at - (own[index] ?? 0));
    assert.ok(gaps.length >= 3 && gaps.every((gap) => gap === 5_000), JSON.stringify(own));
  }
});

test("a closed stream is not checked; the rounds stop with the last one and start with the next", async () => {
  const clock = handClock();
  const rounds = createRounds(clock);
  let looks = 0;
  const patient = { lookAfter: () => void looks++ };
  const [leave, leaveToo] = [rounds.add(patient), rounds.add({ lookAfter: () => leave() })];
  await clock.advance(5_000);
  assert.equal(looks, 1);
  leave();
  leave();
  leaveToo();
  await clock.advance(60_000);
  assert.equal(looks, 1);
  rounds.add(patient);
  await clock.advance(5_000);
  assert.equal(looks, 2);
});
