// `atelier deployment <id>` as people start it: a process of its own beside the server, on the same database.
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { newId } from "../src/foundation/ids.ts";
import { bearer, openClient, textOf } from "./support/app-client.ts";
import { makeDeployment } from "./support/deployment-example-calls.ts";
import { outputOf, runAtelier, until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

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

test("it says when it is ready, serves and runs its deployment, and leaves it when it is told to stop", {
  timeout: 300_000,
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

test("an id that is none, or that nobody has, is a wrong call: exit code 2", { timeout: 300_000 }, async () => {
  for (const { code, err } of await Promise.all(["nonsense", newId()].map((id) => outputOf(start(id))))) {
    assert.equal(code, 2, err);
    assert.match(err, /deployment/);
  }
});
