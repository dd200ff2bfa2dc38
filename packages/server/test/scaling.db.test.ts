// Workers that a scaler starts and stops, as people start it: from zero and back, a start that keeps failing, and a command
// instead of workers. Kills while jobs run are in `npm run torture -- scale`.
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { bearer, listOf, memberOf, textOf } from "./support/app-client.ts";
import { makeDeployment } from "./support/deployment-example-calls.ts";
import { runAtelier, until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { addWorkerToken } from "./support/worker-token-store.ts";

let app: TestApp;
before(async () => {
  app = await testApp({ env: { ATELIER_ENGINE_SLOTS: "0" } });
});
after(() => app.close());

const deployment = async (id: string) =>
  (await app.call({ path: `/admin/deployments/${id}`, headers: bearer(app.adminToken) })).json();
const scalerOf = async (id: string) => listOf(await deployment(id), "scalers")[0];
const workflow = {
  1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 9 } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "scaled" } },
};

async function startPool(id: string, ...more: readonly string[]): Promise<ChildProcess> {
  return runAtelier(["pool", id, "--server", app.baseUrl, ...more], {
    ATELIER_HOME: await mkdtemp(join(app.home, "scaler-")),
    ATELIER_WORKER_TOKEN: await addWorkerToken(app.database, [id]),
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

const submit = (id: string) =>
  app.call({
    method: "POST",
    path: `/deployment/${id}/api/v2/jobs`,
    headers: bearer(app.key),
    body: { workflow },
  });

// A caller that comes back as Retry-After says.
async function runFromZero(id: string): Promise<void> {
  const first = await submit(id);
  assert.deepEqual([first.status, textOf(first.json(), "error", "code")], [429, "deployment_not_ready"]);
  const made = await until("it is accepted", async () => {
    const answer = await submit(id);
    return answer.status === 201 && answer;
  });
  const path = textOf(made.json(), "urls", "self");
  await until("the job has ended", async () => {
    const job = (await app.call({ path, headers: bearer(app.key) })).json();
    return textOf(job, "status") === "succeeded";
  });
}

const isAtZero = async (id: string) => {
  const shown = await deployment(id);
  const [scaler] = listOf(shown, "scalers");
  const numbers = ["running", "starting", "draining", "workers_wanted"].map((name) => Number(memberOf(scaler, name)));
  return listOf(shown, "workers").length === 0 && numbers.every((number) => number === 0);
};

describe("workers that are started as they are wanted", { timeout: 900_000 }, () => {
  test("from zero: a submission starts one, the job runs, and it goes away again", async () => {
    const id = await makeDeployment(app, { workers_min: 0, workers_max: 2 });
    const scaler = await startPool(id, "--workers", "auto", "--idle-seconds", "1", "--slots", "1");
    try {
      await until("the scaler is known", async () => (await scalerOf(id)) !== undefined, 180);
      assert.ok(await isAtZero(id));
      await runFromZero(id);
      assert.equal(Number(memberOf(await scalerOf(id), "workers_max")), 2, "the deployment's own limit");
      await until("no worker is left", () => isAtZero(id), 180);
    } finally {
      await stop(scaler);
    }
  });

  test("a start command that keeps failing waits longer each time, and its last lines are shown", async () => {
    const id = await makeDeployment(app, { workers_min: 1, workers_max: 2 });
    const command = "echo loading; echo 'No module named torch' >&2; exit 3";
    const scaler = await startPool(id, "--workers", "1..2", "--start-command", command);
    try {
      const failureOf = async () => memberOf(await scalerOf(id), "failure");
      await until("it failed twice", async () => {
        const failure = (await failureOf()) ?? null;
        if (failure === null) return false;
        return Date.parse(textOf(failure, "retry_at")) - Date.parse(textOf(failure, "at")) >= 2_000;
      });
      const failure = await failureOf();
      assert.equal(
        textOf(failure, "message"),
        "The application's start command ended with code 3 before the worker was ready.",
      );
      const lines = listOf(failure, "lines").map(String);
      assert.ok(lines.includes("No module named torch"), lines.join("\n"));
      assert.equal(Number(memberOf(await scalerOf(id), "starting")), 1, "one at a time");
    } finally {
      await stop(scaler);
    }
  });

  test("with --exec a command gets the number instead, and is run again after a failure", async () => {
    const id = await makeDeployment(app, { workers_min: 0, workers_max: 3 });
    const said = join(app.home, `wanted-${id}`);
    const command = `echo "$WORKERS_WANTED $POOL_ID" >> ${said}; test -e ${said}.once || { touch ${said}.once; exit 7; }`;
    const scaler = await startPool(id, "--workers", "2..3", "--exec", command);
    try {
      const lines = async () => (await readFile(said, "utf8").catch(() => "")).trim().split("\n");
      await until("it was run twice", async () => (await lines()).length >= 2);
      assert.deepEqual(await lines(), [`2 ${id}`, `2 ${id}`]);
    } finally {
      await stop(scaler);
    }
  });

  test("`atelier deployment --workers auto` serves the deployment and starts its workers", async () => {
    const id = await makeDeployment(app, { workers_min: 0, workers_max: 1 });
    const child = runAtelier(["deployment", id, "--workers", "auto", "--idle-seconds", "1", "--slots", "1"], {
      ATELIER_HOME: app.home,
      ATELIER_PORT: "0",
      ATELIER_SANDBOX: "off",
      DATABASE_URL: app.database.url,
    });
    try {
      await until("the scaler is known", async () => (await scalerOf(id)) !== undefined, 180);
      await runFromZero(id);
      await until("no worker is left", () => isAtZero(id), 180);
      const tokens = (await app.call({ path: "/admin/worker-tokens", headers: bearer(app.adminToken) })).json();
      const own = () => listOf(tokens, "data").filter((token) => textOf(token, "name").includes(id));
      assert.equal(own().length, 1);
    } finally {
      await stop(child);
    }
    const tokens = (await app.call({ path: "/admin/worker-tokens", headers: bearer(app.adminToken) })).json();
    const [token] = listOf(tokens, "data").filter((each) => textOf(each, "name").includes(id));
    assert.ok(memberOf(token, "revoked_at") !== null, "its token went with it");
  });
});
