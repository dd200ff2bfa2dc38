import assert from "node:assert/strict";
import { test } from "node:test";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import type { Lane } from "./delivery.ts";
import { defaultLaneLimits, Lanes } from "./lanes.ts";

const workspaceId: WorkspaceId = newId();
const lane = (name: string, of: WorkspaceId = workspaceId): Lane => ({ workspaceId: of, receiver: `https://${name}` });
const found = (given: Lane, restingUntilMs: number | null = null, failures = 0) => ({
  ...given,
  dueAtMs: 0,
  failures,
  restingUntilMs,
});
const names = (requests: readonly Lane[]) => requests.map(({ receiver }) => receiver).sort();

// Claims everything that may be claimed, starts it, and returns it.
function fill(lanes: Lanes, nowMs = 0): Lane[] {
  const started: Lane[] = [];
  for (;;) {
    const requests = lanes.requests(nowMs);
    if (requests.length === 0) return started;
    for (const request of requests) {
      lanes.claimed(request, request.count);
      for (let index = 0; index < request.count && lanes.mayStart(request); index++) {
        lanes.started(request);
        started.push(request);
      }
    }
  }
}

test("a receiver nobody knows gets one, and four at a time once it has taken one", () => {
  const lanes = new Lanes();
  lanes.replace([found(lane("a"))]);
  assert.deepEqual(lanes.requests(0), [{ ...lane("a"), count: 1 }]);
  assert.equal(fill(lanes).length, 1);
  lanes.ended(lane("a"), { wasSlow: false, works: true });
  assert.equal(lanes.requests(0)[0]?.count, 16);
  assert.equal(fill(lanes).length, 4);
  assert.equal(lanes.mayStart(lane("a")), false);
});

test("a failure takes it back to one at a time", () => {
  const lanes = new Lanes();
  lanes.replace([found(lane("a"))]);
  fill(lanes);
  lanes.ended(lane("a"), { wasSlow: false, works: true });
  fill(lanes);
  lanes.ended(lane("a"), { wasSlow: false, works: false });
  assert.equal(lanes.mayStart(lane("a")), false);
});

test("nothing is asked for while a receiver rests, unless a person wants it", () => {
  const lanes = new Lanes();
  lanes.replace([found(lane("a"), 60_000, 5)]);
  assert.deepEqual(lanes.requests(59_999), []);
  assert.equal(lanes.requests(60_000).length, 1);
  lanes.wake(lane("a"), 0, true);
  assert.equal(lanes.requests(1).length, 1);
});

// Turns of half a second until every healthy lane was reached: hanging ones have become slow by then, and stay slow.
function turnsUntilReached(lanes: Lanes, healthy: number): number {
  const reached = new Set<string>();
  for (let turn = 1; turn <= 100; turn++) {
    for (const started of fill(lanes)) {
      if (started.receiver.startsWith("https://hang")) lanes.markSlow(started);
      else {
        reached.add(started.receiver);
        lanes.ended(started, { wasSlow: false, works: true });
      }
    }
    if (reached.size === healthy) return turn;
  }
  return Number.POSITIVE_INFINITY;
}

const many = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => lane(`${name}-${index}`, newId()));

test("twenty thousand receivers known to fail leave the healthy ones their turn", () => {
  const lanes = new Lanes();
  lanes.replace([
    ...many(20_000, "hang").map((each) => found(each, null, 1)),
    ...many(20, "fine").map((each) => found(each)),
  ]);
  assert.ok(turnsUntilReached(lanes, 20) <= 4);
  assert.ok(lanes.inFlight.slow <= defaultLaneLimits.slowMax + defaultLaneLimits.freshMax);
});

test("with 1,800 new receivers that hang, 200 healthy ones are reached within two seconds", () => {
  const lanes = new Lanes();
  lanes.replace([...many(1_800, "hang"), ...many(200, "fine")].map((each) => found(each)));
  assert.ok(turnsUntilReached(lanes, 200) <= 4);
});

test("one workspace takes no more than its part of the places", () => {
  const lanes = new Lanes();
  lanes.replace(Array.from({ length: 500 }, (_, index) => found(lane(`a-${index}`))));
  assert.equal(fill(lanes).length, defaultLaneLimits.freshPerWorkspaceMax);
  lanes.wake(lane("b", newId()), 0);
  assert.deepEqual(names(lanes.requests(0)), ["https://b"]);
});

test("a receiver that many workspaces share is sent sixteen at a time", () => {
  const lanes = new Lanes();
  lanes.replace(Array.from({ length: 40 }, () => found(lane("shared", newId()))));
  assert.equal(fill(lanes).length, 16);
});

test("a delivery given back is due again, and all counts return to zero", () => {
  const lanes = new Lanes();
  lanes.replace([found(lane("a"))]);
  const [request] = lanes.requests(0);
  assert.ok(request);
  lanes.claimed(request, 0);
  assert.deepEqual(lanes.requests(0), []);
  lanes.wake(lane("a"), 0);
  assert.equal(fill(lanes).length, 1);
  lanes.markSlow(lane("a"));
  lanes.ended(lane("a"), { wasSlow: true, works: false });
  assert.deepEqual(lanes.inFlight, { fresh: 0, slow: 0 });
  lanes.claimed({ ...lane("a"), count: 1 }, 1);
  lanes.released(lane("a"), 0);
  assert.equal(lanes.requests(0).length, 1);
});
