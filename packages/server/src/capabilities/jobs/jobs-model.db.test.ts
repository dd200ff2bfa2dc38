// Random lives of jobs against a model: two processes, workers that die, stall, give back and return late, cancels and
// expiries at any moment. No terminal state ever changes, no stale attempt writes, versions and progress never fall, and
// the wallet is right to the last micro-credit after every step.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { newId } from "../../foundation/ids.ts";
import { findWallet } from "../calls/shared-sql.ts";
import type { RunningJobs } from "./create-jobs.ts";
import { type Job, type JobId, type JobState, type PoolId, terminalStates, type WorkerId } from "./job.ts";
import { aJobsFixture, aWorker, bytesOf, claim, type JobsFixture } from "./jobs.fixture.ts";
import type { JobEnding, JobLease } from "./worker-port.ts";

interface ModelJob {
  readonly id: JobId;
  state: JobState;
  attempt: number;
  used: number;
  lost: number;
  holder: JobLease | null;
  // What is still held, by part.
  held: Map<string, bigint>;
  outputs: number;
  seen: Job | null;
}

interface Model {
  readonly jobs: ModelJob[];
  // All leases ever given, including stale ones.
  readonly leases: JobLease[];
  available: bigint;
}

interface Real {
  readonly fixture: JobsFixture;
  readonly processes: readonly RunningJobs[];
  // Two workers that keep coming back: only the attempt tells their old leases from the new ones.
  readonly workers: readonly WorkerId[];
  readonly workspaceId: WorkspaceId;
  readonly poolId: PoolId;
}

const attemptsMax = 3;
const funds = 10_000n;
const succeeded: JobEnding = { kind: "succeeded", outputsReused: false, executedWorkflow: null };
const failed = (isRetryable: boolean): JobEnding => ({
  kind: "failed",
  problem: { code: "node_execution_error", message: "it broke", nodeId: null, classType: null },
  isRetryable,
});

function end(model: Model, job: ModelJob, state: JobState): void {
  job.state = state;
  job.holder = null;
  for (const amount of job.held.values()) model.available += amount;
  job.held = new Map();
}

function requeue(job: ModelJob): void {
  job.state = "queued";
  job.holder = null;
}

const isHolder = (job: ModelJob | undefined, lease: JobLease) =>
  job?.holder?.attempt === lease.attempt && job.holder.workerId === lease.workerId;
const jobOf = (model: Model, lease: JobLease) => model.jobs.find(({ id }) => id === lease.jobId);

type Command = fc.AsyncCommand<Model, Real>;

function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    async run(model, real) {
      await run(model, real);
      await agree(model, real);
    },
    toString: () => name,
  };
}

// Both processes show what the model says.
async function agree(model: Model, { processes, workspaceId, poolId, fixture }: Real): Promise<void> {
  for (const process of processes) {
    for (const job of model.jobs) {
      const shown = await process.get({ jobId: job.id, workspaceId, poolId });
      assert.equal(shown.state, job.state);
      assert.equal(shown.attempt, job.attempt);
      if (job.state !== "queued") assert.equal(shown.outputs.length, job.outputs);
      const before = job.seen;
      if (before) {
        assert.ok(shown.version >= before.version, "a version fell");
        assert.ok((shown.progress?.value ?? 0) >= (before.progress?.value ?? 0), "progress fell");
        if (terminalStates.has(before.state)) assert.deepEqual(shown, before);
      }
      job.seen = shown;
    }
  }
  const held = model.jobs.reduce((sum, job) => [...job.held.values()].reduce((all, one) => all + one, sum), 0n);
  const wallet = await findWallet(fixture.db, workspaceId);
  assert.deepEqual([wallet.available, wallet.held], [model.available, held]);
}

const which = fc.nat(30);
const pick = <T>(items: readonly T[], index: number): T | undefined => items[index % Math.max(1, items.length)];
const processOf = (real: Real, index: number): RunningJobs => {
  const process = pick(real.processes, index);
  assert.ok(process);
  return process;
};

const submit = fc.record({ which, priority: fc.integer({ min: -3, max: 3 }), run: fc.integer({ min: 0, max: 2 }) });
const commands: readonly fc.Arbitrary<Command>[] = [
  submit.map(({ which, priority, run }) =>
    command(`submit(${priority}, ${run})`, async (model, real) => {
      const holds =
        run === 0
          ? []
          : [
              { part: "run", amount: BigInt(run * 100) },
              { part: "7", amount: 50n },
            ];
      const submission = real.fixture.submission(real.workspaceId, { poolId: real.poolId, priority, holds });
      const answer = await processOf(real, which).submit(submission);
      assert.equal(answer.kind, "created");
      if (answer.kind !== "created") return;
      for (const { amount } of holds) model.available -= amount;
      const held = new Map(holds.map(({ part, amount }) => [part, amount]));
      const { id } = answer.job;
      model.jobs.push({
        id,
        state: "queued",
        attempt: 0,
        used: 0,
        lost: 0,
        holder: null,
        held,
        outputs: 0,
        seen: null,
      });
    }),
  ),
  fc.record({ which, slots: fc.integer({ min: 1, max: 3 }) }).map(({ which, slots }) =>
    command(`claim(${slots})`, async (model, real) => {
      const workerId = pick(real.workers, which >> 1) ?? aWorker();
      const claimed = await claim(processOf(real, which), real.poolId, { workerId, slots, waitMs: 0 });
      assert.ok(claimed.length <= slots);
      for (const { lease } of claimed) {
        const job = jobOf(model, lease);
        assert.equal(job?.state, "queued");
        if (!job) continue;
        assert.equal(lease.attempt, job.attempt + 1);
        Object.assign(job, { state: "running", attempt: lease.attempt, used: job.used + 1, holder: lease, outputs: 0 });
        model.leases.push(lease);
      }
    }),
  ),
  fc.record({ which, at: which, ending: fc.constantFrom(succeeded, failed(true), failed(false)) }).map((drawn) =>
    command(`finish(${drawn.ending.kind})`, async (model, real) => {
      const lease = pick(model.leases, drawn.at);
      if (!lease) return;
      const job = jobOf(model, lease);
      const isMine = isHolder(job, lease);
      assert.equal(await processOf(real, drawn.which).workers.finish(lease, drawn.ending), isMine);
      if (!job || !isMine) return;
      const { ending } = drawn;
      if (job.state === "canceling") end(model, job, "canceled");
      else if (ending.kind === "failed" && ending.isRetryable && job.used < attemptsMax) requeue(job);
      else end(model, job, ending.kind);
      await real.fixture.passBackoff();
    }),
  ),
  fc.record({ which, at: which }).map(({ which, at }) =>
    command("heartbeat", async (model, real) => {
      const lease = pick(model.leases, at);
      if (!lease) return;
      const job = jobOf(model, lease);
      const expected = isHolder(job, lease) ? job?.state : "lost";
      assert.deepEqual(await processOf(real, which).workers.heartbeat([lease]), [expected]);
    }),
  ),
  fc.record({ which, at: which, value: fc.double({ min: 0, max: 1, noNaN: true }) }).map(({ which, at, value }) =>
    command("progress", async (model, real) => {
      const lease = pick(model.leases, at);
      const progress = { value, nodesDone: 0, nodesTotal: 1, currentNode: null, currentNodeClass: null };
      if (lease)
        processOf(real, which).workers.progress(lease, { ...progress, step: null, steps: null, message: null });
    }),
  ),
  fc.record({ which, at: which }).map(({ which, at }) =>
    command("output", async (model, real) => {
      const lease = pick(model.leases, at);
      if (!lease) return;
      const job = jobOf(model, lease);
      const request = { nodeId: "9", index: job?.outputs ?? 0, name: "o.txt", contentType: "text/plain" };
      const output = await processOf(real, which).workers.output(lease, { ...request, source: bytesOf(String(at)) });
      assert.equal(output !== null, isHolder(job, lease));
      if (job && output) job.outputs += 1;
    }),
  ),
  fc.record({ which, at: which }).map(({ which, at }) =>
    command("giveBack", async (model, real) => {
      const lease = pick(model.leases, at);
      if (!lease) return;
      await processOf(real, which).workers.giveBack(lease);
      const job = jobOf(model, lease);
      if (!job || !isHolder(job, lease)) return;
      if (job.state === "canceling") return end(model, job, "canceled");
      job.used -= 1;
      requeue(job);
    }),
  ),
  fc.record({ which, at: which }).map(({ which, at }) =>
    command("releasePart", async (model, real) => {
      const lease = pick(model.leases, at);
      if (!lease) return;
      await processOf(real, which).workers.releasePart(lease, "7");
      const job = jobOf(model, lease);
      if (!job || !isHolder(job, lease)) return;
      model.available += job.held.get("7") ?? 0n;
      job.held.delete("7");
    }),
  ),
  fc.record({ which, at: which }).map(({ which, at }) =>
    command("cancel", async (model, real) => {
      const job = pick(model.jobs, at);
      if (!job) return;
      const locator = { jobId: job.id, workspaceId: real.workspaceId, poolId: real.poolId };
      const { begun } = await processOf(real, which).cancel(locator);
      assert.equal(begun, job.state === "queued" || job.state === "running");
      if (job.state === "queued") end(model, job, "canceled");
      else if (job.state === "running") job.state = "canceling";
    }),
  ),
  which.map((at) =>
    command("lose", async (model, real) => {
      const job = pick(model.jobs, at);
      if (!job) return;
      await real.fixture.loseLease(job.id);
      await Promise.all(real.processes.map((process) => process.sweep()));
      if (job.state === "canceling") end(model, job, "canceled");
      else if (job.state === "running") {
        if (job.used >= attemptsMax || job.lost >= 2) end(model, job, "failed");
        else requeue(job);
        job.lost += 1;
      }
      await real.fixture.passBackoff();
    }),
  ),
  which.map((at) =>
    command("expire", async (model, real) => {
      const job = pick(model.jobs, at);
      // An ended job would be removed, and a job being canceled would be as soon as it ends.
      if (!job || (job.state !== "queued" && job.state !== "running")) return;
      await real.fixture.age(job.id);
      await Promise.all(real.processes.map((process) => process.sweep()));
      end(model, job, "expired");
    }),
  ),
];

let fixture: JobsFixture;
before(async () => {
  fixture = await aJobsFixture();
});
after(() => fixture.close());

test("random lives of jobs in two processes are those of the model", { timeout: 900_000 }, async () => {
  const processes = [fixture.aProcess(), fixture.aProcess()];
  await fc.assert(
    fc.asyncProperty(fc.commands([...commands], { maxCommands: 40, size: "max" }), async (drawn) => {
      const workspaceId = await fixture.aWorkspace(funds);
      const workers = [aWorker(), aWorker()];
      const real: Real = { fixture, processes, workers, workspaceId, poolId: newId<"pool">() };
      const model: Model = { jobs: [], leases: [], available: funds };
      await fc.asyncModelRun(() => ({ model, real }), drawn);
      await drain(model, real);
      assert.deepEqual(await fixture.broken(), []);
    }),
    { numRuns: 40, endOnFailure: true, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false },
  );
});

// No waiting job is forgotten: all are claimed in the end.
async function drain(model: Model, real: Real): Promise<void> {
  const waiting = new Set(model.jobs.filter(({ state }) => state === "queued").map(({ id }) => id));
  while (waiting.size > 0) {
    const claimed = await claim(processOf(real, waiting.size), real.poolId, { slots: 8 });
    assert.ok(claimed.length > 0, `never claimed: ${[...waiting]}`);
    for (const { lease } of claimed) {
      assert.ok(waiting.delete(lease.jobId));
      assert.equal(await processOf(real, 0).workers.finish(lease, succeeded), true);
    }
  }
}
