// The API for outside workers, over HTTP: what each operation does, that a stale, foreign or revoked worker changes
// nothing and learns nothing, and that a worker sees its leased job and nothing else of the workspace.
import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { blake3Stream } from "../src/capabilities/blobs/index.ts";
import { lookAtWaiting } from "../src/capabilities/pools/look-at-waiting.ts";
import { sharedPool } from "../src/capabilities/pools/shared-pool.ts";
import { createRemotePort } from "../src/capabilities/remote-work/remote-port.ts";
import { openServerClient } from "../src/capabilities/remote-work/server-client.ts";
import { systemClock } from "../src/foundation/clock.ts";
import { sql } from "../src/foundation/database/index.ts";
import { Fault } from "../src/foundation/fault.ts";
import { trustedId } from "../src/foundation/ids.ts";
import { silentLog } from "../src/foundation/log.ts";
import { type AppAnswer, bearer, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant } from "./support/app-people.ts";
import {
  aLeasedJob,
  anHttpWorker,
  claimOne,
  environmentOf,
  type HttpWorker,
  httpWorker,
  introduce,
  type LeasedTestJob,
  submitTo,
} from "./support/http-worker.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { notInFleet } from "./support/test-fleet.ts";
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

function upload(bytes: Buffer, key = app.key): Promise<AppAnswer> {
  const part = (head: string) => Buffer.from(`--x\r\ncontent-disposition: form-data; ${head}\r\n\r\n`);
  const kind = Buffer.concat([
    part('name="content_type"'),
    Buffer.from("application/octet-stream\r\n"),
    part('name="file_path"'),
    Buffer.from(`${randomUUID()}.png\r\n`),
  ]);
  const body = Buffer.concat([kind, part('name="file"; filename="a.png"'), bytes, Buffer.from("\r\n--x--\r\n")]);
  const headers = { ...bearer(key), "content-type": "multipart/form-data; boundary=x" };
  return app.call({ method: "POST", path: "/api/v2/assets", headers, body });
}

const jobOf = async (poolId: string, jobId: string, key = app.key) =>
  (await app.call({ path: `/deployment/${poolId}/api/v2/jobs/${jobId}`, headers: bearer(key) })).json();
const stateOf = async (worker: HttpWorker, jobId: string) => textOf(await jobOf(worker.poolId, jobId), "status");

async function bring(worker: HttpWorker, lease: LeasedTestJob, bytes: Buffer, more: Record<string, string> = {}) {
  const query = new URLSearchParams({ node_id: "2", index: "0", name: "a.bin", hash: await hashOf(bytes), ...more });
  const headers = { "content-type": "application/octet-stream" };
  return worker.call("PUT", `${lease.path}/outputs?${query}`, { headers, body: bytes });
}

const beat = async (worker: HttpWorker, ...leases: LeasedTestJob[]) => {
  const body = { leases: leases.map(({ jobId, attempt }) => ({ job_id: jobId, attempt })) };
  return listOf((await worker.call("POST", "/heartbeats", { body })).json(), "states");
};

test(
  "a worker reports its nodes; nonsense is ignored, and an older worker reports none",
  notInFleet("metrics are those of one process"),
  async () => {
    const worker = await anHttpWorker(app);
    const lease = await aLeasedJob(app, worker);
    const statesNow = async () => {
      const progress = memberOf(await jobOf(worker.poolId, lease.jobId), "progress");
      const nodes = progress === null ? null : memberOf(progress, "nodes");
      return Array.isArray(nodes) ? nodes.map((node) => memberOf(node, "state")) : null;
    };
    const picture = (attempt: number, state: number) =>
      `[1,${attempt},${state},[0,0,0,1,0],[["EmptyImage",1,5,0]],[["1",0,0,${state}]]]`;
    const report = async (value: number, node_states?: unknown) => {
      const progress = { value, nodes_done: 1, nodes_total: 2 };
      const entries = [{ job_id: lease.jobId, attempt: lease.attempt, progress, node_states }];
      const answer = await worker.call("POST", "/progress", { body: { entries } });
      if (answer.status !== 204) return answer.status;
      await until("it shows", async () => {
        const shown = memberOf(await jobOf(worker.poolId, lease.jobId), "progress");
        return shown !== null && memberOf(shown, "value") === value;
      });
      return answer.status;
    };
    assert.equal(await report(0.1), 204);
    assert.equal(await statesNow(), null);
    for (const broken of ["", "[]", "{}", '[1,1,1,[0],[],[["__proto__",0]]]', picture(lease.attempt + 1, 1)])
      assert.equal(await report(0.2, broken), 204, broken);
    for (const refused of [7, {}, "x".repeat(70_000)]) assert.equal(await report(0.2, refused), 400);
    assert.equal(await statesNow(), null);
    assert.equal(await report(0.3, picture(lease.attempt, 1)), 204);
    assert.deepEqual(await statesNow(), ["running"]);
    const body = { kind: "succeeded", node_states: picture(lease.attempt, 3) };
    assert.equal((await worker.call("POST", `${lease.path}/finish`, { body })).status, 204);
    assert.deepEqual(await statesNow(), ["done"]);
    const headers = { authorization: `Bearer ${app.adminToken}` };
    const page = await (await fetch(`${app.baseUrl}/metrics`, { headers })).text();
    assert.match(page, /^atelier_node_seconds_sum\{class="EmptyImage"\} 0\.005$/m);
  },
);

test("a job without a worker says what it waits for and when such a worker was last here, and operators are warned", async () => {
  const worker = await anHttpWorker(app);
  const path = `/deployment/${worker.poolId}/api/v2/jobs`;
  const jobId = await submitTo(app, worker.poolId);
  const awaited = async () => memberOf(await jobOf(worker.poolId, jobId), "waiting_for");
  assert.equal(await awaited(), undefined, "its worker is here");
  await app.database.execute(sql`
    update pool_workers set seen_at = '2026-01-02T03:04:05Z' where worker_id = ${worker.workerId}::uuid`);
  const classes = ["EmptyImage", "SaveImage"];
  const expected = { reason: "worker", node_classes: classes, models: [], last_seen_at: "2026-01-02T03:04:05.000Z" };
  await until("its worker is gone for this process", async () => (await awaited()) !== undefined);
  assert.deepEqual(await awaited(), expected);
  const page = (await app.call({ path, headers: bearer(app.key) })).json();
  assert.deepEqual(memberOf(listOf(page, "data")[0], "waiting_for"), expected);
  const findings = async () => (await lookAtWaiting(app.database, systemClock)).map(({ message }) => message);
  const isAbout = (message: string) => message.includes(worker.poolId);
  assert.deepEqual((await findings()).filter(isAbout), [], "it waits for less than a minute");
  await app.database.execute(
    sql`update job_ready set run_at = now() - interval '2 minutes' where job_id = ${jobId}::uuid`,
  );
  const [warning] = (await findings()).filter(isAbout);
  assert.match(
    warning ?? "",
    /^1 job waits for a worker of deployment \S+ that has EmptyImage, SaveImage; one was last seen/,
  );
  await introduce(worker);
  await until("its worker is back", async () => (await awaited()) === undefined);
  const cancel = await app.call({ method: "POST", path: `${path}/${jobId}/cancel`, headers: bearer(app.key) });
  assert.equal(memberOf(cancel.json(), "waiting_for"), undefined);
});

test("a job goes out, comes back with its outputs, and ends once", async () => {
  const worker = await anHttpWorker(app);
  const lease = await aLeasedJob(app, worker);
  assert.deepEqual(await beat(worker, lease), ["running"]);
  const progress = { value: 0.5, nodes_done: 1, nodes_total: 2, message: "half" };
  const entries = [{ job_id: lease.jobId, attempt: lease.attempt, progress }];
  assert.equal((await worker.call("POST", "/progress", { body: { entries } })).status, 204);
  await until("progress shows", async () => {
    const shown = memberOf(await jobOf(worker.poolId, lease.jobId), "progress");
    return shown !== null && memberOf(shown, "value") === 0.5;
  });
  const bytes = randomBytes(50_000);
  const kept = await bring(worker, lease, bytes);
  assert.equal(kept.status, 200, kept.text);
  assert.equal((await bring(worker, lease, bytes)).text, kept.text, "brought twice is brought once");
  const finish = () => worker.call("POST", `${lease.path}/finish`, { body: { kind: "succeeded" } });
  assert.equal((await finish()).status, 204);
  assert.equal((await finish()).status, 404, "it ended once");
  const job = await jobOf(worker.poolId, lease.jobId);
  assert.equal(textOf(job, "status"), "succeeded");
  const outputs = listOf(job, "outputs");
  assert.equal(outputs.length, 1);
  const content = await app.call({
    path: `/deployment/${worker.poolId}/api/v2/assets/${textOf(kept.json(), "asset_id")}/content`,
    headers: bearer(app.key),
  });
  assert.equal(content.status, 302);
});

test("a claim waits for a job, and returns at once when there is one", async () => {
  const worker = await anHttpWorker(app);
  assert.equal(await claimOne(worker, 0), null);
  const waiting = claimOne(worker, 20_000);
  const jobId = await submitTo(app, worker.poolId);
  assert.equal((await waiting)?.jobId, jobId);
});

test("a restarted worker gets the job it has, under the same attempt, with everything it needs", async () => {
  const worker = await anHttpWorker(app);
  const workflow = {
    1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
    2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "again" } },
  };
  const lease = await aLeasedJob(app, worker, workflow);
  const [job, ...more] = listOf((await worker.call("GET", "/jobs")).json(), "jobs");
  assert.deepEqual(more, []);
  assert.equal(textOf(job, "job_id"), lease.jobId);
  assert.equal(memberOf(job, "attempt"), lease.attempt);
  assert.deepEqual(JSON.parse(textOf(job, "workflow")), workflow);
});

test("a deployment's settings come with each job as of when it is handed out", async () => {
  const worker = await anHttpWorker(app);
  const settingsOf = async () => {
    await submitTo(app, worker.poolId);
    const body = { slots: 1, wait_ms: 20_000, models_loaded: [] };
    return memberOf((await worker.call("POST", "/claims", { body })).json(), "jobs", 0, "settings");
  };
  assert.deepEqual(await settingsOf(), {});
  const settings = { job_seconds_max: 7, job_memory_megabytes_max: 512 };
  const path = `/admin/deployments/${worker.poolId}`;
  const environment = { engine: "application", settings };
  const changed = await app.call({ method: "PATCH", path, headers: bearer(app.adminToken), body: { environment } });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(await settingsOf(), settings);
  const resumed = listOf((await worker.call("GET", "/jobs")).json(), "jobs");
  assert.deepEqual(
    resumed.map((job) => memberOf(job, "settings")),
    [settings, settings],
    "also for what it goes on with",
  );
});

test("an output of known bytes is stored by its hash; bytes of another workspace are not known", async () => {
  const worker = await anHttpWorker(app);
  const bytes = randomBytes(30_000);
  const hash = await hashOf(bytes);
  const eve = await addTenant(app, "Eve");
  assert.equal((await upload(bytes, eve.key)).status, 201);
  const lease = await aLeasedJob(app, worker);
  const body = { node_id: "2", index: 0, name: "a.bin", content_type: "application/octet-stream", hash };
  const ask = () => worker.call("POST", `${lease.path}/outputs`, { body });
  const unknown = await ask();
  assert.equal(unknown.status, 404);
  assert.equal(textOf(unknown.json(), "error"), "blob_not_found");
  assert.equal((await upload(bytes)).status, 201);
  const known = await ask();
  assert.equal(known.status, 200, known.text);
  assert.equal(textOf(known.json(), "hash"), hash);
  assert.equal((await worker.call("POST", `${lease.path}/finish`, { body: { kind: "succeeded" } })).status, 204);
  assert.equal(listOf(await jobOf(worker.poolId, lease.jobId), "outputs").length, 1);
});

test("an output that does not fit its workspace is refused for good, and the worker says so at once", async () => {
  const worker = await anHttpWorker(app);
  const { jobId, attempt } = await aLeasedJob(app, worker);
  const limit = { path: `/admin/workspaces/${app.workspaceId}/limits/assets`, headers: bearer(app.adminToken) };
  const server = openServerClient({ serverUrl: app.baseUrl, token: worker.token });
  const workerId = trustedId<"worker">(worker.workerId);
  const port = createRemotePort({
    server,
    workerId,
    spoolDirectory: app.home,
    // A retry sleeps first.
    clock: { ...systemClock, sleep: () => assert.fail("it was tried again") },
    log: silentLog,
    ready: async () => true,
    onForgotten: () => undefined,
  });
  assert.equal((await app.call({ ...limit, method: "PUT", body: { value: 0 } })).status, 200);
  try {
    const source = (async function* () {
      yield randomBytes(100);
    })();
    const request = { nodeId: "2", index: 0, name: "a.bin", contentType: "application/octet-stream", source };
    await assert.rejects(
      port.output({ jobId: trustedId<"job">(jobId), attempt, workerId }, request),
      (error) => error instanceof Fault && error.code === "quota_exceeded",
    );
  } finally {
    await app.call({ ...limit, method: "DELETE" });
    port.close();
    await server.close();
  }
});

test("bytes that do not match their description are refused, and nothing is kept", async () => {
  const worker = await anHttpWorker(app);
  const lease = await aLeasedJob(app, worker);
  const answer = await bring(worker, lease, Buffer.from("a"), { hash: await hashOf(Buffer.from("b")) });
  assert.equal(answer.status, 409);
  assert.equal(textOf(answer.json(), "error"), "hash_mismatch");
  assert.deepEqual(listOf(await jobOf(worker.poolId, lease.jobId), "outputs"), []);
});

test("a job's own files are readable, and no other file of its workspace", async () => {
  const worker = await anHttpWorker(app);
  const file = async (text: string) => textOf((await upload(Buffer.from(text))).json(), "id");
  const [given, other] = [await file(`given ${randomUUID()}`), await file(`other ${randomUUID()}`)];
  const workflow = {
    1: { class_type: "LoadImage", inputs: { image: { __type: "core/ASSET", info: { id: given } } } },
    2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
  };
  const submission = { workflow };
  const path = `/deployment/${worker.poolId}/api/v2/jobs`;
  const answer = await app.call({ method: "POST", path, headers: bearer(app.key), body: submission });
  assert.equal(answer.status, 201, answer.text);
  const lease = await claimOne(worker);
  assert.ok(lease);
  const read = await worker.call("GET", `${lease.path}/inputs/${given}`);
  assert.equal(read.status, 200);
  assert.match(read.text, /^given /);
  assert.equal((await worker.call("GET", `${lease.path}/inputs/${other}`)).status, 404);
  await worker.call("POST", `${lease.path}/give-back`);
  assert.equal((await worker.call("GET", `${lease.path}/inputs/${given}`)).status, 404, "it is not its job any more");
});

test("the environment of an application with 5,000 classes is accepted, though it has more members than other bodies may have", async () => {
  const worker = httpWorker(app, await addWorkerToken(app.database, [sharedPool]), sharedPool);
  const input = { required: { image: ["IMAGE"], mode: [["a", "b"], { default: "a", tooltip: "how" }] } };
  const names = Array.from({ length: 5_000 }, (_, at) => `Class${at}`);
  const descriptions = Object.fromEntries(names.map((name) => [name, { input, output: ["IMAGE"], name }]));
  const environment = { engine: "application", version: "1", classes: { Class0: "1" }, descriptions };
  const described = await worker.call("PUT", "/environment", { body: environment });
  assert.equal(described.status, 204, described.text.slice(0, 300));
});

test("a waiting worker learns of a canceled job at once, and the job ends canceled", async () => {
  const worker = await anHttpWorker(app);
  const lease = await aLeasedJob(app, worker);
  const leases = [{ job_id: lease.jobId, attempt: lease.attempt }];
  const waiting = worker.call("POST", "/cancels", { body: { leases, wait_ms: 20_000 } });
  await app.call({
    method: "POST",
    path: `/deployment/${worker.poolId}/api/v2/jobs/${lease.jobId}/cancel`,
    headers: bearer(app.key),
  });
  assert.deepEqual(listOf((await waiting).json(), "job_ids"), [lease.jobId]);
  assert.deepEqual(await beat(worker, lease), ["canceling"]);
  assert.equal((await worker.call("POST", `${lease.path}/finish`, { body: { kind: "succeeded" } })).status, 204);
  assert.equal(await stateOf(worker, lease.jobId), "canceled");
});

test("a graph that the pool's workers do not know is refused at submission, and accepted once a worker knows it", async () => {
  const worker = await anHttpWorker(app);
  const environment = environmentOf();
  const rare = { ...environment.descriptions["EmptyImage"], name: "RareImage", display_name: "Rare" };
  const workflow = {
    1: { class_type: "RareImage", inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
    2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
  };
  const path = `/deployment/${worker.poolId}/api/v2/jobs`;
  const submit = () => app.call({ method: "POST", path, headers: bearer(app.key), body: { workflow } });
  const refused = await submit();
  assert.equal(refused.status, 422, refused.text);
  const other = httpWorker(app, worker.token, worker.poolId);
  const known = await introduce(other, {
    ...environment,
    classes: { ...environment.classes, RareImage: "1" },
    descriptions: { ...environment.descriptions, RareImage: rare },
  });
  assert.equal(known.status, 200, known.text);
  const taken = await until("the classes are known", async () => {
    const answer = await submit();
    return answer.status === 201 ? answer : null;
  });
  assert.equal(await claimOne(worker, 500), null, "it does not know the class");
  assert.equal((await claimOne(other))?.jobId, textOf(taken.json(), "id"));
});

test("on the shared pool, graphs of built-in classes and of an application's classes both run where they can", async () => {
  const worker = httpWorker(app, app.workerToken, sharedPool);
  const environment = environmentOf();
  const foreign = { ...environment.descriptions["EmptyImage"], name: "ForeignImage" };
  const graph = (classType: string) => ({
    1: { class_type: classType, inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
    2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
  });
  const submit = (classType: string) =>
    app.call({
      method: "POST",
      path: "/api/v2/jobs",
      headers: bearer(app.key),
      body: { workflow: graph(classType) },
    });
  assert.equal((await submit("ForeignImage")).status, 422);
  await introduce(worker, {
    ...environment,
    classes: { SaveImage: "1", ForeignImage: "1" },
    descriptions: { SaveImage: environment.descriptions["SaveImage"], ForeignImage: foreign },
  });
  const own = await submit("EmptyImage");
  assert.equal(own.status, 201);
  const taken = await until("the classes are known", async () => {
    const answer = await submit("ForeignImage");
    return answer.status === 201 ? answer : null;
  });
  assert.equal((await claimOne(worker))?.jobId, textOf(taken.json(), "id"), "not the one whose class it does not know");
  assert.equal(await claimOne(worker, 0), null);
});

test("presence: a worker that reported is listed, one that left is not", async () => {
  const worker = await anHttpWorker(app);
  const list = async () => {
    const path = `/admin/pools/${worker.poolId}/workers`;
    return listOf((await app.call({ path, headers: bearer(app.adminToken) })).json(), "data").map((one) =>
      textOf(one, "id"),
    );
  };
  assert.deepEqual(await list(), [worker.workerId]);
  assert.equal((await worker.call("DELETE", "")).status, 204);
  assert.deepEqual(await list(), []);
});
