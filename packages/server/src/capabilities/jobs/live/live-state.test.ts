import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId } from "../../../foundation/ids.ts";
import { silentLog } from "../../../foundation/log.ts";
import { LiveState } from "./live-state.ts";
import type { LiveNews } from "./live-store.ts";

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const progress = (value: number) => ({
  value,
  nodesDone: 0,
  nodesTotal: 1,
  currentNode: null,
  currentNodeClass: null,
  step: null,
  steps: null,
  message: null,
});

function aLive() {
  const clock = handClock();
  const written: LiveNews[][] = [];
  const live = new LiveState({
    clock,
    log: silentLog,
    hints: { changed: () => undefined },
    write: async (news) => {
      written.push([...news]);
      return [];
    },
  });
  return { clock, written, live };
}
const aLease = () => ({ jobId: newId<"job">(), attempt: 1, workerId: newId<"worker">() });

test("the first news leaves at once, then the newest twice a second at most, all jobs together", async () => {
  const { clock, written, live } = aLive();
  const [one, two] = [aLease(), aLease()];
  live.progress(one, progress(0.1));
  live.progress(two, progress(0.1));
  await turn();
  assert.equal(written.length, 1);
  assert.equal(written[0]?.length, 2);
  for (let step = 2; step < 10; step++) live.progress(one, progress(step / 10));
  live.preview(one, { nodeId: "1", contentType: "image/png", bytes: Buffer.alloc(9) });
  await turn();
  assert.equal(written.length, 1);
  await clock.advance(500);
  await turn();
  assert.equal(written.length, 2);
  assert.equal(written[1]?.[0]?.progress?.value, 0.9);
  assert.equal(written[1]?.[0]?.preview?.bytes.byteLength, 9);
  live.close();
});

test("a preview that is too large is left out, and a value is kept within its bounds", async () => {
  const { written, live } = aLive();
  const lease = aLease();
  live.preview(lease, { nodeId: "1", contentType: "image/png", bytes: Buffer.alloc(128 * 1024 + 1) });
  live.progress(lease, progress(7));
  await turn();
  assert.equal(written[0]?.[0]?.preview, null);
  assert.equal(written[0]?.[0]?.progress?.value, 1);
  live.close();
});

test("nothing is written for an attempt that has ended", async () => {
  const { written, live } = aLive();
  const lease = aLease();
  live.progress(lease, progress(0.5));
  live.forget(lease.jobId);
  await turn();
  assert.equal(written.length, 0);
  live.close();
});

test("a job's last live state is written once, before it ends", async () => {
  const { clock, written, live } = aLive();
  const lease = aLease();
  live.progress(lease, progress(0.5));
  await turn();
  live.preview(lease, { nodeId: "1", contentType: "image/png", bytes: Buffer.from("last") });
  await live.settle(lease);
  assert.deepEqual(
    written.map(([news]) => news?.preview?.bytes.toString() ?? null),
    [null, "last"],
  );
  await clock.advance(1_000);
  await turn();
  assert.equal(written.length, 2);
  live.close();
});

test("a preview on its way is waited for by the end of its job", async () => {
  const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const live = new LiveState({
    clock: handClock(),
    log: silentLog,
    hints: { changed: () => undefined },
    write: async () => {
      begun.resolve();
      await release.promise;
      return [];
    },
  });
  const lease = aLease();
  live.preview(lease, { nodeId: "1", contentType: "image/png", bytes: Buffer.from("x") });
  await begun.promise;
  let isSettled = false;
  const settled = live.settle(lease).then(() => {
    isSettled = true;
  });
  await turn();
  assert.equal(isSettled, false);
  release.resolve();
  await settled;
  live.close();
});
