// A lock pinned for a deployment and for the shared pool: workers beside an application whose folder differs get no job and are
// shown with what differs, and a job names the lock that it ran under. Two real workers beside two applications.
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type RunningSandboxApplication, startSandboxApplication } from "@atelier/sandbox";
import { blake3Stream } from "../src/capabilities/blobs/index.ts";
import { lockId, makeLock } from "../src/capabilities/environments/index.ts";
import { sql } from "../src/foundation/database/index.ts";
import { bearer, listOf, memberOf, textOf } from "./support/app-client.ts";
import { makeDeployment } from "./support/deployment-example-calls.ts";
import { aLock, keepEnvironment } from "./support/environment-example-calls.ts";
import { anHttpWorker, claimOne, environmentOf, httpWorker, idOfEnvironment, submitTo } from "./support/http-worker.ts";
import { runAtelier, until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { addWorkerToken } from "./support/worker-token-store.ts";

let app: TestApp;
let root: string;
const applications: RunningSandboxApplication[] = [];
const workers: ChildProcess[] = [];
before(async () => {
  root = await mkdtemp(join(tmpdir(), "atelier-pinned-"));
  app = await testApp({ env: { ATELIER_ENGINE_SLOTS: "0" } });
});
after(async () => {
  for (const worker of workers) {
    const ended = once(worker, "exit");
    worker.kill("SIGTERM");
    await ended;
  }
  await app.close();
  for (const application of applications) await application.close();
  await rm(root, { recursive: true, force: true });
});

const headers = () => bearer(app.adminToken);
const pack = (name: string) => join(root, name, "custom_nodes", "studio", "__init__.py");
const code = "NODE_CLASS_MAPPINGS = {}\n";

async function anApplication(name: string): Promise<RunningSandboxApplication> {
  await mkdir(join(root, name, "custom_nodes", "studio"), { recursive: true });
  await writeFile(join(root, name, "comfyui_version.py"), '__version__ = "0.30.0"\n');
  await writeFile(pack(name), code);
  const application = await startSandboxApplication({ home: join(root, name) });
  applications.push(application);
  return application;
}

async function startWorker(name: string, poolId: string, application: RunningSandboxApplication): Promise<void> {
  workers.push(
    runAtelier(["worker", "--server", app.baseUrl, "--application", application.url, "--name", name, "--slots", "1"], {
      ATELIER_HOME: join(root, `${name}-home`),
      ATELIER_WORKER_TOKEN: await addWorkerToken(app.database, [poolId]),
      ATELIER_APPLICATION_FOLDER: join(root, name),
    }),
  );
}

const workersOf = async (poolId: string) =>
  listOf((await app.call({ path: `/admin/pools/${poolId}/workers`, headers: headers() })).json(), "data");
const named = async (poolId: string, name: string) =>
  (await workersOf(poolId)).find((worker) => textOf(worker, "name") === name);
const problemsOf = (worker: unknown) => listOf(worker, "problems").map(String);

const runs = async (application: RunningSandboxApplication) => {
  const history: unknown = await (await fetch(`${application.url}/history`)).json();
  return Object.keys(history ?? {}).length;
};

async function jobEnds(poolId: string): Promise<unknown> {
  const path = `/deployment/${poolId}/api/v2/jobs/${await submitTo(app, poolId)}`;
  const read = async () => (await app.call({ path, headers: bearer(app.key) })).json();
  await until("the job has ended", async () => !["queued", "running"].includes(textOf(await read(), "status")), 180);
  const job = await read();
  assert.equal(textOf(job, "status"), "succeeded", JSON.stringify(job));
  return job;
}

describe("a deployment that pins a lock", { timeout: 900_000 }, () => {
  let poolId: string;
  let pinned: string;
  let one: RunningSandboxApplication;
  let two: RunningSandboxApplication;

  test("takes workers whose folder equals it; they describe themselves in the same bytes, and jobs name the lock", async () => {
    [one, two] = [await anApplication("one"), await anApplication("two")];
    const made = { folder: join(root, "one"), weightFolders: [], python: null, running: null, memory: null };
    const lock = await makeLock({ ...made, blake3: blake3Stream() });
    pinned = lockId(lock);
    await keepEnvironment(app, "studio", lock);
    const environment = {
      engine: "application",
      engine_version: null,
      node_classes: null,
      lock_id: pinned,
      settings: {},
    } as const;
    poolId = await makeDeployment(app, { environment });
    await startWorker("one", poolId, one);
    await startWorker("two", poolId, two);
    await until(
      "both match",
      async () => (await workersOf(poolId)).filter((worker) => problemsOf(worker).length === 0).length === 2,
      180,
    );
    const [first, second] = await workersOf(poolId);
    assert.equal(textOf(first, "lock_id"), textOf(second, "lock_id"));
    const described = await app.database.query(sql`
      select distinct environment_id from pool_workers where pool_id = ${poolId}::uuid`);
    assert.equal(described.length, 1, "one set of bytes for both");
    const job = await jobEnds(poolId);
    assert.equal(textOf(job, "lock_id"), pinned);
    const executed = await app.call({ path: `/deployment/${poolId}/workflow`, headers: bearer(app.key) });
    assert.equal(textOf(executed.json(), "lock_id"), pinned);
  });

  test("gives nothing to one in whose pack a byte changed, names the file, and takes it again once it is mended", async () => {
    await appendFile(pack("two"), "#");
    await until("it is named", async () => problemsOf(await named(poolId, "two")).length > 0, 180);
    const words = `It differs from the pinned lock ${pinned.slice(0, 12)}: pack studio: __init__.py changed.`;
    assert.deepEqual(problemsOf(await named(poolId, "two")), [words]);
    const shown = (await app.call({ path: `/admin/deployments/${poolId}`, headers: headers() })).json();
    assert.equal(textOf(shown, "state"), "ready", "the other one matches");
    const drifted = listOf(shown, "workers").find((worker) => textOf(worker, "name") === "two");
    assert.deepEqual([memberOf(drifted, "matches"), problemsOf(drifted)], [false, [words]]);
    const before = await runs(two);
    for (let job = 0; job < 4; job++) await jobEnds(poolId);
    assert.equal(await runs(two), before, "it ran nothing");

    await writeFile(pack("two"), code);
    await until("it matches again", async () => problemsOf(await named(poolId, "two")).length === 0, 180);
    const other = textOf(await named(poolId, "one"), "id");
    const path = `/admin/pools/${poolId}/workers/${other}`;
    await app.call({ method: "PATCH", path, headers: headers(), body: { draining: true } });
    await until("it has the next job", async () => {
      await jobEnds(poolId);
      return (await runs(two)) > before;
    });
  });

  test("keeps its lock from being removed, and accepts only one that is kept here", async () => {
    const environments = (await app.call({ path: "/admin/environments", headers: headers() })).json();
    const kept = listOf(environments, "data").find((each) => textOf(each, "lock_id") === pinned);
    const path = `/admin/environments/${textOf(kept, "id")}`;
    const refused = await app.call({ method: "DELETE", path, headers: headers() });
    assert.deepEqual([refused.status, textOf(refused.json(), "error")], [409, "conflict"]);
    const pool = `/admin/pools/${poolId}`;
    const unknown = { lock_id: "0".repeat(64) };
    const unkept = await app.call({ method: "PATCH", path: pool, headers: headers(), body: unknown });
    assert.deepEqual([unkept.status, textOf(unkept.json(), "error")], [404, "not_found"]);
    assert.equal((await app.call({ path: pool, headers: headers() })).json() !== null, true);
    const embedded = { engine: "embedded", lock_id: pinned };
    const body = { name: "no folder", environment: embedded };
    assert.equal(
      (await app.call({ method: "POST", path: "/admin/deployments", headers: headers(), body })).status,
      400,
    );
    await app.call({ method: "PATCH", path: pool, headers: headers(), body: { lock_id: null } });
    assert.equal((await app.call({ method: "DELETE", path, headers: headers() })).status, 204);
  });
});

test("a worker that reports drift while its claim waits gets no job from that claim", async () => {
  const worker = await anHttpWorker(app);
  const id = await keepEnvironment(app);
  const kept = (await app.call({ path: `/admin/environments/${id}`, headers: headers() })).json();
  const pinned = textOf(kept, "lock_id");
  const pin = (lock_id: string | null, pool = worker.poolId) =>
    app.call({ method: "PATCH", path: `/admin/pools/${pool}`, headers: headers(), body: { lock_id } });
  assert.equal((await pin(pinned)).status, 200);
  const report = (drift: readonly string[], by = worker) =>
    by.call("PUT", "", {
      body: {
        pool_id: worker.poolId,
        name: "by hand",
        slots: 1,
        environment_id: idOfEnvironment(environmentOf()),
        models_loaded: [],
        lock: { lock_id: "a".repeat(64), against: pinned, drift },
      },
    });
  assert.equal(textOf((await report([])).json(), "lock_id"), pinned);
  assert.deepEqual((await worker.call("GET", "/lock")).json(), aLock());
  // Another one matches, so that jobs are accepted; it asks for none.
  await report([], httpWorker(app, worker.token, worker.poolId));
  const waiting = claimOne(worker);
  await report(["weight checkpoints/base.safetensors: removed (4.0 KiB)"]);
  const jobId = await submitTo(app, worker.poolId);
  assert.equal(await waiting, null);
  await report([]);
  assert.equal((await claimOne(worker))?.jobId, jobId, "the attempt did not count");
  assert.equal((await pin(pinned, "shared")).status, 200);
  const shared = (await app.call({ path: "/admin/pools/shared", headers: headers() })).json();
  assert.equal(textOf(shared, "lock_id"), pinned);
  assert.equal((await pin(null, "shared")).status, 200);
});
