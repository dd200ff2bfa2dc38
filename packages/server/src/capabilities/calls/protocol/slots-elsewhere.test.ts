import assert from "node:assert/strict";
import { test } from "node:test";
import { type Bus, inProcessBus } from "../../../foundation/bus/bus.ts";
import { type HandClock, handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId } from "../../../foundation/ids.ts";
import { createPassingCalls } from "./passing-calls.ts";

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const workspaceId = newId<"workspace">();
const slotsMax = 4;

function processOn(bus: Bus, clock: HandClock) {
  const passing = createPassingCalls({ clock, bus, usage: { recordUsage: () => undefined } });
  const begin = () => passing.begin({ id: newId<"call">(), workspaceId, slotsMax })?.call ?? null;
  return { ...passing, begin };
}

test("processes that reach each other grant a workspace's slots once between them", async () => {
  const clock = handClock();
  const bus = { ...inProcessBus(), reachesOthers: true };
  const [here, there] = [processOn(bus, clock), processOn(bus, clock)];
  const first = here.begin();
  assert.ok(first && here.begin() && here.begin());
  await clock.advance(50);
  await turn();
  assert.equal(there.inFlight(workspaceId), 3);
  const ended = there.besideRecorded(workspaceId);
  await clock.advance(50);
  await turn();
  assert.equal(here.begin(), null, "three passing and one recorded are all four");
  ended();
  await here.handOver(first, 1);
  await clock.advance(50);
  await turn();
  assert.ok(there.begin());
  assert.ok(there.begin());
  await clock.advance(50);
  await turn();
  assert.equal(here.begin(), null);
  for (const each of [here, there]) each.close();
});

test("a process's slots count while it reports, and not after it is gone", async () => {
  const clock = handClock();
  const bus = { ...inProcessBus(), reachesOthers: true };
  const [here, there] = [processOn(bus, clock), processOn(bus, clock)];
  for (let count = 0; count < slotsMax; count += 1) assert.ok(here.begin());
  for (let look = 0; look < 20; look += 1) {
    await clock.advance(500);
    await turn();
    assert.equal(there.begin(), null, "a long call counts all the time");
  }
  // Killed: it sends nothing more.
  here.close();
  await clock.advance(2_500);
  await turn();
  assert.ok(there.begin());
  there.close();
});

test("a lone process announces nothing", async () => {
  const clock = handClock();
  const bus = inProcessBus();
  bus.subscribe("calls.slots", () => assert.fail("there is no other to hear it"));
  const alone = processOn(bus, clock);
  assert.ok(alone.begin());
  await clock.advance(1_000);
  await turn();
  alone.close();
});
