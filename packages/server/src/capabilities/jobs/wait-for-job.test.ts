import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { trustedId } from "../../foundation/ids.ts";
import type { Job, JobState } from "./job.ts";
import type { JobChange } from "./jobs.ts";
import { waitForJob } from "./wait-for-job.ts";

const requested = {
  workspaceId: trustedId<"workspace">("w"),
  poolId: trustedId<"pool">("p"),
  jobId: trustedId<"job">("j"),
};

// A job whose state the test sets, with or without a notice.
function oneJob(first: JobState) {
  const clock = handClock();
  const seen: string[] = [];
  let state = first;
  let receive: ((change: JobChange) => void) | null = null;
  const job = () => ({ state }) as Job;
  return {
    clock,
    seen,
    isWatched: () => receive !== null,
    become(next: JobState, isTold = true) {
      state = next;
      if (isTold) receive?.({ job: job() } as JobChange);
    },
    deps: {
      clock,
      jobs: {
        async get() {
          seen.push("get");
          return job();
        },
        watch(_: unknown, given: (change: JobChange) => void) {
          receive = given;
          return () => {
            receive = null;
          };
        },
        async cancel() {
          seen.push("cancel");
          state = "canceling";
          return { job: job(), begun: true };
        },
      },
    },
  };
}

describe("waiting for the end of a job", () => {
  const never = new AbortController().signal;

  test("one that has ended is answered at once", async () => {
    const { deps, isWatched } = oneJob("failed");
    assert.equal((await waitForJob(deps, requested, never)).state, "failed");
    assert.equal(isWatched(), false);
  });

  test("the notice of its end is enough, and other notices are not", async () => {
    const { deps, seen, become } = oneJob("queued");
    const waiting = waitForJob(deps, requested, never);
    become("running");
    become("succeeded");
    assert.equal((await waiting).state, "succeeded");
    assert.ok(seen.length <= 2, seen.join());
  });

  test("a lost notice is made up for", async () => {
    const { deps, become, clock, seen } = oneJob("running");
    const waiting = waitForJob(deps, requested, never);
    await clock.advance(0);
    await clock.advance(4_999);
    become("succeeded", false);
    assert.deepEqual(seen, ["get"]);
    await clock.advance(1);
    assert.equal((await waiting).state, "succeeded");
  });

  test("a signal cancels it", async () => {
    const { deps, seen, isWatched, clock } = oneJob("running");
    const stop = new AbortController();
    const waiting = waitForJob(deps, requested, stop.signal);
    await clock.advance(1);
    stop.abort();
    assert.equal((await waiting).state, "canceling");
    assert.deepEqual(seen, ["get", "get", "cancel"]);
    assert.equal(isWatched(), false);
  });
});
