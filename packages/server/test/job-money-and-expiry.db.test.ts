// v2 jobs at their edges, over HTTP: no credit, and time that ran out.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { parseCredits } from "../src/capabilities/prices/index.ts";
import { sql } from "../src/foundation/database/index.ts";
import { bearer, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant } from "./support/app-people.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  // No worker runs graphs here: what is queued stays queued.
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

test("a job that the credits do not cover is 402, stores nothing and gives its key back", {
  timeout: 300_000,
}, async () => {
  const poor = await addTenant(app, "poor");
  const refused = await submit(poor.key, priced, "one-key");
  assert.deepEqual([refused.status, memberOf(refused.json(), "error", "code")], [402, "insufficient_credits"]);
  // Need and balance are named: 512 × 512 pixels at 0.02 USD per megapixel, by 211 credits per USD.
  const error = memberOf(refused.json(), "error");
  assert.deepEqual(memberOf(error, "details"), { needed: "1.106248", available: "0" });
  assert.match(textOf(error, "message"), /needs up to 1\.106248 credits, and the workspace has 0 available/);
  const listed = await app.call({ path: "/api/v2/jobs", headers: bearer(poor.key) });
  assert.deepEqual(memberOf(listed.json(), "data"), []);
  // The same key again, with a job that costs nothing: it is not another use of it.
  const made = await submit(poor.key, plain, "one-key");
  assert.equal(made.status, 201, made.text);
  assert.equal((await submit(app.key, priced)).status, 201);
});

test("a job whose time ran out is expired, never changes again, and is gone a day later", {
  timeout: 300_000,
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
  // Another process: this one remembers the time that it read, which does not change by itself.
  const beside = await apps.open({ beside: app, env: { ATELIER_ENGINE_SLOTS: "0" } });
  const gone = await beside.call({ path: self, headers: bearer(app.key) });
  assert.deepEqual([gone.status, memberOf(gone.json(), "error", "code")], [404, "not_found"]);
});

test("an ended job says what it was charged, alone and in lists: what the wallet lost; a free one nothing", {
  timeout: 300_000,
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
  const [paid, free] = [await submit(payer.key, twice), await submit(payer.key, plain)];
  const read = async (made: { json(): unknown }) =>
    (await app.call({ path: textOf(made.json(), "urls", "self"), headers: bearer(payer.key) })).json();
  assert.equal(memberOf(await read(paid), "credits_used"), null, "not before it has ended");
  // From now on graphs run.
  await apps.open({ beside: app, env: { ATELIER_ENGINE_SLOTS: "1" } });
  const ended = (made: { json(): unknown }) =>
    until("it ran", async () => {
      const job = await read(made);
      return memberOf(job, "status") === "succeeded" ? job : null;
    });
  const charged = textOf(await ended(paid), "credits_used");
  assert.equal(memberOf(await ended(free), "credits_used"), "0");
  const wallet = (await app.call({ path: "/account/credits", headers: bearer(payer.key) })).json();
  const lost = 10_000_000n - (parseCredits(textOf(wallet, "available")) ?? 0n);
  assert.ok(lost > 0n && textOf(wallet, "held") === "0");
  assert.equal(parseCredits(charged), lost);
  const nodes = listOf(memberOf(await read(paid), "progress"), "nodes");
  const costs = nodes.map((node) => memberOf(node, "credits"));
  assert.deepEqual(
    nodes.map((node, at) => [textOf(node, "node_id"), costs[at] === null]),
    [
      ["1", false],
      ["2", true],
      ["3", false],
      ["4", true],
    ],
    "each node says what its own call was charged",
  );
  assert.equal(
    costs.map((cost) => parseCredits(String(cost ?? "0")) ?? 0n).reduce((sum, cost) => sum + cost, 0n),
    lost,
  );
  const listed = await app.call({ path: "/api/v2/jobs", headers: bearer(payer.key) });
  assert.deepEqual(
    listOf(listed.json(), "data").map((job) => memberOf(job, "credits_used")),
    ["0", charged],
  );
});
