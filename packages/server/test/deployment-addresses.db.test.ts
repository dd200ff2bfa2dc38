// How a deployment is addressed: by mount path and by its own host name. Links lead back the way the caller came, a
// deployment's host shows only the deployment, and malformed forms of either reach nothing.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { makeDeployment } from "./support/deployment-example-calls.ts";
import { sendRaw } from "./support/raw-http.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { fleetSize } from "./support/test-fleet.ts";

let app: TestApp;
let worker: TestApp;
let id: string;
before(async () => {
  app = await testApp({ env: { ATELIER_DEPLOYMENT_URL: "https://run.example", ATELIER_WEBHOOK_TARGETS: "" } });
  id = await makeDeployment(app);
  worker = await testApp({
    beside: app,
    deploymentId: id,
    env: { ATELIER_DEPLOYMENT_URL: "https://run.example", ATELIER_WEBHOOK_TARGETS: "" },
  });
  await until("the deployment is ready", async () => {
    const read = await app.call({ path: `/admin/deployments/${id}`, headers: bearer(app.adminToken) });
    return textOf(read.json(), "state") === "ready";
  });
});
after(async () => {
  await worker.close();
  await app.close();
});

const body = {
  workflow: {
    1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 1 } },
    2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "addressed" } },
  },
};
const named = (host: string, path: string, key = app.key) => app.call({ path, headers: { ...bearer(key), host } });
const raw = (host: string, path: string, port = app.port) =>
  sendRaw(
    port,
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${app.key}\r\nConnection: close\r\n\r\n`,
  );

describe("links", { timeout: 900_000 }, () => {
  const forms = (): { form: string; host: string; mount: string; absolute: string }[] => [
    {
      form: "mount path",
      host: `127.0.0.1:${app.port}`,
      mount: `/deployment/${id}`,
      absolute: `https://run.example/deployment/${id}`,
    },
    { form: "host name", host: `dep-${id}.run.example`, mount: "", absolute: `https://dep-${id}.run.example` },
    // A gateway knows the deployment under its own port, which a front hides.
    ...(fleetSize > 1
      ? []
      : [
          {
            form: "localhost",
            host: `dep-${id}.localhost:${app.port}`,
            mount: "",
            absolute: `https://dep-${id}.run.example`,
          },
        ]),
  ];

  test("are relative to the host, carry the prefix exactly where the caller did, and absolute ones are public", async () => {
    for (const { form, host, mount, absolute } of forms()) {
      const headers = { ...bearer(app.key), host };
      const made = await app.call({ method: "POST", path: `${mount}/api/v2/jobs`, headers, body });
      assert.equal(made.status, 201, `${form}: ${made.text}`);
      const self = `${mount}/api/v2/jobs/${textOf(made.json(), "id")}`;
      assert.deepEqual(memberOf(made.json(), "urls"), {
        self,
        events: `${self}/events`,
        cancel: `${self}/cancel`,
        workflow: `${self}/workflow`,
        preview: `${self}/preview`,
      });
      assert.equal(headerOf(made, "location"), self, form);
      let job: unknown;
      await until("the job has ended", async () => {
        job = (await app.call({ path: self, headers })).json();
        return textOf(job, "status") === "succeeded";
      });
      assert.ok(textOf(job, "outputs", "0", "url").startsWith(`${absolute}/api/v2/assets/`), form);
      assert.ok(textOf(job, "outputs", "0", "urls", "content").startsWith(`${mount}/api/v2/assets/`), form);
      const list = (await app.call({ path: `${mount}/api/v2/jobs?limit=1`, headers })).json();
      const next = memberOf(list, "next");
      if (next !== undefined) assert.ok(String(next).startsWith(`${mount}/api/v2/jobs?`), form);
      const events = await app.call({ path: `${self}/events`, headers });
      assert.ok(events.text.includes(`${mount}/api/v2/assets/`), form);
      assert.equal(events.text.includes(`${mount}${mount === "" ? "/deployment" : mount}/`), false, "not doubled");
      const upload = await app.call({
        method: "POST",
        path: `${mount}/api/v2/uploads`,
        headers: {
          ...headers,
          "tus-resumable": "1.0.0",
          "upload-length": "3",
          "upload-metadata": "content_type dGV4dC9wbGFpbg==,file_path eC50eHQ=",
        },
      });
      assert.equal(upload.status, 201, upload.text);
      assert.match(headerOf(upload, "location") ?? "", new RegExp(`^${mount}/api/v2/uploads/`));
    }
  });

  test("the admin read shows both forms", async () => {
    const read = await app.call({ path: `/admin/deployments/${id}`, headers: bearer(app.adminToken) });
    assert.deepEqual(memberOf(read.json(), "urls"), {
      mount: `/deployment/${id}`,
      host: `https://dep-${id}.run.example`,
    });
  });
});

describe("a deployment's host", () => {
  test("is recognised in any case", async () => {
    for (const host of [`dep-${id}.run.example`, `DEP-${id.toUpperCase()}.RUN.example`])
      assert.equal((await raw(host, "/api/v2/jobs")).status, 200, host);
  });

  test("with a strange label, port, dot or suffix is 421", async () => {
    for (const host of [
      `dep-${id}.run.example.`,
      `dep-${id}.run.example:443`,
      `dep-${id}.run.example:${app.port}`,
      `dep-${id}.localhost`,
      `dep-${id}.localhost.:${app.port}`,
      `dep-${id}.run.example.evil.example`,
      `x.dep-${id}.run.example`,
      `${id}.run.example`,
      "dep-.run.example",
      "dep-nobody.run.example",
      `dep-${id}x.run.example`,
      `dep_${id}.run.example`,
      `dep-${id}.127.0.0.1:${app.port}`,
    ]) {
      const answer = await raw(host, "/api/v2/jobs");
      assert.equal(answer.status, 421, `${host}: ${answer.body}`);
    }
    assert.equal((await raw(`dep-${id}.run.example\r\nHost: 127.0.0.1:${app.port}`, "/api/v2/jobs")).status, 400);
  });

  test("that does not exist is 401 without a key and 404 with one, at every path", async () => {
    const host = `dep-${randomUUID()}.run.example`;
    for (const path of ["/api/v2/jobs", "/api/v2/assets", "/workflow", "/", "/admin/deployments"]) {
      assert.equal((await app.call({ path, headers: { host } })).status, 401, path);
      assert.equal((await named(host, path)).status, 404, path);
    }
    assert.equal((await named(host, "/api/v2/health")).status, 404);
  });

  test("shows no console, no operators' area, no router, no document but its own and no other deployment", async () => {
    const host = `dep-${id}.run.example`;
    const other = await makeDeployment(app);
    for (const path of [
      "/",
      "/admin/deployments",
      "/admin/audit",
      "/metrics",
      "/account",
      "/profile/api-keys",
      "/sign-in/x",
      "/v1/models",
      "/docs",
      "/health",
      "/nodes",
      "/nodes/pricing/badges?app_version=nightly&platform=local",
      `/deployment/${id}/api/v2/jobs`,
      `/deployment/${other}/api/v2/jobs`,
      `/../deployment/${other}/api/v2/jobs`,
      "//admin/deployments",
      "/%2e%2e/admin/deployments",
      "/..%2fadmin/deployments",
    ]) {
      assert.equal((await raw(host, path)).status, 404, path);
      const asAdmin = await app.call({ path, headers: { ...bearer(app.adminToken), host } });
      assert.equal(asAdmin.status, 401, path);
      assert.deepEqual(Object.keys(Object(asAdmin.json())), ["error"], "v2's own envelope");
    }
    const document = await raw(host, "/openapi.json");
    assert.equal(document.status, 200);
    assert.doesNotMatch(document.body, /"\/(admin|account|v1)\//);
    assert.equal((await named(host, "/api/v2/health")).status, 200);
  });

  test("the deployments' own address shows what lies below /deployment/ and nothing else", async () => {
    assert.equal((await named("run.example", `/deployment/${id}/api/v2/jobs`)).status, 200);
    for (const path of ["/", "/admin/deployments", "/v1/models", "/api/v2/jobs", "/api/v2/health", "/docs"]) {
      assert.equal((await named("run.example", path)).status, 404, path);
      assert.notEqual((await named("run.example", path, app.adminToken)).status, 200, path);
    }
  });

  test("links of a dedicated process lead to itself", async () => {
    const headers = bearer(app.key);
    const list = await worker.call({ path: "/api/v2/jobs?limit=1", headers });
    const url = textOf(list.json(), "data", "0", "outputs", "0", "url");
    assert.ok(url.startsWith(`https://dep-${id}.run.example/api/v2/assets/`), url);
  });

  test("of another deployment gets no answer from a dedicated process", async () => {
    assert.equal((await raw(`dep-${id}.run.example`, "/api/v2/jobs", worker.port)).status, 200);
    assert.equal((await raw(`dep-${randomUUID()}.run.example`, "/api/v2/jobs", worker.port)).status, 421);
    assert.equal((await raw("evil.example", "/api/v2/jobs", worker.port)).status, 421);
    assert.equal((await raw("evil.example", "/readyz", worker.port)).status, 421);
  });
});

test("a mount path is matched exactly: empty, encoded, uppercase and repeated forms are 404 behind the guard", async () => {
  for (const path of [
    "/deployment//api/v2/jobs",
    "/deployment///api/v2/jobs",
    `/deployment/${id}//api/v2/jobs`,
    `/deployment/${id}/api//v2/jobs`,
    `/deployment/${id.toUpperCase()}/api/v2/jobs`,
    `/deployment/${id}%2Fapi/v2/jobs`,
    `/deployment/${id}%2fapi%2fv2%2fjobs`,
    `/deployment/%2F${id}/api/v2/jobs`,
    `/deployment/${id.replace("-", "%2D")}/api/v2/jobs`,
    `/deployment/${id}%00/api/v2/jobs`,
    `/deployment/${id}/%61pi/../admin`,
    `/deployment/${id}/../../admin/deployments`,
    `/deployment/dep-${id}/api/v2/jobs`,
    `/deployment/${id}/`,
    `/deployment/${id}`,
    `/deployment/${id}/deployment/${id}/api/v2/jobs`,
    `/deployment/${id}/admin/deployments`,
    `/deployment/${"x".repeat(3000)}/api/v2/jobs`,
    `/deployment/${randomUUID()}/api/v2/jobs`,
    "/deployment/%zz/api/v2/jobs",
    "/deployment/",
  ]) {
    assert.equal((await app.call({ path })).status, 401, path);
    const answer = await app.call({ path, headers: bearer(app.key) });
    assert.equal(answer.status, 404, `${path}: ${answer.text}`);
    assert.equal(textOf(answer.json(), "error", "code"), "not_found", path);
  }
  for (const path of ["/deployment", "/Deployment/x/api/v2/jobs", "/deploymentx"])
    assert.equal((await app.call({ path, headers: bearer(app.key) })).status, 404, path);
  const method = await app.call({ method: "PUT", path: `/deployment/${id}/api/v2/jobs`, headers: bearer(app.key) });
  assert.deepEqual([method.status, headerOf(method, "allow")], [405, "GET, HEAD, POST"]);
});
