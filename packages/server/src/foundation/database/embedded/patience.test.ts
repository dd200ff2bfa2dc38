import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../hand-clock.fixture.ts";
import { startPatience } from "./patience.ts";

function aPatience() {
  const clock = handClock();
  const said: string[] = [];
  const patience = startPatience(clock, { warn: (_: unknown, words?: string) => void said.push(words ?? "") });
  return { clock, said, patience };
}

test("a server that says nothing has 120 s to start", async () => {
  const { clock, said, patience } = aPatience();
  await clock.advance(119_999);
  assert.equal(patience.isOver(), false);
  await clock.advance(1);
  assert.deepEqual([patience.isOver(), patience.recoveringSeconds(), said], [true, null, []]);
});

test("one that recovers is waited for as long as it says so, 10 minutes at most, with one line that says it", async () => {
  const { clock, said, patience } = aPatience();
  for (let second = 0; second < 599; second += 1) {
    patience.recovers();
    assert.deepEqual([patience.isOver(), said.length], [false, second < 5 ? 0 : 1], String(second));
    await clock.advance(1_000);
  }
  await clock.advance(1_000);
  assert.deepEqual([patience.isOver(), patience.recoveringSeconds()], [true, 600]);
  assert.deepEqual(said, ["the embedded database is recovering; waiting until it is ready"]);
});

test("one that recovered and then fell silent is given up after 120 s of silence", async () => {
  const { clock, patience } = aPatience();
  await clock.advance(60_000);
  patience.recovers();
  await clock.advance(119_000);
  assert.equal(patience.isOver(), false);
  await clock.advance(1_000);
  assert.equal(patience.isOver(), true);
});
