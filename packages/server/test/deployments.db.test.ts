// A deployment over real HTTP, from the operator's request to its end: provisioning, ready when a matching worker
// reports, a graph run and shown as it was executed, stopped, started again, gone. The worker is another app beside the
// gateway, as `atelier deployment` runs it.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Comfy } from "@comfyorg/sdk";
import { Webhook } from "standardwebhooks";
import { sharedPool } from "../src/capabilities/pools/shared-pool.ts";
import { type AppAnswer, bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, owner } from "./support/app-people.ts";
import { aDeployment, makeDeployment } from "./support/deployment-example-calls.ts";
import { httpWorker } from "./support/http-worker.ts";
import { type HookReceiver, hookReceiver } from "./support/partner-app.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { deploymentOrigin } from "./support/test-fleet.ts";
import { addWorkerToken } from "./support/worker-token-store.ts";

let app: TestApp;
// The autoscaler.
let scaler: HookReceiver;
// Running costs something, so that a job's cost is more than zero.
const priced = { ATELIER_JOB_SECOND_CREDITS: "1" };
before(async () => {
  scaler = await hookReceiver();
  app = await testApp({ env: { ...priced, ATELIER_WEBHOOK_TARGETS: scaler.target } });
  await owner(app);
});
after(async () => {
  await app.close();
  await scaler.close();
});

const graph = (color = 255) => ({
  1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "dedicated" } },
});

const admin = (path: string, method = "GET", body?: object) =>
  app.call({ method, path: `/admin/deployments${path}`, headers: bearer(app.adminToken), ...(body ? { body } : {}) });
const submit = (on: string, more: Record<string, string> = {}, of: Pick<TestApp, "call"> = app, key = app.key) =>
  of.call({
    method: "POST",
    path: `${on}/api/v2/jobs`,
    headers: { ...bearer(key), ...more },
    body: { workflow: graph() },
  });
const codeOf = (answer: AppAnswer) => textOf(answer.json(), "error", "code");
const read = (path: string, of: Pick<TestApp, "call"> = app, key = app.key) => of.call({ path, headers: bearer(key) });
const stateOf = async (id: string) => textOf((await admin(`/${id}`)).json(), "state");

async function ended(link: string, of: Pick<TestApp, "call"> = app): Promise<unknown> {
  let job: unknown;
  await until("the job has ended", async () => {
    job = (await read(link, of)).json();
    return !["queued", "running"].includes(textOf(job, "status"));
  });
  return job;
}

describe("a deployment's life", { timeout: 900_000 }, () => {
  let id: string;
  let mount: string;
  let worker: TestApp | null = null;
  after(() => worker?.close());

  test("begins without workers: submissions are 429 deployment_not_ready with Retry-After, and one worker is wanted", async () => {
    id = await makeDeployment(app, { workers_max: 3 });
    mount = `/deployment/${id}`;
    const made = (await admin(`/${id}`)).json();
    assert.deepEqual(
      [textOf(made, "state"), textOf(made, "reason"), memberOf(made, "workers_wanted")],
      ["provisioning", "No worker has reported within the last minute.", 0],
    );
    assert.equal(textOf(made, "urls", "mount"), mount);
    const refused = await submit(mount);
    assert.deepEqual([refused.status, codeOf(refused)], [429, "deployment_not_ready"]);
    assert.match(headerOf(refused, "retry-after") ?? "", /^[1-9]\d*$/);
    assert.equal(memberOf((await admin(`/${id}`)).json(), "workers_wanted"), 1);
    assert.match(
      (await app.call({ path: "/metrics", headers: bearer(app.adminToken) })).text,
      new RegExp(`atelier_deployment_workers_wanted\\{deployment="${id}",name="[^"]+"\\} 1`),
    );
    assert.equal((await read(`${mount}/api/v2/jobs`)).status, 200, "reads go on");
    assert.equal((await read(`${mount}/workflow`)).status, 404, "nothing was executed");
  });

  test("goes on when a worker reports: it runs, and GET /workflow shows what was executed", async () => {
    worker = await testApp({ beside: app, deploymentId: id, env: priced });
    await until("the deployment is ready", async () => (await stateOf(id)) === "ready");
    const made = await submit(mount);
    assert.equal(made.status, 201, made.text);
    const self = textOf(made.json(), "urls", "self");
    assert.equal(self, `${mount}/api/v2/jobs/${textOf(made.json(), "id")}`);
    assert.equal(headerOf(made, "location"), self);
    const job = await ended(self);
    assert.equal(textOf(job, "status"), "succeeded");
    const charges = (await read(`/account/jobs/${textOf(job, "id")}/charges`)).json();
    assert.ok(Number(textOf(charges, "credits")) > 0, "it cost something");
    assert.equal(headerOf(await read(self), "x-service-credits-used"), textOf(charges, "credits"));
    const executed = await read(`${mount}/workflow`);
    assert.deepEqual(memberOf(executed.json(), "workflow"), JSON.parse(JSON.stringify(graph())));
    assert.equal((await read(`${mount}/workflow?job_id=${textOf(job, "id")}`)).text, executed.text);
    const [output] = listOf(job, "outputs");
    assert.ok(
      textOf(output, "url").startsWith(`${deploymentOrigin(app)}${mount}/api/v2/assets/`),
      "the absolute link has it too",
    );
    const content = await read(textOf(output, "urls", "content"));
    assert.equal(content.status, 302);
    const workers = listOf((await admin(`/${id}`)).json(), "workers");
    assert.deepEqual(
      workers.map((one) => memberOf(one, "matches")),
      [true],
    );
  });

  test("the public SDK, pointed at the mount path, runs there and downloads the outputs", async () => {
    process.env["COMFY_BASE_URL"] = `${app.baseUrl}${mount}`;
    const client = new Comfy({ apiKey: app.key });
    delete process.env["COMFY_BASE_URL"];
    const job = await client.run(client.workflows.fromJson(graph(77)));
    assert.equal(job.status, "succeeded");
    const folder = await mkdtemp(join(tmpdir(), "atelier-dedicated-"));
    try {
      await job.getOutputs("2")[0]?.toFile(join(folder, "out.png"));
      assert.equal((await readFile(join(folder, "out.png"))).subarray(1, 4).toString(), "PNG");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    assert.deepEqual(
      memberOf((await read(`${mount}/workflow`)).json(), "workflow"),
      JSON.parse(JSON.stringify(graph(77))),
    );
  });

  test("its own process serves it at the root, and nothing else", async () => {
    assert.ok(worker);
    const made = await submit("", {}, worker);
    assert.equal(made.status, 201, made.text);
    const self = textOf(made.json(), "urls", "self");
    assert.match(self, /^\/api\/v2\/jobs\//);
    assert.equal(textOf(await ended(self, worker), "status"), "succeeded");
    assert.equal((await read(`${mount}${self}`)).status, 200, "one queue, two addresses");
    for (const path of [
      "/admin/deployments",
      "/v1/models",
      "/profile/api-keys",
      "/docs",
      `${mount}/api/v2/jobs`,
      "/",
    ]) {
      assert.equal((await worker.call({ path })).status, 401, path);
      assert.equal((await read(path, worker)).status, 404, path);
      assert.equal((await read(path, worker, app.adminToken)).status, 401, path);
    }
    for (const path of ["/health", "/livez", "/readyz"]) assert.equal((await worker.call({ path })).status, 200, path);
  });

  test("its jobs and keys are its own, and assets are the workspace's", async () => {
    const key = { "idempotency-key": "one-key-two-queues" };
    const [there, here] = [await submit(mount, key), await submit("", key)];
    assert.deepEqual([there.status, here.status], [201, 201]);
    assert.notEqual(textOf(there.json(), "id"), textOf(here.json(), "id"));
    assert.equal((await read(`/api/v2/jobs/${textOf(there.json(), "id")}`)).status, 404);
    assert.equal((await read(`${mount}/api/v2/jobs/${textOf(here.json(), "id")}`)).status, 404);
    const job = await ended(textOf(there.json(), "urls", "self"));
    const [output] = listOf(job, "outputs");
    assert.equal((await read(`/api/v2/assets/${textOf(output, "id")}`)).status, 200);
    await ended(textOf(here.json(), "urls", "self"));
  });

  test("when stopped, it answers 422 deployment_stopped, still shows its history, and replays what it accepted", async () => {
    const key = { "idempotency-key": "before-the-stop" };
    const taken = await submit(mount, key);
    assert.equal(taken.status, 201, taken.text);
    const stopped = await admin(`/${id}/stop`, "POST");
    assert.deepEqual([stopped.status, textOf(stopped.json(), "state")], [200, "stopped"]);
    assert.equal(memberOf(stopped.json(), "workers_wanted"), 0);
    const refused = await submit(mount);
    assert.deepEqual([refused.status, codeOf(refused)], [422, "deployment_stopped"]);
    assert.equal(headerOf(refused, "retry-after"), undefined);
    const again = await submit(mount, key);
    assert.deepEqual([again.status, headerOf(again, "idempotent-replayed")], [201, "true"]);
    assert.equal(
      textOf(await ended(textOf(taken.json(), "urls", "self")), "status"),
      "succeeded",
      "what was taken ends",
    );
    assert.equal((await admin(`/${id}/stop`, "POST")).status, 200, "stopping twice is stopping");
  });

  test("when started again, it is ready at once while its worker is there", async () => {
    assert.equal(textOf((await admin(`/${id}/start`, "POST")).json(), "state"), "ready");
    const made = await submit(mount);
    assert.equal(made.status, 201, made.text);
    await ended(textOf(made.json(), "urls", "self"));
  });

  test("an environment change that the worker does not match ends readiness, and the read says why", async () => {
    const environment = { engine: "embedded", engine_version: null, node_classes: { SaveImage: "*" }, settings: {} };
    await admin(`/${id}`, "PATCH", { environment });
    const narrowed = await submit(mount);
    assert.deepEqual([narrowed.status, codeOf(narrowed)], [422, "invalid_workflow"]);
    assert.deepEqual(Object.keys(Object(memberOf(narrowed.json(), "error", "details", "node_errors"))), ["1"]);
    const pinned = { ...environment, engine_version: "0.0.0", node_classes: { Nowhere: "*", SaveImage: "other" } };
    const changed = (await admin(`/${id}`, "PATCH", { environment: pinned })).json();
    assert.equal(textOf(changed, "state"), "provisioning");
    assert.match(
      textOf(changed, "reason"),
      /version is .*; 0\.0\.0 is pinned.*Nowhere is missing.*SaveImage has version/,
    );
    const [one] = listOf(changed, "workers");
    assert.deepEqual([memberOf(one, "matches"), listOf(one, "problems").length], [false, 3]);
    assert.equal(codeOf(await submit(mount)), "deployment_not_ready");
    await admin(`/${id}`, "PATCH", { environment: { ...environment, node_classes: null } });
    assert.equal(await stateOf(id), "ready");
  });

  test("when its worker leaves it is provisioning again", async () => {
    await worker?.close();
    worker = null;
    assert.equal(await stateOf(id), "provisioning");
    await until("it is no longer taken for ready", async () => codeOf(await submit(mount)) === "deployment_not_ready");
  });

  test("it is deleted only when stopped, waiting jobs are canceled, and then nobody finds it", async () => {
    assert.equal((await admin(`/${id}`, "DELETE")).status, 409);
    await admin(`/${id}/stop`, "POST");
    assert.equal((await admin(`/${id}`, "DELETE")).status, 204);
    for (const answer of [await admin(`/${id}`), await submit(mount), await read(`${mount}/api/v2/jobs`)])
      assert.equal(answer.status, 404, answer.text);
    const audit = await app.call({ path: `/admin/audit?subject_id=${id}&limit=50`, headers: bearer(app.adminToken) });
    const actions = listOf(audit.json(), "data").map((entry) => textOf(entry, "action"));
    for (const verb of ["create", "update", "stop", "start", "delete"])
      assert.ok(actions.includes(`deployment.${verb}`));
  });
});

test("a deployment of one workspace is 404 to every other, at every operation", async () => {
  const stranger = await addTenant(app, "Mallory");
  const id = await makeDeployment(app, { workspace_id: app.workspaceId });
  assert.equal((await read(`/deployment/${id}/api/v2/jobs`)).status, 200);
  for (const path of ["/api/v2/jobs", "/api/v2/assets", "/workflow", "/api/v2/jobs/x", "/api/v2/node-classes"])
    assert.equal((await read(`/deployment/${id}${path}`, app, stranger.key)).status, 404, path);
  assert.equal((await submit(`/deployment/${id}`, {}, app, stranger.key)).status, 404);
});

test("the node classes of a deployment are those that its environment allows", async () => {
  const node_classes = { ImageScale: "*", SaveImage: "*" };
  const id = await makeDeployment(app, {
    environment: { engine: "embedded", engine_version: null, node_classes, settings: {} },
  });
  const listed = listOf((await read(`/deployment/${id}/api/v2/node-classes`)).json(), "data");
  assert.deepEqual(
    listed.map((each) => textOf(each, "name")),
    ["ImageScale", "SaveImage"],
  );
  assert.equal(codeOf(await read(`/deployment/${id}/api/v2/node-classes/LoadImage`)), "not_found");
});

test("a remote worker's report is listed with its pool, with all digits, and without its callers' files", async () => {
  const worker = httpWorker(app, await addWorkerToken(app.database, [sharedPool]), sharedPool);
  const text = `{"engine":"application","version":"1","classes":{"Foreign Node/2":"1"},"descriptions":{"Foreign Node/2":{
    "input":{"required":{"seed":["INT",{"min":-9223372036854775808,"max":18446744073709551615}],
    "image":[["of another.png"],{"image_upload":true,"default":"of another.png"}]}},
    "output":[],"output_node":true,"category":"foreign"}}}`;
  const type = { "content-type": "application/json" };
  assert.equal((await worker.call("PUT", "/environment", { headers: type, body: text })).status, 204);
  const environment_id = createHash("sha256").update(text).digest("hex");
  const body = { pool_id: sharedPool, name: "by hand", slots: 1, environment_id, models_loaded: [] };
  assert.equal((await worker.call("PUT", "", { body })).status, 200);
  const path = "/api/v2/node-classes/Foreign%20Node%2F2";
  await until("it is listed", async () => (await read(path)).status === 200);
  const described = (await read(path)).text;
  assert.match(described, /"name":"seed".*"min":-9223372036854775808,"max":18446744073709551615/);
  assert.ok(described.includes(`"runs_on":{"engine":false,"pools":["${sharedPool}"],"application":false}`), described);
  const info = (await read(`${path}?format=object_info`)).text;
  assert.ok(info.includes(":18446744073709551615"));
  for (const answer of [described, info]) assert.equal(answer.includes("of another"), false);
  await worker.call("DELETE", "");
});

test("the autoscaler is notified of each change in demand, signed with the workspace's secret, in order", async () => {
  const made = await app.call({
    method: "POST",
    path: "/account/webhooks/secrets",
    headers: bearer(app.key),
    body: { overlap_seconds: 0 },
  });
  const secret = textOf(made.json(), "secret");
  const scale_webhook_url = scaler.url;
  const id = await makeDeployment(app, { workspace_id: app.workspaceId, scale_webhook_url, workers_max: 3 });
  const notifications = async (count: number) => {
    const hooks = () => scaler.hooks.filter(({ value }) => value["id"] === id);
    await until(`${count} signals arrived`, () => hooks().length >= count);
    return hooks().sort((one, other) => Number(one.value["sequence"]) - Number(other.value["sequence"]));
  };
  assert.equal((await submit(`/deployment/${id}`)).status, 429);
  await notifications(1);
  await admin(`/${id}/stop`, "POST");
  const hooks = await notifications(2);
  const { name, ...first } = hooks[0]?.value ?? {};
  assert.match(String(name), /^pictures /);
  assert.deepEqual(first, {
    id,
    state: "provisioning",
    workers_wanted: 1,
    workers_min: 0,
    workers_max: 3,
    workers_ready: 0,
    unfinished_jobs: 0,
    sequence: 1,
    type: "deployment.scale",
  });
  const second = hooks[1]?.value;
  assert.deepEqual([second?.["state"], second?.["workers_wanted"], second?.["sequence"]], ["stopped", 0, 2]);
  const verifier = new Webhook(secret);
  for (const { text, headers } of hooks) {
    assert.deepEqual(verifier.verify(text, headers), JSON.parse(text));
    assert.throws(() => verifier.verify(text.replace('"workers_wanted":', '"workers_wanted":1'), headers));
  }
  const log = (await read("/account/webhooks/deliveries?limit=20")).json();
  const delivered = listOf(log, "data").filter((delivery) => JSON.stringify(delivery).includes(id));
  assert.deepEqual(
    delivered.map((delivery) => textOf(delivery, "type")),
    ["deployment.scale", "deployment.scale"],
  );
  const unsigned = await admin("", "POST", { ...aDeployment(), scale_webhook_url });
  assert.deepEqual([unsigned.status, /workspace_id/.test(unsigned.text)], [400, true]);
  const outside = { ...aDeployment(), workspace_id: app.workspaceId, scale_webhook_url: "http://10.0.0.1/scale" };
  assert.equal((await admin("", "POST", outside)).status, 400);
});
