// Operators and the workers of a pool, over HTTP.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../src/foundation/database/index.ts";
import { bearer, listOf, memberOf, textOf } from "./support/app-client.ts";
import { aLeasedJob, anHttpWorker, claimOne, introduce, submitTo } from "./support/http-worker.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
before(async () => {
  app = await testApp({ env: { ATELIER_ENGINE_SLOTS: "0" } });
});
after(() => app.close());

test("an operator sees what a worker runs, drains it, and lets it take jobs again; the audit has both", async () => {
  const worker = await anHttpWorker(app);
  const { jobId } = await aLeasedJob(app, worker);
  const headers = bearer(app.adminToken);
  const workers = `/admin/pools/${worker.poolId}/workers`;
  const drain = (draining: boolean, pool = workers) =>
    app.call({ method: "PATCH", path: `${pool}/${worker.workerId}`, headers, body: { draining } });
  const shown = async () => listOf((await app.call({ path: workers, headers })).json(), "data")[0];
  assert.equal(memberOf(await shown(), "draining"), false);
  assert.deepEqual(
    listOf(await shown(), "jobs").map((job) => [textOf(job, "id"), textOf(job, "workspace_id")]),
    [[jobId, app.workspaceId]],
  );
  assert.equal((await drain(true)).status, 204);
  assert.equal(memberOf(await shown(), "draining"), true);
  // A process knows a worker for some seconds; a report makes it look again.
  await introduce(worker);
  const next = await submitTo(app, worker.poolId);
  assert.equal(await claimOne(worker, 0), null);
  assert.equal((await drain(false)).status, 204);
  await introduce(worker);
  assert.equal((await claimOne(worker))?.jobId, next);
  assert.equal((await drain(true, "/admin/pools/shared/workers")).status, 404, "not a worker of that pool");
  const audit = await app.database.query<{ action: string }>(sql`
    select action from audit_entries where subject_id = ${worker.workerId} order by at, id`);
  assert.deepEqual(
    audit.map(({ action }) => action),
    ["worker.drain", "worker.resume"],
  );
});
