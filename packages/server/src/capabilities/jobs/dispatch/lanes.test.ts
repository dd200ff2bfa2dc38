import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newId, trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import { Lanes } from "./lanes.ts";
import type { Candidate } from "./ready-store.ts";
import { shareOf } from "./workspace-share.ts";

const [a, b] = [newId<"workspace">(), newId<"workspace">()];
const job = (number: number, rank = 0): Candidate => ({
  jobId: trustedId(`00000000-0000-7000-8000-${String(number).padStart(12, "0")}`),
  rank,
});

// Answers reads as the database would.
function readAll(
  lanes: Lanes,
  ready: ReadonlyMap<WorkspaceId, readonly Candidate[]>,
  nowMs: number,
  count = 4,
  costMs = 0,
) {
  const windows = lanes.toRead(100, nowMs);
  for (const window of windows) {
    const found = [...(ready.get(window.workspaceId) ?? [])]
      .sort((x, y) => x.rank - y.rank || (x.jobId < y.jobId ? -1 : 1))
      .filter(({ rank, jobId }) => {
        const from = window.from;
        return from === null || rank > from.rank || (rank === from.rank && jobId >= from.jobId);
      })
      .slice(0, count);
    lanes.read({ window, found, count, costMs, nowMs });
  }
  return windows;
}
const idsOf = (taken: readonly Candidate[]) => taken.map(({ jobId }) => Number(jobId.slice(-12)));

test("lanes take turns, whatever they hold", () => {
  const lanes = new Lanes();
  lanes.seen([a, b]);
  readAll(
    lanes,
    new Map([
      [a, [job(1), job(2), job(3)]],
      [b, [job(9)]],
    ]),
    0,
  );
  assert.deepEqual(idsOf(lanes.take(4)), [1, 9, 2, 3]);
});

test("a workspace that has its share comes after all others, and gets what they leave", () => {
  const lanes = new Lanes();
  lanes.seen([a, b]);
  const ready = new Map([
    [a, [job(1), job(2), job(3)]],
    [b, [job(9), job(10)]],
  ]);
  readAll(lanes, ready, 0);
  assert.equal(lanes.isContended(4), true);
  assert.equal(lanes.isContended(5), false);
  // Four at once: a already has two of them.
  const share = shareOf({ running: new Map([[a, 2]]), free: 2, share: 0.5 });
  assert.deepEqual(idsOf(lanes.take(1, share)), [9]);
  assert.deepEqual(idsOf(lanes.take(3, share)), [10, 1, 2]);
  assert.equal(lanes.isContended(0), false, "nobody else waits");
});

test("a mark keeps reads from walking over what was claimed, and a hint moves it back", () => {
  const lanes = new Lanes();
  lanes.seen([a]);
  readAll(lanes, new Map([[a, [1, 2, 3, 4, 5].map((n) => job(n))]]), 0);
  lanes.take(4);
  const [window] = readAll(lanes, new Map([[a, [job(5)]]]), 1);
  assert.deepEqual(window?.from, job(4));
  lanes.hint(a, job(7, -10));
  assert.deepEqual(lanes.toRead(10, 2)[0]?.from, job(7, -10));
});

test("a hint that comes while a read is under way is not lost", () => {
  const lanes = new Lanes();
  lanes.seen([a]);
  const [window] = lanes.toRead(10, 0);
  assert.ok(window);
  lanes.hint(a, job(1));
  lanes.hint(a, job(2));
  lanes.read({ window, found: [], count: 4, costMs: 0, nowMs: 1 });
  assert.deepEqual(idsOf(lanes.take(1)), [1]);
  assert.equal(lanes.toRead(10, 2).length, 1);
});

test("a job without a hint is found when the lane is read from the start, less often the more that costs", () => {
  const lanes = new Lanes();
  lanes.seen([a]);
  readAll(lanes, new Map([[a, [job(5)]]]), 0, 4, 100);
  lanes.take(1);
  lanes.seen([a]);
  assert.deepEqual(lanes.toRead(10, 1_500), []);
  assert.equal(lanes.toRead(10, 5_001)[0]?.from, null);
});

test("every ready job is taken, even if hints are lost, wrong or late", () => {
  const moves = fc.array(
    fc.record({
      lane: fc.boolean(),
      rank: fc.integer({ min: -2, max: 2 }),
      isHinted: fc.boolean(),
      take: fc.nat(3),
      passMs: fc.constantFrom(0, 10, 2_000),
    }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(moves, (drawn) => {
      const lanes = new Lanes();
      const ready = new Map<WorkspaceId, Candidate[]>([
        [a, []],
        [b, []],
      ]);
      const got = new Set<string>();
      let nowMs = 0;
      const takeSome = (count: number) => {
        readAll(lanes, ready, nowMs);
        for (const { workspaceId, jobId } of lanes.take(count)) {
          const rest = ready.get(workspaceId) ?? [];
          const at = rest.findIndex((one) => one.jobId === jobId);
          // Claiming a job that is already gone simply fails.
          if (at >= 0) got.add(rest.splice(at, 1)[0]?.jobId ?? "");
        }
      };
      for (const [number, { lane, rank, isHinted, take, passMs }] of drawn.entries()) {
        const candidate = job(number + 1, rank);
        ready.get(lane ? a : b)?.push(candidate);
        if (isHinted) lanes.hint(lane ? a : b, candidate);
        takeSome(take);
        nowMs += passMs;
      }
      for (let rounds = 0; rounds < drawn.length + 3; rounds++) {
        nowMs += 10_000;
        lanes.seen([a, b]);
        takeSome(10);
      }
      assert.equal(got.size, drawn.length);
    }),
  );
});

test("a hint for an empty lane is used without another read, and the next read sees what arrived with it", () => {
  const lanes = new Lanes();
  lanes.seen([a]);
  readAll(lanes, new Map(), 0);
  lanes.hint(a, job(1));
  assert.deepEqual(idsOf(lanes.take(5)), [1]);
  readAll(lanes, new Map([[a, [job(2)]]]), 1);
  assert.deepEqual(idsOf(lanes.take(5)), [2]);
});

test("a lane that stays empty is forgotten", () => {
  const lanes = new Lanes();
  lanes.seen([a]);
  readAll(lanes, new Map(), 0);
  for (let reads = 1; reads < 100; reads++) readAll(lanes, new Map(), reads * 2_000);
  assert.equal(lanes.size, 0);
});
