import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import { aJobsFixture, bytesOf, claim, isFault, type JobsFixture, succeeded } from "../jobs.fixture.ts";
import type { Jobs } from "../jobs.ts";

let fixture: JobsFixture;
let jobs: Jobs;
let workspaceId: WorkspaceId;
before(async () => {
  fixture = await aJobsFixture();
  jobs = fixture.aProcess();
  workspaceId = await fixture.aWorkspace();
});
after(async () => {
  assert.deepEqual(await fixture.broken(), []);
  await fixture.close();
});

test("an output is deleted with its bytes once its job is over, by its own workspace alone, and the job lists it no more", async () => {
  const jobId = await fixture.submitted(jobs, workspaceId);
  const [claimed] = await claim(jobs, fixture.poolId);
  assert.ok(claimed);
  const made = [];
  for (const index of [0, 1]) {
    const source = bytesOf(`picture ${index}`);
    made.push(
      await jobs.workers.output(claimed.lease, {
        nodeId: "9",
        index,
        name: `${index}.txt`,
        contentType: "text/plain",
        source,
      }),
    );
  }
  const [first, second] = made;
  assert.ok(first && second);
  const removed = { workspaceId, jobId, assetId: first.assetId };
  await assert.rejects(jobs.removeOutput(removed), isFault("conflict"), "not while it runs");
  await jobs.workers.finish(claimed.lease, succeeded);
  const stranger = await fixture.aWorkspace();
  for (const wrong of [
    { ...removed, workspaceId: stranger },
    { ...removed, jobId: newId<"job">() },
    { ...removed, assetId: newId<"asset">() },
  ])
    await assert.rejects(jobs.removeOutput(wrong), isFault("not_found"));
  const at = { jobId, workspaceId, poolId: fixture.poolId };
  assert.equal((await jobs.get(at)).outputs.length, 2, "nothing was touched");
  await jobs.removeOutput(removed);
  assert.deepEqual((await jobs.get(at)).outputs, [second]);
  await assert.rejects(fixture.assets.get({ workspaceId, assetId: first.assetId }), isFault("not_found"));
  await assert.rejects(jobs.removeOutput(removed), isFault("not_found"));
  assert.equal((await fixture.assets.get({ workspaceId, assetId: second.assetId })).id, second.assetId);
});
