// `atelier deployment <id>` as people start it: a separate process beside the server, on the same database.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { newId } from "../src/foundation/ids.ts";
import { bearer, openClient, textOf } from "./support/app-client.ts";
import { makeDeployment } from "./support/deployment-example-calls.ts";
import { collectOutput, runAtelier, until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { addWorkerToken } from "./support/worker-token-store.ts";

let app: TestApp;
before(async () => {
  app = await testApp();
});
after(() => app.close());

const start = (id: string) =>
  runAtelier(["deployment", id], {
    ATELIER_HOME: app.home,
    ATELIER_PORT: "0",
    ATELIER_SANDBOX: "off",
    ATELIER_ENGINE_SLOTS: "1",
    DATABASE_URL: app.database.url,
  });

test("it says when it is ready, serves and runs its deployment, and leaves it on SIGTERM", {
  timeout: 900_000,
}, async () => {
  const id = await makeDeployment(app);
  const child = start(id);
  try {
    const line = await new Promise<string>((resolve, reject) => {
      let out = "";
      child.stdout?.on("data", (chunk: Buffer) => {
        out += chunk.toString();
        if (/^ready .*\n/m.test(out)) resolve(out);
      });
      child.once("exit", (code) => reject(new Error(`it ended with ${code}`)));
    });
    const baseUrl = /^ready (\S+)/m.exec(line)?.[1] ?? "";
    assert.match(line, new RegExp(`deployment ${id}`));
    const client = openClient(baseUrl);
    const headers = bearer(app.key);
    const workflow = {
      1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 9 } },
      2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "process" } },
    };
    const made = await until("it takes a job", async () => {
      const answer = await client.call({ method: "POST", path: "/api/v2/jobs", headers, body: { workflow } });
      return answer.status === 201 && answer;
    });
    const path = textOf(made.json(), "urls", "self");
    await until("the job has ended", async () => {
      return textOf((await client.call({ path, headers })).json(), "status") === "succeeded";
    });
    await client.close();
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    assert.deepEqual((await exited)[0], 0);
    const read = await app.call({ path: `/admin/deployments/${id}`, headers: bearer(app.adminToken) });
    assert.equal(textOf(read.json(), "state"), "provisioning");
  } finally {
    child.kill("SIGKILL");
  }
});

// Both kinds of process that run a deployment's jobs, as people start them.
const runners = {
  "atelier deployment": (id: string) => Promise.resolve(start(id)),
  "atelier worker": async (id: string) =>
    runAtelier(["worker", "--server", app.baseUrl, "--pool", id, "--slots", "1"], {
      ATELIER_HOME: await mkdtemp(join(app.home, "worker-")),
      ATELIER_WORKER_TOKEN: await addWorkerToken(app.database, [id]),
    }),
};

for (const [name, run] of Object.entries(runners)) {
  test(`changed settings of a deployment reach the jobs of a running \`${name}\` without a restart`, {
    timeout: 900_000,
  }, async () => {
    const id = await makeDeployment(app);
    const child = await run(id);
    const headers = bearer(app.key);
    // A hundred megabytes of picture.
    const workflow = {
      1: { class_type: "EmptyImage", inputs: { width: 2048, height: 2048, batch_size: 2, color: 7 } },
      2: { class_type: "PreviewImage", inputs: { images: ["1", 0] } },
    };
    const endOf = async () => {
      const made = await until("it takes a job", async () => {
        const path = `/deployment/${id}/api/v2/jobs`;
        const answer = await app.call({ method: "POST", path, headers, body: { workflow } });
        return answer.status === 201 && answer;
      });
      return until("the job has ended", async () => {
        const job = (await app.call({ path: textOf(made.json(), "urls", "self"), headers })).json();
        return ["succeeded", "failed"].includes(textOf(job, "status")) && job;
      });
    };
    try {
      assert.equal(textOf(await endOf(), "status"), "succeeded");
      const settings = { job_memory_megabytes_max: 64 };
      const changed = await app.call({
        method: "PATCH",
        path: `/admin/deployments/${id}`,
        headers: bearer(app.adminToken),
        body: { environment: { engine: "embedded", settings } },
      });
      assert.equal(changed.status, 200, changed.text);
      workflow[1].inputs.color = 8;
      // What a process knows about a deployment may be a second old.
      const failed = await until("a job is held to the new bound", async () => {
        workflow[1].inputs.color += 1;
        const job = await endOf();
        return textOf(job, "status") === "failed" && job;
      });
      assert.match(textOf(failed, "error", "message"), /memory/);
    } finally {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    }
  });
}

test("an invalid or unknown id is a usage error: exit code 2", { timeout: 900_000 }, async () => {
  for (const { code, err } of await Promise.all(["nonsense", newId()].map((id) => collectOutput(start(id))))) {
    assert.equal(code, 2, err);
    assert.match(err, /deployment/);
  }
});
