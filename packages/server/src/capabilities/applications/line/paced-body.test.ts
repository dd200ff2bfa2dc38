import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { ApplicationProblem } from "../application.ts";
import { paced } from "./paced-body.ts";

const pace = { windowMs: 60_000, windowBytesMin: 60_000 };

async function lengthOf(body: AsyncIterable<Uint8Array>, chew: () => Promise<void> = async () => {}): Promise<number> {
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    await chew();
  }
  return length;
}

test("a file that comes as drops is given up, each drop in time", async () => {
  const clock = handClock();
  let drops = 0;
  async function* dripping() {
    for (; ; drops++) {
      await clock.advance(20_000);
      yield Buffer.alloc(10);
    }
  }
  const reading = lengthOf(paced(dripping(), pace, clock));
  await assert.rejects(reading, (error) => error instanceof ApplicationProblem && error.code === "unreachable");
  assert.equal(drops, 2);
});

test("a slow start, a slow line and a slow reader are not dripping", async () => {
  const clock = handClock();
  async function* late() {
    await clock.advance(59_000);
    yield Buffer.alloc(10);
  }
  assert.equal(await lengthOf(paced(late(), pace, clock)), 10);
  async function* slow() {
    for (let second = 0; second < 200; second++) {
      await clock.advance(1_000);
      yield Buffer.alloc(1_100);
    }
  }
  assert.equal(await lengthOf(paced(slow(), pace, clock)), 220_000);
  async function* quick() {
    for (let part = 0; part < 5; part++) yield Buffer.alloc(1);
  }
  assert.equal(await lengthOf(paced(quick(), pace, clock), () => clock.advance(100_000)), 5);
});
