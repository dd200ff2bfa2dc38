import assert from "node:assert/strict";
import { test } from "node:test";
import { createBackground } from "../../foundation/background.ts";
import { AwayFault, Fault } from "../../foundation/fault.ts";
import { type HandClock, handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId, trustedId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import type { ClaimedJob, JobEnding, JobId, JobOutput, WorkerPort } from "../jobs/index.ts";
import type { GraphRunner, RunOutput, RunReport } from "./graph-runner.ts";
import { createGraphWorker } from "./graph-worker.ts";

const succeeded: JobEnding = { kind: "succeeded", outputsReused: false, executedWorkflow: null };
const kept: JobOutput = {
  assetId: newId<"asset">(),
  nodeId: "1",
  name: "a.png",
  kind: "image",
  contentType: "image/png",
  sizeBytes: 0,
  hash: "",
  folder: "output",
  version: 1,
};
const turns = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

interface Stage {
  readonly clock: HandClock;
  readonly ends: [string, string][];
  readonly endings: JobEnding[];
  readonly givenBack: string[];
  readonly cancel: (jobId: JobId) => void;
  readonly claims: number[];
  heartbeat: WorkerPort["heartbeat"];
  // Runs before every write of a worker.
  trouble: (() => Promise<unknown>) | null;
  stop(): Promise<void>;
}

function begin(jobs: ClaimedJob[], runner: GraphRunner, slots = 2, held: readonly ClaimedJob[] = []): Stage {
  const clock = handClock();
  const canceled = new Map<JobId, () => void>();
  const stage: Stage = {
    clock,
    ends: [],
    endings: [],
    givenBack: [],
    claims: [],
    cancel: (jobId) => canceled.get(jobId)?.(),
    heartbeat: async (leases) => leases.map(() => "running" as const),
    trouble: null,
    stop: async () => undefined,
  };
  const port: WorkerPort = {
    async claim({ slots: wanted, waitMs, signal }) {
      stage.claims.push(wanted);
      const taken = jobs.splice(0, wanted);
      if (taken.length === 0) await clock.sleep(waitMs, signal);
      return taken;
    },
    resume: async () => held,
    heartbeat: (leases) => stage.heartbeat(leases),
    progress: () => undefined,
    preview: () => undefined,
    async output(_lease, { source }) {
      if (stage.trouble === null) return null;
      for await (const _ of source);
      await stage.trouble();
      return kept;
    },
    async finish(lease, ending) {
      await stage.trouble?.();
      stage.ends.push([lease.jobId, ending.kind]);
      stage.endings.push(ending);
      return true;
    },
    async giveBack(lease) {
      stage.givenBack.push(lease.jobId);
    },
    releasePart: async () => undefined,
  };
  const worker = createGraphWorker({
    workerId: newId<"worker">(),
    poolId: trustedId<"pool">("shared"),
    slots,
    port,
    runner,
    clock,
    log: silentLog,
    drainMs: 60_000,
    onCancel(jobId, onCanceled) {
      canceled.set(jobId, onCanceled);
      return () => canceled.delete(jobId);
    },
  });
  const stopping = new AbortController();
  const running = worker.run(createBackground({ clock, log: silentLog }), stopping.signal);
  stage.stop = async () => {
    stopping.abort();
    await turns();
    await clock.advance(60_000);
    await running;
  };
  return stage;
}

function job(): ClaimedJob {
  return {
    lease: { jobId: newId<"job">(), attempt: 1, workerId: newId<"worker">() },
    workspaceId: newId<"workspace">(),
    workflow: Buffer.from("{}"),
    isNew: true,
    nodesTotal: 0,
    extraData: null,
    apiKeyId: null,
    expiresAt: new Date(),
  };
}

const untilStopped: GraphRunner = {
  run: (_job, _report, signal) =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve({ kind: "canceled" }), { once: true })),
};

test("a worker takes no more jobs than it has slots, and the next one as soon as a slot is free", async () => {
  const ends: (() => void)[] = [];
  const jobs = [job(), job(), job()];
  const stage = begin(jobs, { run: () => new Promise((resolve) => ends.push(() => resolve(succeeded))) });
  await turns();
  assert.deepEqual([ends.length, jobs.length], [2, 1]);
  ends[0]?.();
  await turns();
  assert.deepEqual([ends.length, jobs.length, stage.ends.length], [3, 0, 1]);
  for (const end of ends) end();
  await stage.stop();
  assert.deepEqual(
    stage.ends.map(([, kind]) => kind),
    ["succeeded", "succeeded", "succeeded"],
  );
});

test("a cancel ends the run at once and is stored as canceled; a run that had just succeeded stays one", async () => {
  const [first, second] = [job(), job()];
  const stage = begin([first, second], {
    run: (claimed, report, signal) =>
      claimed === first
        ? untilStopped.run(claimed, report, signal)
        : new Promise((resolve) => signal.addEventListener("abort", () => resolve(succeeded), { once: true })),
  });
  await turns();
  stage.cancel(first.lease.jobId);
  stage.cancel(second.lease.jobId);
  await turns();
  assert.deepEqual(
    new Map(stage.ends),
    new Map([
      [first.lease.jobId, "canceled"],
      [second.lease.jobId, "succeeded"],
    ]),
  );
  await stage.stop();
});

test("a heartbeat that says lost stops the work, and nothing of it is published", async () => {
  const stage = begin([job()], untilStopped);
  await turns();
  stage.heartbeat = async (leases) => leases.map(() => "lost" as const);
  await stage.clock.advance(10_000);
  await turns();
  assert.deepEqual([stage.ends, stage.givenBack], [[], []]);
  await stage.stop();
});

test("a worker whose heartbeats do not come through stops its work before its lease is over", async () => {
  let isStopped = false;
  const stage = begin([job()], {
    run: (_job, _report, signal) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          isStopped = true;
          resolve(succeeded);
        }),
      ),
  });
  await turns();
  stage.heartbeat = async () => {
    throw new Error("the network is away");
  };
  for (let beats = 0; beats < 2; beats++) {
    await stage.clock.advance(10_000);
    await turns();
  }
  assert.equal(isStopped, false);
  await stage.clock.advance(10_000);
  await turns();
  assert.equal(isStopped, true);
  assert.deepEqual(stage.ends, []);
  await stage.stop();
});

test("a worker that stops gives its jobs back when they have had their time", async () => {
  const claimed = job();
  const stage = begin([claimed], untilStopped);
  await turns();
  await stage.stop();
  assert.deepEqual([stage.givenBack, stage.ends], [[claimed.lease.jobId], []]);
});

test("a runner that throws fails its job for another attempt, and the worker goes on", async () => {
  const [first, second] = [job(), job()];
  const seen: RunReport[] = [];
  const stage = begin(
    [first, second],
    {
      async run(claimed, report) {
        seen.push(report);
        if (claimed === first) throw new Error("broken");
        return succeeded;
      },
    },
    1,
  );
  await turns();
  assert.deepEqual(stage.ends, [
    [first.lease.jobId, "failed"],
    [second.lease.jobId, "succeeded"],
  ]);
  await stage.stop();
});

test("an output the server refuses fails with its real reason; only transient refusals are retried", async () => {
  const faults = [
    new Fault("quota_exceeded", "The workspace is full."),
    new Fault("storage_full", "There is no space left."),
  ];
  const stage = begin([job(), job()], {
    async run() {
      throw faults.shift();
    },
  });
  await turns();
  const noNode = { nodeId: null, classType: null };
  assert.deepEqual(stage.endings, [
    {
      kind: "failed",
      problem: { code: "quota_exceeded", message: "The workspace is full.", ...noNode },
      isRetryable: false,
    },
    {
      kind: "failed",
      problem: { code: "storage_full", message: "There is no space left.", ...noNode },
      isRetryable: true,
    },
  ]);
  await stage.stop();
});

const anOutput: RunOutput = {
  nodeId: "1",
  index: 0,
  name: "a.png",
  contentType: "image/png",
  async *open() {
    yield Buffer.from("picture");
  },
};

test("storing is retried while the database is away, and the job's end is stored once it is back", async () => {
  let [opened, isAway] = [0, true];
  const away = () => (isAway ? Promise.reject(new AwayFault("The database is away.", null)) : Promise.resolve());
  const stage = begin([job()], {
    async run(_job, report) {
      await report.insist(away);
      await report.output({
        ...anOutput,
        open() {
          opened += 1;
          return anOutput.open();
        },
      });
      return succeeded;
    },
  });
  stage.trouble = away;
  await turns();
  await stage.clock.advance(5_000);
  await turns();
  assert.deepEqual([opened, stage.ends], [0, []]);
  isAway = false;
  for (let second = 0; second < 5; second++) {
    await stage.clock.advance(1_000);
    await turns();
  }
  assert.ok(opened >= 1);
  assert.deepEqual(
    stage.ends.map(([, kind]) => kind),
    ["succeeded"],
  );
  await stage.stop();
});

test("a job whose database stays away is given back and not failed", async () => {
  const claimed = job();
  const stage = begin([claimed], {
    run: (_job, report) => report.insist(() => Promise.reject(new AwayFault("The database is away.", null))),
  });
  stage.heartbeat = () => Promise.reject(new AwayFault("The database is away.", null));
  for (let round = 0; round < 12; round++) {
    await turns();
    await stage.clock.advance(5_000);
  }
  await turns();
  assert.deepEqual([stage.ends, stage.givenBack], [[], [claimed.lease.jobId]]);
  await stage.stop();
});

test("an output that nobody takes any more ends the run without a word", async () => {
  const stage = begin([job()], {
    async run(_job, report) {
      await report.output(anOutput);
      return succeeded;
    },
  });
  await turns();
  assert.deepEqual([stage.ends, stage.givenBack], [[], []]);
  await stage.stop();
});

test("a restarted worker resumes its earlier jobs first, and they take its slots", async () => {
  const [held, fresh] = [job(), job()];
  const seen: string[] = [];
  const runner: GraphRunner = {
    async run({ lease }) {
      seen.push(lease.jobId);
      return succeeded;
    },
  };
  const stage = begin([fresh, held], runner, 1, [held]);
  await turns();
  assert.deepEqual(seen, [held.lease.jobId, fresh.lease.jobId, held.lease.jobId]);
  assert.equal(stage.claims[0], 1);
  await stage.stop();
});

test("a runner learns why it is stopped: a job given back may keep running in the application", async () => {
  const [first, second] = [job(), job()];
  const reasons: unknown[] = [];
  const stage = begin([first, second], {
    run: (_claimed, _report, signal) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          reasons.push(signal.reason);
          resolve({ kind: "canceled" });
        }),
      ),
  });
  await turns();
  stage.cancel(first.lease.jobId);
  await turns();
  await stage.stop();
  assert.deepEqual(reasons, ["canceled", "given_back"]);
});
