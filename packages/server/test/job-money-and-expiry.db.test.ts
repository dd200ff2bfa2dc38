// v2 jobs at their limits, over HTTP: no credit, and time that ran out.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { JobChargeList, JobCharges } from "@atelier/contract";
import { parseCredits } from "../src/capabilities/prices/index.ts";
import { sql } from "../src/foundation/database/index.ts";
import { newId } from "../src/foundation/ids.ts";
import { requireValid } from "../src/foundation/json/schema.ts";
import { type AppAnswer, bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant } from "./support/app-people.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  // No worker runs graphs here, so queued jobs stay queued.
  app = await apps.open({ env: { ATELIER_ENGINE_SLOTS: "0" } });
});
after(() => apps.close());

const submit = (key: string, workflow: object, idempotencyKey?: string) =>
  app.call({
    method: "POST",
    path: "/api/v2/jobs",
    headers: { ...bearer(key), ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }) },
    body: { workflow },
  });
const plain = {
  "1": { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 0 } },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
};
const priced = {
  ...plain,
  "1": {
    class_type: "AtelierModelImage",
    inputs: { model: "sandbox/image-1-queued", prompt: "x", width: 512, height: 512, seed: 1, parameters: "{}" },
  },
};

test("a job that the credits do not cover is 402, stores nothing and releases its key", {
  timeout: 900_000,
}, async () => {
  const poor = await addTenant(app, "poor");
  const refused = await submit(poor.key, priced, "one-key");
  assert.deepEqual([refused.status, memberOf(refused.json(), "error", "code")], [402, "insufficient_credits"]);
  // The error names the required amount and the balance: 512 × 512 pixels at 0.02 USD per megapixel, by 211 credits per
  // USD.
  const error = memberOf(refused.json(), "error");
  assert.deepEqual(memberOf(error, "details"), { needed: "1.106248", available: "0" });
  assert.match(textOf(error, "message"), /needs up to 1\.106248 credits, but the workspace has 0 available/);
  const listed = await app.call({ path: "/api/v2/jobs", headers: bearer(poor.key) });
  assert.deepEqual(memberOf(listed.json(), "data"), []);
  // The refused submission did not use the key up: it works for a job that costs nothing.
  const made = await submit(poor.key, plain, "one-key");
  assert.equal(made.status, 201, made.text);
  assert.equal((await submit(app.key, priced)).status, 201);
});

test("a job whose time ran out is expired, never changes again, and is gone a day later", {
  timeout: 900_000,
}, async () => {
  const made = await submit(app.key, plain);
  const self = textOf(made.json(), "urls", "self");
  const id = textOf(made.json(), "id");
  const read = async () => app.call({ path: self, headers: bearer(app.key) });
  const pastBy = (interval: string) =>
    app.database.execute(sql`
      update jobs set expires_at = expires_at - ${interval}::interval, due_at = due_at - ${interval}::interval
      where id = ${id}`);
  await pastBy("30 days 1 minute");
  const expired = await until(
    "expired",
    async () => {
      const answer = await read();
      return memberOf(answer.json(), "status") === "expired" ? answer : null;
    },
    90,
  );
  assert.equal(expired.status, 200);
  const cancel = await app.call({
    method: "POST",
    path: textOf(made.json(), "urls", "cancel"),
    headers: bearer(app.key),
  });
  assert.equal(memberOf(cancel.json(), "status"), "expired");
  await pastBy("25 hours");
  // Another process: this one has cached the time, which does not change on its own.
  const beside = await apps.open({ beside: app, env: { ATELIER_ENGINE_SLOTS: "0" } });
  const gone = await beside.call({ path: self, headers: bearer(app.key) });
  assert.deepEqual([gone.status, memberOf(gone.json(), "error", "code")], [404, "not_found"]);
});

test("the cost of an ended job is what the wallet lost: in a header of its reads and in its charges by node, in no v2 body", {
  timeout: 900_000,
}, async () => {
  const payer = await addTenant(app, "payer");
  const path = `/admin/workspaces/${payer.workspaceId}/credits`;
  const funded = await app.call({ method: "POST", path, headers: bearer(app.adminToken), body: { amount: "10" } });
  assert.equal(funded.status, 201, funded.text);
  const model = { ...priced["1"], inputs: { ...priced["1"].inputs, width: 64, height: 64 } };
  const save = plain["2"];
  const twice = {
    "1": model,
    "2": save,
    "3": { ...model, inputs: { ...model.inputs, seed: 2 } },
    "4": { ...save, inputs: { ...save.inputs, images: ["3", 0] } },
  };
  // Only the run decides which model this calls, so nothing is held for it at submission.
  const named = { class_type: "PrimitiveString", inputs: { value: "sandbox/image-1-queued" } };
  const linked = { "1": { ...model, inputs: { ...model.inputs, seed: 3, model: ["5", 0] } }, "2": save, "5": named };
  const jobs = {
    paid: await submit(payer.key, twice, "twice"),
    free: await submit(payer.key, plain),
    linked: await submit(payer.key, linked),
  };
  const get = (at: string) => app.call({ path: at, headers: bearer(payer.key) });
  const read = (made: { json(): unknown }) => get(textOf(made.json(), "urls", "self"));
  const chargesOf = async (made: { json(): unknown }) =>
    requireValid(JobCharges, (await get(`/account/jobs/${textOf(made.json(), "id")}/charges`)).json());
  const used = (answer: AppAnswer) => headerOf(answer, "x-service-credits-used") ?? null;
  assert.equal(used(await read(jobs.paid)), null, "not before it has ended");
  assert.deepEqual((await chargesOf(jobs.paid)).credits, null);
  // From now on graphs run.
  await apps.open({ beside: app, env: { ATELIER_ENGINE_SLOTS: "1" } });
  const ended = (made: { json(): unknown }) =>
    until("it ran", async () => {
      const answer = await read(made);
      return memberOf(answer.json(), "status") === "succeeded" ? answer : null;
    });
  const reads = { paid: await ended(jobs.paid), free: await ended(jobs.free), linked: await ended(jobs.linked) };
  assert.equal(used(reads.free), "0");
  const wallet = (await get("/account/credits")).json();
  const lost = 10_000_000n - (parseCredits(textOf(wallet, "available")) ?? 0n);
  assert.ok(lost > 0n && textOf(wallet, "held") === "0");
  const microOf = (text: string | null) => parseCredits(text ?? "") ?? assert.fail(String(text));
  assert.ok(microOf(used(reads.linked)) > 0n, "also where nothing was held at submission");
  assert.equal(microOf(used(reads.paid)) + microOf(used(reads.linked)), lost);
  assert.equal(used(await read(jobs.paid)), used(reads.paid), "also when the answer is remembered");
  const replayed = await submit(payer.key, twice, "twice");
  const again = await app.call({
    method: "POST",
    path: textOf(jobs.paid.json(), "urls", "cancel"),
    headers: bearer(payer.key),
  });
  assert.deepEqual([used(replayed), used(again)], [used(reads.paid), used(reads.paid)]);

  const charges = await chargesOf(jobs.paid);
  assert.deepEqual([charges.credits, charges.running_time], [used(reads.paid), "0"]);
  assert.deepEqual(
    charges.nodes.map(({ node_id, calls }) => [node_id, calls]),
    [
      ["1", 1],
      ["3", 1],
    ],
  );
  assert.equal(
    charges.nodes.reduce((sum, { credits }) => sum + microOf(credits), 0n),
    microOf(charges.credits),
  );
  // Each node leads to the request that it made.
  for (const { node_id, calls, request_ids } of charges.nodes) {
    assert.equal(request_ids.length, calls);
    const request = await get(`/account/requests/${request_ids[0]}`);
    assert.deepEqual(
      [request.status, textOf(request.json(), "job_id"), textOf(request.json(), "node_id")],
      [200, textOf(jobs.paid.json(), "id"), node_id],
    );
  }
  const ids = Object.values(jobs).map((made) => textOf(made.json(), "id"));
  const question = new URLSearchParams([...ids, newId(), ids[0] ?? ""].map((id) => ["job_id", id]));
  const list = requireValid(JobChargeList, (await get(`/account/jobs/charges?${question}`)).json());
  assert.deepEqual(
    list.data.map(({ job_id, credits }) => [job_id, credits]),
    ids.map((id, at) => [id, used(Object.values(reads)[at] ?? assert.fail())]),
    "in the order of the question, unknown ones left out",
  );
  const bodies = [...Object.values(reads), await get("/api/v2/jobs"), replayed].map(({ text }) => text).join();
  assert.doesNotMatch(bodies, /credit|price|charge/i);
});

test("charges are visible to the workspace's keys that may run workflows, and invalid ids are reported", async () => {
  const [one, other] = [await addTenant(app, "one"), await addTenant(app, "other")];
  const id = textOf((await submit(one.key, plain)).json(), "id");
  const status = async (path: string, key: string) => (await app.call({ path, headers: bearer(key) })).status;
  const charges = `/account/jobs/${id}/charges`;
  assert.deepEqual([await status(charges, one.key), await status(charges, other.key)], [200, 404]);
  assert.equal(await status("/account/jobs/7/charges", one.key), 404);
  const foreign = await app.call({ path: `/account/jobs/charges?job_id=${id}`, headers: bearer(other.key) });
  assert.deepEqual(foreign.json(), { data: [] });
  const many = Array.from({ length: 101 }, () => `job_id=${newId()}`).join("&");
  for (const query of ["", "?job_id=7", `?${many}`])
    assert.equal(await status(`/account/jobs/charges${query}`, one.key), 400, query.slice(0, 30));
  const made = await app.call({
    method: "POST",
    path: "/account/keys",
    headers: bearer(app.key),
    body: { name: "models alone", scopes: ["models"] },
  });
  const narrow = textOf(made.json(), "secret");
  assert.deepEqual([await status(charges, narrow), await status("/account/jobs/charges?job_id=7", narrow)], [403, 403]);
});
