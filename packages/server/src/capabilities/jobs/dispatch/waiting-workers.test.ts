import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId } from "../../../foundation/ids.ts";
import type { ClaimedJob } from "../worker-port.ts";
import { WaitingWorkers } from "./waiting-workers.ts";

const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};
const asks = (waitMs: number, signal = new AbortController().signal) => ({
  workerId: newId<"worker">(),
  slots: 1,
  waitMs,
  signal,
});
const jobs: readonly ClaimedJob[] = [];

test("a worker whose time is up during a look gets what the look brings", async () => {
  const clock = handClock();
  const waiting = new WaitingWorkers(clock);
  let answer: readonly ClaimedJob[] | null = null;
  void waiting.wait(asks(100)).then((found) => {
    answer = found;
  });
  const found = Promise.withResolvers<void>();
  const served = waiting.serve(async ([worker]) => {
    await found.promise;
    assert.ok(worker && waiting.hand(worker, jobs));
    return "all";
  });
  await clock.advance(200);
  await turns();
  assert.equal(answer, null, "it still waits");
  found.resolve();
  await served;
  await turns();
  assert.equal(answer, jobs);
  assert.equal(waiting.size, 0);
});

test("a worker that waits for nothing gets one look", async () => {
  const waiting = new WaitingWorkers(handClock());
  const answer = waiting.wait(asks(0));
  await turns();
  assert.equal(waiting.size, 1);
  await waiting.serve(async () => "nobody");
  assert.deepEqual(await answer, []);
});

test("a worker that has left does not take the job claimed for it", async () => {
  const waiting = new WaitingWorkers(handClock());
  const gone = new AbortController();
  const answer = waiting.wait(asks(5_000, gone.signal));
  await waiting.serve(async ([worker]) => {
    gone.abort();
    await turns();
    assert.ok(worker && !waiting.hand(worker, jobs));
    return "all";
  });
  assert.deepEqual(await answer, []);
});

test("a closing dispatcher answers its waiting workers with no job", async () => {
  const waiting = new WaitingWorkers(handClock());
  const answers = Promise.all([waiting.wait(asks(5_000)), waiting.wait(asks(9_000))]);
  waiting.close();
  assert.deepEqual(await answers, [[], []]);
});

test("a worker with models loaded counts as busy while it has no slot free, for half a minute", async () => {
  const clock = handClock();
  const waiting = new WaitingWorkers(clock);
  const request = { ...asks(5_000), offer: { classes: null, modelsLoaded: new Set(["a"]) } };
  void waiting.wait(request);
  const busy = (free: typeof request.workerId | null) =>
    waiting.busyOffers(new Set(free === null ? [] : [free]), clock.monotonicMs()).length;
  assert.equal(busy(request.workerId), 0);
  assert.equal(busy(null), 1);
  await clock.advance(30_001);
  assert.equal(busy(null), 0);
  waiting.close();
});
