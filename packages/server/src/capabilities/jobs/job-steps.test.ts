import assert from "node:assert/strict";
import { test } from "node:test";
import { jobStates } from "@atelier/contract";
import fc from "fast-check";
import { newId } from "../../foundation/ids.ts";
import { type JobState, terminalStates } from "./job.ts";
import {
  cancelStep,
  claimStep,
  expireStep,
  finishStep,
  giveBackStep,
  type JobStep,
  type LockedJob,
  loseStep,
} from "./job-steps.ts";

const workerId = newId<"worker">();
const base: LockedJob = {
  id: newId(),
  workspaceId: newId(),
  poolId: newId(),
  state: "queued",
  version: 1,
  sequence: 0,
  attempt: 0,
  givenBack: 0,
  needsId: null,
  attemptsMax: 3,
  lost: 0,
  workerId: null,
  priority: 0,
  webhookUrl: null,
  apiKeyId: null,
  holdsAssets: false,
  holdsCredits: false,
  isDue: false,
  ranSeconds: 0,
};
const running: LockedJob = { ...base, state: "running", attempt: 1, workerId, ranSeconds: 7 };
const lease = { jobId: base.id, attempt: 1, workerId };
const problem = { code: "node_execution_error", message: "it broke", nodeId: null, classType: null };
const failed = (isRetryable: boolean) => ({ kind: "failed", problem, isRetryable }) as const;
const succeeded = { kind: "succeeded", outputsReused: true, executedWorkflow: null } as const;
const half = () => 0.5;

const allowed: Readonly<Record<JobState, readonly JobState[]>> = {
  queued: ["running", "canceled", "expired"],
  running: ["succeeded", "failed", "canceling", "canceled", "expired", "queued"],
  canceling: ["canceled"],
  succeeded: [],
  failed: [],
  canceled: [],
  expired: [],
};

const jobs = fc.record({
  state: fc.constantFrom<JobState>(...jobStates),
  attempt: fc.integer({ min: 1, max: 6 }),
  givenBack: fc.integer({ min: 0, max: 1 }),
  lost: fc.integer({ min: 0, max: 4 }),
  isDue: fc.boolean(),
});
const steps: readonly ((job: LockedJob) => JobStep | null)[] = [
  (job) => claimStep(job, workerId),
  (job) => finishStep(job, { ...lease, attempt: job.attempt }, succeeded, half),
  (job) => finishStep(job, { ...lease, attempt: job.attempt }, failed(true), half),
  (job) => finishStep(job, { ...lease, attempt: job.attempt }, { kind: "canceled" }, half),
  (job) => giveBackStep(job, { ...lease, attempt: job.attempt }),
  (job) => loseStep(job, half),
  cancelStep,
  expireStep,
];

test("events reach only the defined states, ended jobs never change, and the fence never falls", () => {
  fc.assert(
    fc.property(jobs, fc.nat(steps.length - 1), (drawn, which) => {
      const isHeld = drawn.state === "running" || drawn.state === "canceling";
      const job: LockedJob = { ...base, ...drawn, workerId: isHeld ? workerId : null };
      const step = steps[which]?.(job) ?? null;
      if (step === null) return;
      assert.ok(allowed[job.state].includes(step.state), `${job.state} → ${step.state}`);
      assert.ok(step.attempt >= job.attempt && step.lost >= job.lost && step.givenBack >= job.givenBack);
      assert.equal(step.workerId !== null, step.state === "running" || step.state === "canceling");
      assert.equal(step.readyAfterSeconds !== null, step.state === "queued");
      if (terminalStates.has(job.state)) assert.fail("an ended job changed");
    }),
  );
});

test("an attempt that is not the job's changes nothing", () => {
  for (const stale of [
    { ...lease, attempt: 2 },
    { ...lease, workerId: newId<"worker">() },
  ]) {
    assert.equal(finishStep(running, stale, succeeded, half), null);
    assert.equal(giveBackStep(running, stale), null);
  }
});

test("a retryable failure is tried again with a growing pause until the attempts are used up", () => {
  assert.equal(finishStep(running, lease, failed(true), half)?.readyAfterSeconds, 1.5);
  const second = { ...running, attempt: 2 };
  assert.equal(finishStep(second, { ...lease, attempt: 2 }, failed(true), half)?.readyAfterSeconds, 3);
  const third = { ...running, attempt: 3 };
  const end = finishStep(third, { ...lease, attempt: 3 }, failed(true), half);
  assert.deepEqual([end?.state, end?.problem], ["failed", problem]);
  assert.equal(finishStep({ ...third, givenBack: 1 }, { ...lease, attempt: 3 }, failed(true), half)?.state, "queued");
  assert.equal(finishStep(running, lease, failed(false), half)?.state, "failed");
});

test("a job that took several workers with it is not given to another, however many attempts it has", () => {
  assert.equal(loseStep({ ...running, attemptsMax: 9 }, half)?.state, "queued");
  assert.equal(loseStep({ ...running, attemptsMax: 9, lost: 2 }, half)?.state, "failed");
});

test("time on a lost worker is not charged; time until the end or the cancel is", () => {
  assert.equal(loseStep({ ...running, lost: 2 }, half)?.chargedSeconds, 0);
  assert.equal(finishStep(running, lease, succeeded, half)?.chargedSeconds, 7);
  assert.equal(finishStep({ ...running, state: "canceling" }, lease, succeeded, half)?.chargedSeconds, 7);
  assert.equal(expireStep({ ...running, isDue: true })?.chargedSeconds, 7);
  assert.equal(cancelStep(base)?.chargedSeconds, 0);
});
