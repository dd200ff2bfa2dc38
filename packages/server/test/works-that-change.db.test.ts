// Works that change while they are called, and works of other workspaces.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createAudit } from "../src/capabilities/audit/index.ts";
import { parseCredits } from "../src/capabilities/prices/index.ts";
import { deleteWorkspace } from "../src/capabilities/workspace-data/index.ts";
import { systemClock } from "../src/foundation/clock.ts";
import { trustedId } from "../src/foundation/ids.ts";
import { allInvariants } from "../src/processes/invariants.ts";
import { workspaceHoldings } from "../src/processes/workspace-holdings.ts";
import { bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, type Tenant } from "./support/app-people.ts";
import { aKey } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import { storeWork } from "./support/stored-works.ts";
import type { TestApp } from "./support/test-app.ts";
import { pictureOf, pixelsOf, posterForm, posterGraph, slowWork } from "./support/work-calls.ts";

let apps: SandboxApps;
let app: TestApp;
let stranger: Tenant;
let slow: string;
let poster: string;
let frame: string;
const provider = "w.studio";
const gift = { amount: "100", note: "for a call" };

before(async () => {
  apps = await sandboxApps();
  app = await apps.open({ env: { ATELIER_BOOTSTRAP_CREDITS: "100000", ATELIER_ENGINE_SLOTS: "2" } });
  stranger = await addTenant(app, "stranger");
  const { workspaceId } = app;
  slow = await storeWork(app.database, { workspaceId, provider, name: "slow", ...slowWork(4) });
  poster = await storeWork(app.database, {
    workspaceId,
    provider,
    name: "poster",
    graph: posterGraph,
    form: posterForm,
  });
  frame = await storeWork(app.database, {
    workspaceId,
    provider,
    name: "frame",
    graph: {
      "1": { class_type: "LoadImage", inputs: { image: "nothing.png" } },
      "2": { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
      "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "frame" } },
    },
    form: {
      inputs: [{ name: "picture", node: "1", input: "image", kind: "picture", required: true }],
      outputs: [{ name: "result", node: "3" }],
    },
  });
});
after(() => apps.close());

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, key = app.key) =>
  app.call({
    method,
    path,
    headers: { ...bearer(key), ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
const call = (id: string, body: unknown, headers: Record<string, string> = {}, key = app.key) =>
  send("POST", `/v1/models/${id}`, body, headers, key);

const balance = async (key = app.key) => {
  const answer = await send("GET", "/account/credits", undefined, {}, key);
  return parseCredits(textOf(answer.json(), "available")) ?? assert.fail(answer.text);
};

describe("while a work changes", () => {
  test("a call whose job is cancelled says so, and its key gives the same answer again", async () => {
    const headers = aKey();
    const calling = call(slow, {}, headers);
    const jobId = await until("the job of the call exists", async () => {
      const jobs = await send("GET", `/api/v2/jobs?metadata[work]=${encodeURIComponent(`${slow}.v1`)}&status=running`);
      const [job] = memberOf(jobs.json(), "data") as unknown[];
      return job === undefined ? null : textOf(job, "id");
    });
    assert.equal((await send("POST", `/api/v2/jobs/${jobId}/cancel`)).status, 200);
    const answer = await calling;
    assert.equal(answer.status, 409, answer.text);
    assert.equal(headerOf(answer, "x-service-error-type"), "invalid_input");
    assert.equal(headerOf(answer, "x-service-job-id"), jobId);
    assert.equal((await call(slow, {}, headers)).text, answer.text);
  });

  test("a call ends as usual although the work was withdrawn meanwhile; the next one finds nothing", async () => {
    const id = await storeWork(app.database, {
      workspaceId: app.workspaceId,
      provider,
      name: "leaving",
      ...slowWork(1),
    });
    const calling = call(id, {});
    await until("its job runs", async () => {
      const jobs = await send("GET", `/api/v2/jobs?metadata[work]=${encodeURIComponent(`${id}.v1`)}&status=running`);
      return (memberOf(jobs.json(), "data") as unknown[]).length > 0;
    });
    const withdrawn = await send("DELETE", "/account/works/leaving");
    assert.equal(withdrawn.status, 204, withdrawn.text);
    assert.equal((await calling).status, 200);
    assert.equal((await call(id, {})).status, 404);
  });

  test("a class that no worker has any more is named, and nothing is held", async () => {
    const id = await storeWork(app.database, {
      workspaceId: app.workspaceId,
      provider,
      name: "gone",
      graph: {
        ...posterGraph,
        "3": { class_type: "VanishedNode", inputs: {} },
        "4": { class_type: "SaveImage", inputs: { images: ["3", 0], filename_prefix: "x" } },
      },
      form: posterForm,
    });
    const before = await balance();
    const answer = await call(id, { prompt: "x" });
    assert.equal(answer.status, 503, answer.text);
    assert.match(answer.text, /VanishedNode/);
    assert.equal(await balance(), before);
  });

  test("a deprecated work says so in its headers, and answers 404 from its sunset on", async () => {
    const id = await storeWork(app.database, {
      workspaceId: app.workspaceId,
      provider,
      name: "ageing",
      graph: posterGraph,
      form: posterForm,
    });
    const deprecated = await send("PATCH", "/account/works/ageing", {
      deprecated_at: "2026-01-01T00:00:00.000Z",
      sunset_at: "2999-01-01T00:00:00.000Z",
    });
    assert.equal(deprecated.status, 200, deprecated.text);
    const answer = await call(id, { prompt: "x" });
    assert.equal(answer.status, 200, answer.text);
    assert.ok(headerOf(answer, "deprecation") && headerOf(answer, "sunset"), JSON.stringify(answer.headers));
    await send("PATCH", "/account/works/ageing", { sunset_at: "2026-01-02T00:00:00.000Z" });
    assert.equal((await call(id, { prompt: "x" })).status, 404);
  });
});

describe("a public work", () => {
  test("runs for another workspace with its own files, at that workspace's expense", async () => {
    const picture = await pictureOf(await call(poster, { prompt: "lent", seed: 1 }), "picture");
    const own = await call(frame, { picture: `data:image/png;base64,${picture.toString("base64")}` });
    const asset = textOf(memberOf(own.json(), "inputs"), "picture");
    const id = await storeWork(app.database, {
      workspaceId: app.workspaceId,
      provider,
      name: "lending",
      visibility: "public",
      graph: {
        "1": { class_type: "LoadImage", inputs: { image: { __type: "core/ASSET", info: { id: asset } } } },
        "2": { class_type: "ImageInvert", inputs: { image: ["1", 0] } },
        "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "lent" } },
      },
      form: { inputs: [], outputs: [{ name: "result", node: "3" }] },
    });
    const before = await balance();
    const answer = await call(id, {}, {}, stranger.key);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(await pixelsOf(answer, "result"), await pixelsOf(own, "result"));
    assert.equal(await balance(), before);
    const job = await send("GET", `/api/v2/jobs/${textOf(answer.json(), "job_id")}`, undefined, {}, stranger.key);
    assert.equal(job.status, 200, job.text);
    assert.equal((await send("GET", `/api/v2/assets/${asset}`, undefined, {}, stranger.key)).status, 404);
  });

  test("ends as usual for a caller although its publisher's workspace was deleted meanwhile, and is paid once", async () => {
    const publisher = await addTenant(app, "leaver");
    const id = await storeWork(app.database, {
      workspaceId: publisher.workspaceId,
      provider: "w.leaver",
      name: "slow",
      visibility: "public",
      ...slowWork(3),
    });
    const funded = await send(
      "POST",
      `/admin/workspaces/${stranger.workspaceId}/credits`,
      gift,
      aKey(),
      app.adminToken,
    );
    assert.equal(funded.status, 201, funded.text);
    const [headers, before] = [aKey(), await balance(stranger.key)];
    const calling = call(id, {}, headers, stranger.key);
    await until("its job runs", async () => {
      const path = `/api/v2/jobs?metadata[work]=${encodeURIComponent(`${id}.v1`)}&status=running`;
      const jobs = await send("GET", path, undefined, {}, stranger.key);
      return (memberOf(jobs.json(), "data") as unknown[]).length > 0;
    });
    const { database } = app;
    const deps = { database, clock: systemClock, audit: createAudit({ database }), holdings: workspaceHoldings };
    const by = { kind: "system", id: null, name: "test" } as const;
    await deleteWorkspace(deps, trustedId(publisher.workspaceId), by);
    const answer = await calling;
    assert.equal(answer.status, 200, answer.text);
    const used = parseCredits(headerOf(answer, "x-service-credits-used") ?? "") ?? assert.fail();
    assert.ok(used > 0n);
    assert.equal(before - (await balance(stranger.key)), used);
    // The model is looked up before the key (Decisions, section 3); what was paid for is in the job.
    assert.equal((await call(id, {}, headers, stranger.key)).status, 404);
    const job = await send("GET", `/api/v2/jobs/${textOf(answer.json(), "job_id")}`, undefined, {}, stranger.key);
    assert.equal(textOf(job.json(), "status"), "succeeded");
    assert.equal(before - (await balance(stranger.key)), used);
    for (const { name, statement } of allInvariants) assert.deepEqual(await database.query(statement), [], name);
  });
});
