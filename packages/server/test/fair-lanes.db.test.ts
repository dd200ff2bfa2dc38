// One workspace with thousands of queued jobs beside twenty with one each, through the real queue, dispatchers and
// workers of two processes. Counted in turns and not in seconds: a caller is served after one round, however long
// another's queue is, so the wait is one round of jobs over all slots.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createGraphWorker } from "../src/capabilities/graph-runs/index.ts";
import type { Jobs } from "../src/capabilities/jobs/index.ts";
import { aJobsFixture, aWorker, type JobsFixture } from "../src/capabilities/jobs/jobs.fixture.ts";
import { createBackground } from "../src/foundation/background.ts";
import { systemClock } from "../src/foundation/clock.ts";
import type { WorkspaceId } from "../src/foundation/ids.ts";
import { silentLog } from "../src/foundation/log.ts";
import { until } from "./support/server-process.ts";

const crowd = 5_000;
const others = 20;
const slots = 2;
const processes = 2;

let fixture: JobsFixture;
before(async () => {
  fixture = await aJobsFixture();
});
after(() => fixture.close());

function work(jobs: Jobs, begun: WorkspaceId[], signal: AbortSignal): Promise<void> {
  const worker = createGraphWorker({
    workerId: aWorker(),
    poolId: fixture.poolId,
    slots,
    port: jobs.workers,
    runner: {
      async run({ workspaceId }) {
        begun.push(workspaceId);
        return { kind: "succeeded", outputsReused: false, executedWorkflow: null };
      },
    },
    clock: systemClock,
    log: silentLog,
    onCancel: () => () => undefined,
    drainMs: 5_000,
  });
  return worker.run(createBackground({ clock: systemClock, log: silentLog }), signal);
}

test("a workspace with 5,000 queued jobs makes twenty others with one job each wait one round, no longer", {
  timeout: 900_000,
}, async () => {
  const roomy = { limits: { limitOf: () => 10 * crowd } };
  const all = Array.from({ length: processes }, () => fixture.aProcess(roomy));
  const [jobs] = all;
  assert.ok(jobs);
  const greedy = await fixture.aWorkspace();
  const modest = await Promise.all(Array.from({ length: others }, () => fixture.aWorkspace()));
  await Promise.all(Array.from({ length: crowd }, () => fixture.submitted(jobs, greedy)));
  const begun: WorkspaceId[] = [];
  const stopping = new AbortController();
  const working = all.map((one) => work(one, begun, stopping.signal));
  try {
    await until("the crowd is being worked on", () => begun.length >= 20);
    const from = begun.length;
    await Promise.all(modest.map((workspaceId) => fixture.submitted(jobs, workspaceId)));
    const allCame = begun.length;
    await until("the twenty were served", () => modest.every((workspaceId) => begun.includes(workspaceId)));
    const last = Math.max(...modest.map((workspaceId) => begun.indexOf(workspaceId)));
    const before = begun.slice(allCame, last).filter((workspaceId) => workspaceId === greedy).length;
    // One round of each dispatcher, plus what each had already taken.
    const most = processes * (others + 2 * slots);
    assert.ok(before <= most, `${before} of the crowd went before, of ${last - from} in all; at most ${most}`);
    assert.ok(begun.length < crowd, "the crowd was still waiting");
  } finally {
    stopping.abort();
    await Promise.all(working);
  }
});
