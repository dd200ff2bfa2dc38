// A deployment whose engine is an application: its process runs beside one, readiness follows the application, and graphs
// are checked against the classes that the application described, and run there.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type RunningSandboxApplication, startSandboxApplication } from "@atelier/sandbox";
import { readExactJson } from "../src/foundation/json/exact-json.ts";
import { bearer, listOf, textOf } from "./support/app-client.ts";
import { makeDeployment } from "./support/deployment-example-calls.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let worker: TestApp;
let application: RunningSandboxApplication;
let home: string;
let id: string;
before(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-deployed-"));
  await mkdir(join(home, "input"));
  await writeFile(join(home, "input", "secret-of-another.png"), "x");
  application = await startSandboxApplication({ home });
  app = await testApp();
  const environment = { engine: "application", engine_version: null, node_classes: null, settings: {} } as const;
  id = await makeDeployment(app, { environment });
  worker = await testApp({ beside: app, deploymentId: id, env: { ATELIER_APPLICATION_URL: application.url } });
});
after(async () => {
  await worker.close();
  await app.close();
  await application.close();
  await rm(home, { recursive: true, force: true });
});

const read = (path: string) => app.call({ path, headers: bearer(app.key) });
const status = async () =>
  (await app.call({ path: `/admin/deployments/${id}`, headers: bearer(app.adminToken) })).json();
const stateIs = (state: string) => until(`it is ${state}`, async () => textOf(await status(), "state") === state, 180);
const submit = (classType: string) =>
  app.call({
    method: "POST",
    path: `/deployment/${id}/api/v2/jobs`,
    headers: bearer(app.key),
    body: {
      workflow: {
        1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 5 } },
        2: { class_type: classType, inputs: { images: ["1", 0], filename_prefix: "there" } },
      },
    },
  });

describe("a deployment beside an application", { timeout: 900_000 }, () => {
  test("is ready when the application is there, runs there and shows what was executed", async () => {
    await stateIs("ready");
    const [one] = listOf(await status(), "workers");
    assert.equal(textOf(one, "engine"), "application");
    const unknown = await submit("Nowhere");
    assert.deepEqual([unknown.status, textOf(unknown.json(), "error", "code")], [422, "invalid_workflow"]);
    const made = await submit("SaveImage");
    assert.equal(made.status, 201, made.text);
    const self = textOf(made.json(), "urls", "self");
    let job: unknown;
    await until("the job has ended", async () => {
      job = (await read(self)).json();
      return !["queued", "running"].includes(textOf(job, "status"));
    });
    assert.equal(textOf(job, "status"), "succeeded", JSON.stringify(job));
    assert.equal(listOf(job, "outputs").length, 1);
    assert.equal((await read(`/deployment/${id}/workflow`)).status, 200);
  });

  test("lists the application's classes, without its callers' files, and refuses a model that it does not have", async () => {
    const classes = `/deployment/${id}/api/v2/node-classes`;
    const text = await (await fetch(`${application.url}/object_info`)).text();
    assert.ok(text.includes("secret-of-another"), "the application itself tells it");
    const own = readExactJson(text);
    assert.ok(typeof own === "object" && own !== null);
    const answer = await read(`${classes}?format=object_info`);
    const shown = readExactJson(answer.text);
    assert.ok(typeof shown === "object" && shown !== null);
    assert.deepEqual(Object.keys(shown).sort(), Object.keys(own).sort());
    assert.equal(answer.text.includes("secret-of-another"), false);
    assert.ok(answer.text.includes(":18446744073709551615"), "exact over the pool's records too");
    const scale = await read(`${classes}/ImageScale`);
    assert.ok(scale.text.includes(`"runs_on":{"engine":false,"pools":["${id}"],"application":false}`), scale.text);
    const workflow = {
      1: { class_type: "CheckpointLoaderSimple", inputs: { ckpt_name: "none.safetensors" } },
      2: { class_type: "PreviewAny", inputs: { source: ["1", 0] } },
    };
    const path = `/deployment/${id}/api/v2/jobs`;
    const refused = await app.call({ method: "POST", path, headers: bearer(app.key), body: { workflow } });
    assert.deepEqual(
      [refused.status, textOf(refused.json(), "error", "code")],
      [422, "invalid_workflow"],
      refused.text,
    );
    assert.ok(refused.text.includes("value_not_in_list"), refused.text);
  });

  test("is provisioning again when the application is gone", async () => {
    await application.close();
    await stateIs("provisioning");
    const refused = await submit("SaveImage");
    assert.deepEqual([refused.status, textOf(refused.json(), "error", "code")], [429, "deployment_not_ready"]);
  });
});
