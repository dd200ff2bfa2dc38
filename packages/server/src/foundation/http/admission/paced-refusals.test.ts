import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../hand-clock.fixture.ts";
import { PacedRefusals } from "./paced-refusals.ts";

function world(perSecondMax: number, waitingMax = 1_000) {
  const clock = handClock();
  const refusals = new PacedRefusals({ clock, perSecondMax, waitingMax });
  const sent: string[] = [];
  let dropped = 0;
  const refuse = (flow: string) =>
    refusals.refuse(flow, {
      send: () => sent.push(flow),
      drop: () => {
        dropped += 1;
      },
    });
  return { clock, refusals, sent, refuse, dropped: () => dropped };
}

test("a few refusals are sent at once, a flood of them at the pace", async () => {
  const { clock, sent, refuse } = world(500);
  for (let count = 0; count < 500; count++) refuse("noisy");
  assert.equal(sent.length, 10);
  await clock.advance(500);
  assert.ok(sent.length >= 240 && sent.length <= 260, String(sent.length));
  await clock.advance(1_000);
  assert.equal(sent.length, 500);
});

test("an occasional refusal does not wait behind the flood", async () => {
  const { clock, sent, refuse } = world(500);
  for (let count = 0; count < 300; count++) refuse("noisy");
  refuse("quiet");
  await clock.advance(10);
  assert.ok(sent.includes("quiet"));
});

test("waiting refusals are bounded, and beyond that nobody is answered", () => {
  const { refusals, refuse, dropped } = world(500, 20);
  for (let count = 0; count < 40; count++) refuse("noisy");
  assert.equal(refusals.waiting, 20);
  assert.equal(dropped(), 10);
});
