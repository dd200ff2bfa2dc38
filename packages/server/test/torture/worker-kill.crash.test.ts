// The crash smoke test of outside workers; `npm run torture -- workers` is the long one.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sharedPool } from "../../src/capabilities/pools/shared-pool.ts";
import { bearer } from "../support/app-client.ts";
import { attemptsOfJobs } from "../support/job-records-store.ts";
import { type ServerProcess, startServerProcess, until } from "../support/server-process.ts";
import { addWorkerToken } from "../support/worker-token-store.ts";
import { routerWorld } from "./router-world.ts";
import { tortureWorkers } from "./worker-torture.ts";

test("kill -9 of a worker and of an application in the middle of 20 jobs: all succeed once, outputs outlive them", {
  timeout: 900_000,
}, async () => {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const { violations, spread } = await tortureWorkers({
    jobs: 20,
    leaseSeconds: 4,
    jobSeconds: 0.3,
    forGood: false,
    say,
  });
  assert.deepEqual(violations, [], lines.join("\n"));
  assert.ok(
    spread.every((count) => count > 0),
    `both applications worked: ${spread}`,
  );
});

test("a worker without an application runs graphs by itself; on SIGTERM it gives back what does not end in time", {
  timeout: 900_000,
}, async () => {
  const home = await mkdtemp(join(tmpdir(), "atelier-embedded-workers-"));
  const world = await routerWorld({ ATELIER_ENGINE_SLOTS: "0" });
  const workers: ServerProcess[] = [];
  try {
    const gateway = await world.start();
    const token = await addWorkerToken(world.database, [sharedPool]);
    const start = async (name: string) => {
      const worker = await startServerProcess({
        home: join(home, name),
        command: ["worker", "--server", gateway.baseUrl, "--slots", "1", "--name", name],
        env: { ATELIER_WORKER_TOKEN: token, ATELIER_JOB_DRAIN_SECONDS: "0" },
      });
      workers.push(worker);
      return worker;
    };
    const first = await start("first");
    const workflow = {
      1: { class_type: "EmptyImage", inputs: { width: 2048, height: 2048, batch_size: 2, color: 7 } },
      2: { class_type: "ImageBlur", inputs: { image: ["1", 0], blur_radius: 31, sigma: 8 } },
      3: { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "kept" } },
    };
    const ask = async (method: string, path: string, body?: object) => {
      const answer = await gateway.client.call({ method, path, headers: bearer(world.key), ...(body ? { body } : {}) });
      return JSON.parse(answer.text);
    };
    const { id } = await ask("POST", "/api/v2/jobs", { workflow });
    const stateOf = async () => (await ask("GET", `/api/v2/jobs/${id}`)).status;
    await until("the job runs", async () => (await stateOf()) === "running");
    assert.equal(await first.kill("SIGTERM"), 0, first.log());
    assert.equal(await stateOf(), "queued", "it waits again at once, not after a lease");
    await start("second");
    await until("the job succeeds elsewhere", async () => (await stateOf()) === "succeeded");
    assert.deepEqual(await attemptsOfJobs(world.database), { retried: 1, lost: 0 });
  } finally {
    for (const worker of workers) await worker.kill("SIGKILL");
    await world.close();
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});
