import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId } from "../../foundation/ids.ts";
import { createLiveNews, type News } from "./live-news.ts";

const turns = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
};
const lease = () => ({ jobId: newId<"job">(), attempt: 1, workerId: newId<"worker">() });
const at = (value: number) => ({
  value,
  nodesDone: 0,
  nodesTotal: 1,
  currentNode: null,
  currentNodeClass: null,
  step: null,
  steps: null,
  message: null,
});

test("the newest of each job leaves twice a second, all jobs together, and an ended job says nothing", async () => {
  const clock = handClock();
  const sent: (readonly News[])[] = [];
  const news = createLiveNews({ clock, send: async (some) => void sent.push(some) });
  const [one, two, over] = [lease(), lease(), lease()];
  for (const value of [0.1, 0.2, 0.3]) news.push(one, at(value));
  news.push(two, at(0.5));
  news.push(over, at(0.9));
  news.forget(over);
  await turns();
  assert.equal(sent.length, 0);
  await clock.advance(500);
  await turns();
  assert.deepEqual(
    sent.map((some) => some.map(({ lease: { jobId }, progress }) => [jobId, progress.value])),
    [
      [
        [one.jobId, 0.3],
        [two.jobId, 0.5],
      ],
    ],
  );
  news.close();
});

test("lost updates are dropped, and the next ones are sent", async () => {
  const clock = handClock();
  let calls = 0;
  const news = createLiveNews({
    clock,
    async send() {
      calls += 1;
      throw new Error("away");
    },
  });
  for (const value of [0.1, 0.2]) {
    news.push(lease(), at(value));
    await turns();
    await clock.advance(500);
    await turns();
  }
  assert.equal(calls, 2);
  news.close();
});
