import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId } from "../../../foundation/ids.ts";
import { createOpenCalls } from "./open-calls.ts";

const call = () => ({ id: newId<"call">(), workspaceId: newId<"workspace">(), fence: 1 });

test("a call may be sent for 15 seconds after its intent, and never again", async () => {
  const clock = handClock();
  const open = createOpenCalls(clock);
  const owned = open.own(call(), open.moment());
  assert.equal(owned.maySend(), true);
  await clock.advance(15_000);
  assert.equal(owned.maySend(), true);
  await clock.advance(1);
  assert.equal(owned.maySend(), false);
});

test("a machine that slept does not send, though its monotonic clock stood still; nor after the wall clock was set back", () => {
  let [monotonicMs, wallMs] = [0, 1_000_000];
  const open = createOpenCalls({ monotonicMs: () => monotonicMs, now: () => new Date(wallMs) });
  const owned = open.own(call(), open.moment());
  wallMs += 3_600_000;
  assert.equal(owned.maySend(), false);
  wallMs = 0;
  assert.equal(owned.maySend(), true);
  monotonicMs = 15_001;
  assert.equal(owned.maySend(), false);
});
