// Which worker gets which job, on the real queue: by node classes and by loaded models.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "../../../test/support/server-process.ts";
import { newId } from "../../foundation/ids.ts";
import type { PoolId, WorkerId } from "./job.ts";
import { needsIdOf, needsOf } from "./job-needs.ts";
import { aJobsFixture, type JobsFixture } from "./jobs.fixture.ts";
import type { Jobs } from "./jobs.ts";

let fixture: JobsFixture;
before(async () => {
  fixture = await aJobsFixture();
});
after(() => fixture.close());

const graphOf = (classType: string, model: string | null = null) => ({
  1: { class_type: classType, inputs: model === null ? {} : { ckpt_name: model } },
});
const changesOf = (graph: object, poolId: PoolId) => ({
  poolId,
  workflow: Buffer.from(JSON.stringify(graph)),
  needsId: needsIdOf(needsOf(graph)),
});

function claim(
  jobs: Jobs,
  poolId: PoolId,
  offer: { classes: string[]; models?: string[] },
  waitMs = 0,
  workerId?: WorkerId,
) {
  return jobs.workers.claim({
    workerId: workerId ?? newId<"worker">(),
    poolId,
    slots: 1,
    waitMs,
    signal: new AbortController().signal,
    offer: { classes: new Set(offer.classes), modelsLoaded: new Set(offer.models ?? []) },
  });
}

test("a worker is given only graphs whose classes it knows, past any number that it does not", async () => {
  const jobs = fixture.aProcess();
  const poolId = newId<"pool">();
  const workspaceId = await fixture.aWorkspace();
  const foreign = Array.from({ length: 40 }, () =>
    fixture.submitted(jobs, workspaceId, changesOf(graphOf("Rare"), poolId)),
  );
  const first = await Promise.all(foreign);
  const known = await fixture.submitted(jobs, workspaceId, changesOf(graphOf("Common"), poolId));
  const [given] = await claim(jobs, poolId, { classes: ["Common"] }, 60_000);
  assert.equal(given?.lease.jobId, known);
  assert.deepEqual(await claim(jobs, poolId, { classes: ["Common"] }), []);
  const rare: string[] = [];
  for (let round = 0; round < 40; round += 1) {
    const [one] = await claim(jobs, poolId, { classes: ["Rare", "Common"] }, 60_000);
    assert.ok(one, `job ${round}`);
    rare.push(one.lease.jobId);
  }
  assert.deepEqual(rare.sort(), first.sort());
  await jobs.close();
});

test("another process that never saw the submission knows what a job needs", async () => {
  const [here, there] = [fixture.aProcess(), fixture.aProcess()];
  const poolId = newId<"pool">();
  const jobId = await fixture.submitted(here, await fixture.aWorkspace(), changesOf(graphOf("Rare"), poolId));
  assert.deepEqual(await claim(there, poolId, { classes: ["Common"] }, 1_500), []);
  assert.equal((await claim(there, poolId, { classes: ["Rare"] }, 60_000))[0]?.lease.jobId, jobId);
  await Promise.all([here.close(), there.close()]);
});

test("a job waits a moment for the worker that has its model, and no longer", async () => {
  const jobs = fixture.aProcess();
  const poolId = newId<"pool">();
  const workspaceId = await fixture.aWorkspace();
  const warm = { classes: ["Loader"], models: ["big.safetensors"] };
  const warmId = newId<"worker">();
  assert.deepEqual(await claim(jobs, poolId, warm, 0, warmId), [], "it is known, and busy from now on");
  const wanted = changesOf(graphOf("Loader", "big.safetensors"), poolId);
  const first = await fixture.submitted(jobs, workspaceId, wanted);
  const cold = claim(jobs, poolId, { classes: ["Loader"] }, 60_000);
  const [given] = await claim(jobs, poolId, warm, 60_000, warmId);
  assert.equal(given?.lease.jobId, first, "the warm one came in time");
  const second = await fixture.submitted(jobs, workspaceId, wanted);
  assert.equal((await cold)[0]?.lease.jobId, second, "it did not come again, so the cold one has it");
  await jobs.close();
});

test("a restarted worker gets its open jobs back under the same attempt", async () => {
  const jobs = fixture.aProcess();
  const poolId = newId<"pool">();
  const workerId = newId<"worker">();
  const jobId = await fixture.submitted(jobs, await fixture.aWorkspace(), {
    ...changesOf(graphOf("A"), poolId),
    extraData: { api_key_service: "secret" },
  });
  const [claimed] = await claim(jobs, poolId, { classes: ["A"] }, 60_000, workerId);
  const [resumed, ...more] = await jobs.workers.resume({ workerId, poolId });
  assert.deepEqual(more, []);
  assert.deepEqual(resumed, { ...claimed, isNew: false });
  assert.equal(claimed?.isNew, true);
  assert.deepEqual(await jobs.workers.resume({ workerId, poolId: newId<"pool">() }), []);
  assert.deepEqual(await jobs.workers.resume({ workerId: newId<"worker">(), poolId }), []);
  await fixture.loseLease(jobId);
  await until("the lease is over", async () => (await jobs.workers.resume({ workerId, poolId })).length === 0);
  await jobs.close();
});
