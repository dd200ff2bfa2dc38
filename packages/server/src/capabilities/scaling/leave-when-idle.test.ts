import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { leaveWhenIdle } from "./leave-when-idle.ts";

function scene() {
  const channel = Object.assign(new EventEmitter(), { send: () => true });
  const clock = handClock();
  const stopped: string[] = [];
  const rounds: (() => Promise<unknown>)[] = [];
  const jobs = { running: 0 };
  const life = {
    repeat: ({ round }: { round: (signal: AbortSignal) => Promise<unknown> }) =>
      void rounds.push(() => round(new AbortController().signal)),
    async stop(reason: string) {
      stopped.push(reason);
    },
  };
  const leaving = leaveWhenIdle({ channel, life, clock, exit: () => undefined });
  leaving.watch(() => jobs.running);
  const later = async (ms: number) => {
    for (const round of rounds) await round();
    await clock.advance(ms);
    for (const round of rounds) await round();
  };
  return { channel, stopped, leaving, jobs, later };
}

test("a worker that is not wanted takes nothing more, and leaves when no job can be on its way", async () => {
  const { channel, stopped, leaving, jobs, later } = scene();
  jobs.running = 1;
  channel.emit("message", "leave");
  assert.equal(leaving.isOpen(), false);
  await later(60_000);
  assert.deepEqual(stopped, [], "not while it has a job");
  jobs.running = 0;
  await later(5_000);
  assert.deepEqual(stopped, []);
  await later(1_000);
  assert.deepEqual(stopped, ["no longer wanted"]);
});

test("it stays if it is wanted again, and stops when its scaler is gone", async () => {
  const { channel, stopped, leaving, later } = scene();
  channel.emit("message", "leave");
  await later(3_000);
  channel.emit("message", "stay");
  await later(60_000);
  assert.deepEqual([stopped, leaving.isOpen()], [[], true]);
  channel.emit("disconnect");
  assert.deepEqual(stopped, ["its scaler is gone"]);
});
