import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { startDeadline } from "./deadline.ts";
import { Fault } from "./fault.ts";
import { handClock } from "./hand-clock.fixture.ts";

function codeOf(signal: AbortSignal): string | null {
  return signal.reason instanceof Fault ? signal.reason.code : null;
}

test("the deadline fires at its time, not before", async () => {
  const clock = handClock();
  const deadline = startDeadline({ clock, afterMs: 600_000 });
  await clock.advance(599_999);
  assert.equal(deadline.signal.aborted, false);
  assert.equal(deadline.remainingMs(), 1);
  await clock.advance(1);
  assert.equal(deadline.reason(), "deadline");
  assert.equal(codeOf(deadline.signal), "deadline_exceeded");
  await clock.advance(5000);
  assert.equal(deadline.remainingMs(), 0);
});

test("the first cause wins and stays", async () => {
  const [clock, disconnect, shutdown] = [handClock(), new AbortController(), new AbortController()];
  const deadline = startDeadline({ clock, afterMs: 1000, disconnect: disconnect.signal, shutdown: shutdown.signal });
  shutdown.abort();
  disconnect.abort();
  await clock.advance(2000);
  assert.equal(deadline.reason(), "shutdown");
  assert.equal(codeOf(deadline.signal), "service_unavailable");
  assert.throws(() => deadline.signal.throwIfAborted(), Fault);
});

test("a client that has already left ends the work at once", () => {
  const deadline = startDeadline({ clock: handClock(), afterMs: 1000, disconnect: AbortSignal.abort() });
  assert.equal(deadline.reason(), "disconnect");
  assert.equal(codeOf(deadline.signal), "client_disconnected");
});

test("after release nothing fires and no listener is left on the shared signals", async () => {
  const [clock, shutdown] = [handClock(), new AbortController()];
  const deadline = startDeadline({ clock, afterMs: 1000, shutdown: shutdown.signal });
  assert.equal(getEventListeners(shutdown.signal, "abort").length, 1);
  deadline.release();
  assert.equal(getEventListeners(shutdown.signal, "abort").length, 0);
  shutdown.abort();
  await clock.advance(2000);
  assert.equal(deadline.reason(), null);
  assert.equal(deadline.signal.aborted, false);
});
