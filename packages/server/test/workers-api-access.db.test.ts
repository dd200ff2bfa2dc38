// Who may speak for a worker.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { blake3Stream } from "../src/capabilities/blobs/index.ts";
import { sharedPool } from "../src/capabilities/pools/shared-pool.ts";
import { type AppAnswer, bearer, listOf, textOf } from "./support/app-client.ts";
import { makeDeployment } from "./support/deployment-example-calls.ts";
import {
  aLeasedJob,
  anHttpWorker,
  claimOne,
  type HttpWorker,
  httpWorker,
  introduce,
  type LeasedTestJob,
  submitTo,
} from "./support/http-worker.ts";
import { collectOutput, runAtelier } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { addWorkerToken } from "./support/worker-token-store.ts";

let app: TestApp;
before(async () => {
  app = await testApp({ env: { ATELIER_ENGINE_SLOTS: "0" } });
});
after(() => app.close());

const blake3 = blake3Stream();
async function hashOf(bytes: Uint8Array): Promise<string> {
  const hasher = await blake3();
  hasher.update(bytes);
  return hasher.digest();
}

const jobOf = async (poolId: string, jobId: string, key = app.key) =>
  (await app.call({ path: `/deployment/${poolId}/api/v2/jobs/${jobId}`, headers: bearer(key) })).json();

async function bring(worker: HttpWorker, lease: LeasedTestJob, bytes: Buffer, more: Record<string, string> = {}) {
  const query = new URLSearchParams({ node_id: "2", index: "0", name: "a.bin", hash: await hashOf(bytes), ...more });
  const headers = { "content-type": "application/octet-stream" };
  return worker.call("PUT", `${lease.path}/outputs?${query}`, { headers, body: bytes });
}

const beat = async (worker: HttpWorker, ...leases: LeasedTestJob[]) => {
  const body = { leases: leases.map(({ jobId, attempt }) => ({ job_id: jobId, attempt })) };
  return listOf((await worker.call("POST", "/heartbeats", { body })).json(), "states");
};

describe("a worker without the job", () => {
  // Each writes or reads something of the job; all must answer as if the job did not exist.
  const operations: Readonly<Record<string, (worker: HttpWorker, lease: LeasedTestJob) => Promise<AppAnswer>>> = {
    finish: (worker, { path }) => worker.call("POST", `${path}/finish`, { body: { kind: "failed" } }),
    output: (worker, lease) => bring(worker, lease, Buffer.from("x")),
    "known output": (worker, { path }) =>
      worker.call("POST", `${path}/outputs`, {
        body: { node_id: "2", index: 0, name: "a", content_type: "text/plain", hash: "0".repeat(64) },
      }),
    preview: (worker, { path }) =>
      worker.call("PUT", `${path}/preview?node_id=2`, {
        headers: { "content-type": "image/png" },
        body: Buffer.from("x"),
      }),
    input: (worker, { path }) => worker.call("GET", `${path}/inputs/${randomUUID()}`),
  };

  async function changesNothing(worker: HttpWorker, lease: LeasedTestJob, owner: HttpWorker): Promise<void> {
    const before = JSON.stringify(await jobOf(owner.poolId, lease.jobId));
    for (const [name, send] of Object.entries(operations)) {
      assert.equal((await send(worker, lease)).status, 404, name);
    }
    await worker.call("POST", `${lease.path}/give-back`);
    assert.deepEqual(await beat(worker, lease), ["lost"]);
    const progress = { value: 0.99, nodes_done: 1, nodes_total: 2 };
    const entries = [{ job_id: lease.jobId, attempt: lease.attempt, progress }];
    assert.equal((await worker.call("POST", "/progress", { body: { entries } })).status, 204);
    const leases = [{ job_id: lease.jobId, attempt: lease.attempt }];
    const canceled = await worker.call("POST", "/cancels", { body: { leases, wait_ms: 0 } });
    assert.deepEqual(listOf(canceled.json(), "job_ids"), []);
    assert.deepEqual(listOf((await worker.call("GET", "/jobs")).json(), "jobs"), []);
    assert.equal(JSON.stringify(await jobOf(owner.poolId, lease.jobId)), before);
  }

  test("of the same token and pool changes nothing", async () => {
    const owner = await anHttpWorker(app);
    const lease = await aLeasedJob(app, owner);
    const other = httpWorker(app, owner.token, owner.poolId);
    assert.equal((await introduce(other)).status, 200);
    await changesNothing(other, lease, owner);
    assert.deepEqual(await beat(owner, lease), ["running"]);
  });

  test("of another pool changes nothing and never gets the job", async () => {
    const [owner, other] = [await anHttpWorker(app), await anHttpWorker(app)];
    await submitTo(app, owner.poolId);
    assert.equal(await claimOne(other, 0), null);
    const lease = await claimOne(owner);
    assert.ok(lease);
    await changesNothing(other, lease, owner);
  });

  test("whose attempt is over changes nothing, even if it had the job", async () => {
    const worker = await anHttpWorker(app);
    const lease = await aLeasedJob(app, worker);
    assert.equal((await worker.call("POST", `${lease.path}/give-back`)).status, 204);
    const next = httpWorker(app, worker.token, worker.poolId);
    await introduce(next);
    const again = await claimOne(next);
    assert.equal(again?.attempt, lease.attempt + 1);
    await changesNothing(worker, lease, worker);
    await changesNothing(worker, again, worker);
    assert.deepEqual(await beat(next, again), ["running"]);
  });

  test("cannot be impersonated with a token of another pool", async () => {
    const owner = await anHttpWorker(app);
    const lease = await aLeasedJob(app, owner);
    for (const pools of [[owner.poolId], [sharedPool]]) {
      const thief = httpWorker(app, await addWorkerToken(app.database, pools), owner.poolId, owner.workerId);
      for (const [name, send] of Object.entries(operations)) {
        assert.equal((await send(thief, lease)).status, 403, name);
      }
      const claims = { body: { slots: 1, wait_ms: 0, models_loaded: [] } };
      for (const [method, end, more] of [
        ["POST", "/claims", claims],
        ["GET", "/jobs", {}],
        ["POST", "/heartbeats", { body: { leases: [] } }],
        ["POST", `${lease.path}/give-back`, {}],
        ["DELETE", "", {}],
      ] as const) {
        assert.equal((await thief.call(method, end, more)).status, 403, `${method} ${end}`);
      }
      assert.equal((await introduce(thief)).status, pools[0] === owner.poolId ? 409 : 403);
    }
    assert.deepEqual(await beat(owner, lease), ["running"]);
  });
});

describe("tokens", () => {
  const admin = () => bearer(app.adminToken);

  async function aToken(body: object = {}): Promise<{ id: string; secret: string }> {
    const made = await app.call({
      method: "POST",
      path: "/admin/worker-tokens",
      headers: admin(),
      body: { name: randomUUID(), ...body },
    });
    assert.equal(made.status, 201, made.text);
    return { id: textOf(made.json(), "id"), secret: textOf(made.json(), "secret") };
  }

  test("a revoked token is dead at once, even in the middle of a job, and the audit says who did it", async () => {
    const { id, secret } = await aToken();
    const worker = httpWorker(app, secret, sharedPool);
    assert.equal((await introduce(worker)).status, 200);
    assert.equal((await worker.call("GET", "/jobs")).status, 200);
    const revoked = await app.call({ method: "DELETE", path: `/admin/worker-tokens/${id}`, headers: admin() });
    assert.equal(revoked.status, 204);
    for (const [method, end] of [
      ["GET", "/jobs"],
      ["PUT", ""],
      ["POST", "/claims"],
    ] as const) {
      assert.equal((await worker.call(method, end)).status, 401, `${method} ${end}`);
    }
    const audit = await app.call({ path: `/admin/audit?subject_id=${id}`, headers: admin() });
    const actions = listOf(audit.json(), "data").map((entry) => textOf(entry, "action"));
    assert.deepEqual(actions, ["worker_token.revoke", "worker_token.create"]);
  });

  test("a token for an unknown pool is refused, and the refusal lists the known ones", async () => {
    const poolId = await makeDeployment(app);
    const nobodys = randomUUID();
    const create = (pool_ids: string[]) =>
      app.call({
        method: "POST",
        path: "/admin/worker-tokens",
        headers: admin(),
        body: { name: `for ${randomUUID()}`, pool_ids },
      });
    const refused = await create([poolId, nobodys]);
    assert.equal(refused.status, 400, refused.text);
    assert.equal(textOf(refused.json(), "details", 0, "path"), "/pool_ids");
    for (const named of [nobodys, sharedPool, "shared", poolId]) assert.ok(refused.text.includes(named), refused.text);
    assert.equal((await create([poolId])).status, 201);
    const env = { ATELIER_HOME: app.home, DATABASE_URL: app.database.url };
    const { code, err } = await collectOutput(runAtelier(["worker-tokens", "create", "cli", "--pools", nobodys], env));
    assert.notEqual(code, 0);
    assert.ok(err.includes(poolId), err);
  });

  test("the secret is shown once and stored nowhere", async () => {
    const { secret } = await aToken();
    const listed = await app.call({ path: "/admin/worker-tokens", headers: admin() });
    assert.ok(!listed.text.includes(secret.slice("worker-".length)));
    assert.ok(app.logged.every((line) => !line.includes(secret.slice("worker-".length))));
  });

  test("a worker whose token was revoked continues under a new token, and only then", async () => {
    const [first, second] = [await aToken(), await aToken()];
    const worker = httpWorker(app, first.secret, sharedPool);
    await introduce(worker);
    const renewed = httpWorker(app, second.secret, sharedPool, worker.workerId);
    assert.equal((await introduce(renewed)).status, 409);
    await app.call({ method: "DELETE", path: `/admin/worker-tokens/${first.id}`, headers: admin() });
    assert.equal((await introduce(renewed)).status, 200);
  });

  test("keys, operators' tokens and random words open nothing here", async () => {
    for (const token of [app.key, app.adminToken, "letmein", "worker-"]) {
      const answer = await app.call({ path: `/api/workers/${randomUUID()}/jobs`, headers: bearer(token) });
      assert.equal(answer.status, 401);
    }
  });
});
