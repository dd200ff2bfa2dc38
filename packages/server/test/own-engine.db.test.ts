// Workspaces with an engine of their own (limit own_engine): no engine process of the server runs jobs of two workspaces, and
// workers elsewhere learn of it with each job.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { bearer, memberOf, textOf } from "./support/app-client.ts";
import { addTenant } from "./support/app-people.ts";
import { anHttpWorker, submitTo } from "./support/http-worker.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
before(async () => {
  // One slot: jobs follow each other in one process unless they must not.
  app = await testApp({ env: { ATELIER_ENGINE_SLOTS: "1", ATELIER_ISOLATION: "process" } });
});
after(() => app.close());

const workflow = {
  1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "a" } },
};

async function run(key: string): Promise<readonly number[]> {
  const given = { path: "/api/v2/jobs", headers: bearer(key) };
  const submitted = await app.call({ method: "POST", ...given, body: { workflow } });
  assert.equal(submitted.status, 201, submitted.text);
  const path = `/api/v2/jobs/${textOf(submitted.json(), "id")}`;
  await until("the job's end", async () => {
    const status = memberOf((await app.call({ method: "GET", path, headers: bearer(key) })).json(), "status");
    assert.notEqual(status, "failed");
    return status === "succeeded";
  });
  return engines();
}

// Our engine children.
function engines(): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const isOurs = readFileSync(`/proc/${name}/stat`, "utf8").includes(`) S ${process.pid} `);
      return isOurs && readFileSync(`/proc/${name}/cmdline`, "utf8").includes("engine-start") ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

test("two workspaces never meet in one process if one of them has its own", {
  skip: process.platform !== "linux",
}, async () => {
  const eve = await addTenant(app, "Eve");
  const shared = await run(app.key);
  assert.equal(shared.length, 1);
  assert.deepEqual(await run(eve.key), shared, "without the limit they share");
  const limit = { path: `/admin/workspaces/${eve.workspaceId}/limits/own_engine`, headers: bearer(app.adminToken) };
  assert.equal((await app.call({ method: "PUT", ...limit, body: { value: 1 } })).status, 200);
  const seen = [shared];
  for (const key of [eve.key, app.key, eve.key]) {
    const now = await run(key);
    assert.equal(now.length, 1, "one slot, one process");
    for (const before of seen) assert.notDeepEqual(now, before);
    seen.push(now);
  }
  assert.deepEqual(await run(eve.key), seen.at(-1), "its own process is used again");
});

test("a job of a workspace with an engine of its own says so to the worker, until the operator takes that back", async () => {
  const worker = await anHttpWorker(app);
  const limit = { path: `/admin/workspaces/${app.workspaceId}/limits/own_engine`, headers: bearer(app.adminToken) };
  const settingsOf = async () => {
    await submitTo(app, worker.poolId);
    const body = { slots: 1, wait_ms: 20_000, models_loaded: [] };
    return memberOf((await worker.call("POST", "/claims", { body })).json(), "jobs", 0, "settings");
  };
  assert.equal((await app.call({ method: "PUT", ...limit, body: { value: 1 } })).status, 200);
  assert.deepEqual(await settingsOf(), { own_process: true });
  assert.equal((await app.call({ method: "DELETE", ...limit })).status, 200);
  assert.deepEqual(await settingsOf(), {});
});
