// Queued model calls over HTTP: the same bytes, money and once-ness as the synchronous call, without holding a
// connection.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { type AppAnswer, bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, raiseRates, type Tenant } from "./support/app-people.ts";
import { type HeldProvider, heldProvider } from "./support/held-provider.ts";
import {
  ageRequest,
  bodyBlobs,
  invariantsHold,
  requestRows,
  startedOrder,
} from "./support/model-request-records-store.ts";
import { type QueuedCall, queuedCall, submitOn, submitted } from "./support/model-requests.ts";
import { type HookReceiver, hookReceiver } from "./support/partner-app.ts";
import { putProvider } from "./support/provider-example-calls.ts";
import { aKey, bucketOf, invokeOn, type RouterApp } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { sha256Of } from "./support/sandbox-provider.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

const plain = "held/plain";
const input = { prompt: "a lighthouse" };
let apps: SandboxApps;
let held: HeldProvider;
let receiver: HookReceiver;
let app: TestApp;
let env: Record<string, string>;

before(async () => {
  apps = await sandboxApps();
  held = await heldProvider("held");
  receiver = await hookReceiver();
  const files = [apps.file, await apps.write("held", held.definition)].join(",");
  env = { ATELIER_PROVIDERS: files, ATELIER_WEBHOOK_TARGETS: receiver.target };
  app = await apps.open({ env });
});
after(async () => {
  held.flow(true);
  await invariantsHold(app.database).finally(async () => {
    await apps.close();
    await held.close();
    await receiver.close();
  });
});

// The bucket and the reason, which are also in the body.
function failureIn(answer: AppAnswer): readonly (string | undefined)[] {
  const reported = [bucketOf(answer), headerOf(answer, "x-service-error-reason")];
  assert.deepEqual([memberOf(answer.json(), "error_type"), memberOf(answer.json(), "code")], reported);
  return reported;
}

async function put(path: string, body: unknown): Promise<void> {
  const answer = await app.call({ method: "PUT", path, headers: bearer(app.adminToken), body });
  assert.equal(answer.status, 200, answer.text);
}

interface Caller extends RouterApp {
  readonly tenant: Tenant;
  wallet(): Promise<{ available: string; held: string; inFlight: number }>;
}

// A separate workspace with credits and limits, so that no test sees another's queue.
async function newCaller(limits: Readonly<Record<string, number>> = {}, credits = "100"): Promise<Caller> {
  const tenant = await addTenant(app, `Ada ${randomUUID()}`);
  await raiseRates(app, tenant.workspaceId);
  const workspace = `/admin/workspaces/${tenant.workspaceId}`;
  for (const [name, value] of Object.entries(limits)) await put(`${workspace}/limits/${name}`, { value });
  if (credits !== "0") {
    const funded = await app.call({
      method: "POST",
      path: `${workspace}/credits`,
      headers: bearer(app.adminToken),
      body: { amount: credits },
    });
    assert.equal(funded.status, 201, funded.text);
  }
  return {
    call: app.call,
    key: tenant.key,
    tenant,
    async wallet() {
      const answer = (await app.call({ path: "/account/credits", headers: bearer(tenant.key) })).json();
      return {
        available: textOf(answer, "available"),
        held: textOf(answer, "held"),
        inFlight: Number(memberOf(answer, "in_flight")),
      };
    },
  };
}

const arrived = (id: string) => held.calls.find(({ reference }) => reference === id);
const reaches = (id: string) => until(`${id} is at the provider`, () => arrived(id) ?? null);

describe("submission, status and result", () => {
  test("a call is answered at once, held, run, and returns the provider's bytes and headers", async () => {
    const caller = await newCaller();
    const answer = await submitOn(caller, plain, input);
    assert.equal(answer.status, 202, answer.text);
    const accepted = answer.json();
    const id = textOf(accepted, "request_id");
    const own = `${app.baseUrl}/v1/models/${plain}/requests/${id}`;
    assert.deepEqual(accepted, {
      request_id: id,
      status: "IN_QUEUE",
      queue_position: 0,
      status_url: `${own}/status`,
      response_url: own,
      cancel_url: `${own}/cancel`,
    });
    assert.equal(headerOf(answer, "location"), `${own}/status`);
    const request = queuedCall(caller, plain, id);
    const call = await reaches(id);
    assert.deepEqual(await caller.wallet(), { available: "95.78", held: "4.22", inFlight: 1 });
    const running = await request.status();
    assert.deepEqual([textOf(running.json(), "status"), headerOf(running, "retry-after")], ["IN_PROGRESS", "1"]);
    assert.equal(memberOf(running.json(), "queue_position"), undefined);
    const early = await request.result();
    assert.deepEqual([early.status, headerOf(early, "retry-after")], [202, "1"]);
    assert.deepEqual(early.json(), running.json());
    call.answer(200, { picture: 1 });
    const completed = await request.until("COMPLETED");
    assert.deepEqual([completed["credits_used"], completed["error_type"]], ["4.22", undefined]);
    const result = await request.result();
    assert.deepEqual([result.status, result.text], [200, '{"picture":1}']);
    assert.equal(headerOf(result, "x-service-credits-used"), "4.22");
    assert.equal(headerOf(result, "content-type"), "application/json");
    assert.deepEqual(await caller.wallet(), { available: "95.78", held: "0", inFlight: 0 });
  });

  test("the provider gets the caller's bytes: white space, large integers, small bodies and large ones", async () => {
    const texts = [
      '{ "prompt" :\n "sea",  "seed":90071992547409931234 , "x": 1.50 }',
      `{"prompt":"large", "filling": "${"x".repeat(300_000)}" , "seed": 90071992547409931234}`,
    ];
    for (const text of texts) {
      const request = await submitted(app, "sandbox/open-1", text);
      await request.until("COMPLETED");
      const seen = await apps.reference(request.id);
      assert.deepEqual([seen?.runs, seen?.request_sha256], [1, sha256Of(Buffer.from(text))]);
      const result = await request.result();
      assert.equal(sha256Of(result.bytes), seen?.response_sha256);
    }
    assert.equal(await bodyBlobs(app.database), 0, "the input of a request that has completed is let go");
  });

  test("a failure is COMPLETED with its bucket, and the result is the synchronous call's answer", async () => {
    const caller = await newCaller();
    const request = await submitted(caller, plain, input);
    (await reaches(request.id)).answer(500, { error: "broken" });
    const completed = await request.until("COMPLETED");
    assert.deepEqual([completed["error_type"], completed["credits_used"]], ["provider_error", "0"]);
    const result = await request.result();
    assert.deepEqual([result.status, bucketOf(result)], [502, "provider_error"]);
    assert.equal(textOf(result.json(), "detail"), completed["detail"]);
    assert.equal(headerOf(result, "x-service-upstream-status"), "500");
    assert.equal((await caller.wallet()).available, "100");
  });

  test("a call refused by the schema, too expensive or for an unknown model starts nothing", async () => {
    const poor = await newCaller({}, "4");
    const rows = await requestRows(app.database);
    const refused = await submitOn(poor, plain, { prompt: 7 });
    assert.deepEqual([refused.status, bucketOf(refused)], [422, "invalid_input"]);
    const broke = await submitOn(poor, plain, input);
    assert.deepEqual([broke.status, bucketOf(broke)], [402, "insufficient_credits"]);
    const limited = await submitOn(poor, plain, input, { "x-service-max-credits": "4.21" });
    assert.deepEqual([limited.status, bucketOf(limited)], [422, "invalid_input"]);
    assert.match(textOf(limited.json(), "detail"), /4\.22.*4\.21/);
    const unknown = await submitOn(poor, "held/none", input);
    assert.deepEqual([unknown.status, bucketOf(unknown)], [404, "model_not_found"]);
    const large = await submitOn(poor, plain, `{"prompt":"${"x".repeat(20 * 1024 * 1024)}"}`);
    assert.deepEqual([large.status, bucketOf(large)], [413, "invalid_input"]);
    assert.equal(await requestRows(app.database), rows);
    assert.deepEqual(await poor.wallet(), { available: "4", held: "0", inFlight: 0 });
  });
});

describe("exactly once", () => {
  test("the same key is the same request, waiting, running and completed; another body under it is refused", async () => {
    const caller = await newCaller();
    const key = aKey();
    const request = await submitted(caller, plain, input, key);
    const again = await submitOn(caller, plain, input, key);
    assert.deepEqual([again.status, textOf(again.json(), "request_id")], [202, request.id]);
    assert.equal(headerOf(again, "idempotent-replayed"), "true");
    const other = await submitOn(caller, plain, { prompt: "another" }, key);
    assert.deepEqual([other.status, bucketOf(other)], [409, "invalid_input"]);
    const synchronous = await invokeOn(caller, plain, input, key);
    assert.deepEqual([synchronous.status, bucketOf(synchronous)], [409, "invalid_input"], "its path differs");
    (await reaches(request.id)).answer();
    await request.until("COMPLETED");
    const replayed = await submitOn(caller, plain, input, key);
    assert.deepEqual(
      [textOf(replayed.json(), "request_id"), textOf(replayed.json(), "status")],
      [request.id, "COMPLETED"],
    );
    assert.equal(held.calls.filter(({ reference }) => reference === request.id).length, 1);
  });

  test("fifty submissions at once under one key on two processes are one request and one run", async () => {
    const second = await apps.open({ beside: app, env });
    const key = aKey();
    const before = await apps.runs();
    const body = { prompt: "hills", width: 64, height: 64 };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => submitOn(index % 2 ? app : second, "sandbox/image-1-queued", body, key)),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [202]);
    const ids = new Set(answers.map((answer) => textOf(answer.json(), "request_id")));
    assert.equal(ids.size, 1);
    await queuedCall(app, "sandbox/image-1-queued", [...ids][0] ?? "").until("COMPLETED");
    assert.equal((await apps.runs()) - before, 1);
  });
});

describe("waiting", () => {
  test("slots are shared with synchronous calls; waiting requests go in order of submission, costly ones in their lane", async () => {
    const caller = await newCaller({ concurrency: 2 }, "9000");
    const first = await submitted(caller, plain, input);
    await reaches(first.id);
    const costly = await submitted(caller, "held/costly", input);
    await reaches(costly.id);
    const busy = await invokeOn(caller, plain, input);
    assert.deepEqual([busy.status, bucketOf(busy)], [429, "concurrency_limit_exceeded"]);
    const second = await submitted(caller, "held/costly", input);
    const third = await submitted(caller, plain, input);
    const position = async (request: QueuedCall) => memberOf((await request.status()).json(), "queue_position");
    assert.deepEqual([await position(second), await position(third)], [0, 1]);
    assert.equal((await caller.wallet()).inFlight, 2);
    // There is a slot, but none for costly calls: the plain call behind it is served.
    arrived(first.id)?.answer();
    await reaches(third.id);
    assert.equal(arrived(second.id), undefined);
    arrived(costly.id)?.answer();
    await reaches(second.id);
    for (const { id } of [second, third]) arrived(id)?.answer();
    for (const request of [first, costly, second, third]) await request.until("COMPLETED");
    assert.deepEqual(
      await startedOrder(app.database, caller.tenant.workspaceId),
      [first, costly, third, second].map(({ id }) => id),
    );
  });

  test("exactly as many wait as the limit says; waiting needs no synchronous slot", async () => {
    const caller = await newCaller({ concurrency: 1, queued_requests: 3 });
    const running = await submitted(caller, plain, input);
    await reaches(running.id);
    const waiting: QueuedCall[] = [];
    for (let count = 0; count < 3; count++) waiting.push(await submitted(caller, plain, input));
    const full = await submitOn(caller, plain, input, aKey());
    assert.deepEqual(
      [full.status, failureIn(full), headerOf(full, "retry-after")],
      [429, ["rate_limited", "queue_backlog_full"], "5"],
    );
    const together = await Promise.all(Array.from({ length: 5 }, () => submitOn(caller, plain, input)));
    assert.deepEqual([...new Set(together.map(({ status }) => status))], [429]);
    assert.equal((await caller.wallet()).held, "16.88", "nothing is held for what was refused");
    assert.equal((await waiting[0]?.cancel())?.status, 202);
    const races = await Promise.all(Array.from({ length: 4 }, () => submitOn(caller, plain, input)));
    assert.deepEqual(races.map(({ status }) => status).sort(), [202, 429, 429, 429]);
    held.flow(true);
    await running.until("COMPLETED");
    await waiting[2]?.until("COMPLETED");
    held.flow(false);
  });

  test("a hundred requests of one workspace hold up no other workspace", async () => {
    const many = await newCaller({ concurrency: 1 }, "1000");
    const few = await newCaller({ concurrency: 1 });
    const queued = await Promise.all(Array.from({ length: 100 }, () => submitted(many, plain, input)));
    const one = await submitted(few, plain, input);
    (await reaches(one.id)).answer();
    await one.until("COMPLETED");
    const last = queued.at(-1);
    assert.equal(textOf((await last?.status())?.json(), "status"), "IN_QUEUE");
    held.flow(true);
    for (const request of queued) assert.equal((await request.until("COMPLETED"))["detail"], undefined);
    held.flow(false);
    assert.deepEqual(await many.wallet(), { available: "578", held: "0", inFlight: 0 });
  });

  test("a request that waits too long ends as queue_timeout, costs nothing, and its key may be used again", async () => {
    const caller = await newCaller({ concurrency: 1 });
    const running = await submitted(caller, plain, input);
    await reaches(running.id);
    const key = aKey();
    const late = await submitted(caller, plain, input, key);
    await ageRequest(app.database, late.id, 86_401);
    const ended = await late.until("COMPLETED");
    assert.deepEqual(
      [ended["error_type"], ended["code"], ended["credits_used"], ended["started_at"]],
      ["deadline_exceeded", "queue_timeout", "0", undefined],
    );
    const result = await late.result();
    assert.deepEqual([result.status, failureIn(result)], [504, ["deadline_exceeded", "queue_timeout"]]);
    assert.equal(headerOf(result, "x-service-credits-used"), "0", "the bucket alone would leave it open");
    assert.equal((await caller.wallet()).held, "4.22");
    const again = await submitted(caller, plain, input, key);
    assert.notEqual(again.id, late.id);
    arrived(running.id)?.answer();
    (await reaches(again.id)).answer();
    await again.until("COMPLETED");
  });

  test("while it waits the model may be withdrawn, or the right to run it", async () => {
    const caller = await newCaller({ concurrency: 1 });
    const running = await submitted(caller, plain, input);
    await reaches(running.id);
    const taken = await submitted(caller, "held/free", input);
    await put("/admin/models/held/free/release", { released: false });
    arrived(running.id)?.answer();
    const gone = await taken.until("COMPLETED");
    assert.equal(gone["error_type"], "model_not_found");
    await put("/admin/models/held/free/release", { released: true });
    const next = await submitted(caller, plain, input);
    await reaches(next.id);
    const refused = await submitted(caller, plain, input);
    await put(`/admin/workspaces/${caller.tenant.workspaceId}/models`, { router_enabled: true, entitlements: [] });
    arrived(next.id)?.answer();
    const ended = await refused.until("COMPLETED");
    assert.deepEqual([ended["error_type"], ended["credits_used"]], ["forbidden", "0"]);
    assert.equal((await caller.wallet()).held, "0");
  });
});

test("revoking a key while its request waits changes nothing: it runs, and the workspace pays", async () => {
  const caller = await newCaller({ concurrency: 1 });
  const running = await submitted(caller, plain, input);
  await reaches(running.id);
  const headers = bearer(caller.key);
  const made = await app.call({ method: "POST", path: "/account/keys", headers, body: { name: "soon gone" } });
  assert.equal(made.status, 201, made.text);
  const key = textOf(made.json(), "secret");
  const { id } = await submitted({ ...caller, key }, plain, input);
  const path = `/account/keys/${textOf(made.json(), "id")}`;
  assert.equal((await app.call({ method: "DELETE", path, headers })).status, 200);
  assert.equal((await app.call({ path: "/v1/requests", headers: bearer(key) })).status, 401);
  arrived(running.id)?.answer();
  (await reaches(id)).answer();
  const status = `/v1/models/${plain}/requests/${id}/status`;
  const ended = await until("it has completed", async () => {
    const answer = (await app.call({ path: status, headers })).json();
    return textOf(answer, "status") === "COMPLETED" ? answer : null;
  });
  assert.equal(memberOf(ended, "error_type"), undefined);
  assert.equal((await caller.wallet()).held, "0");
  assert.notEqual(textOf(ended, "credits_used"), "0");
});

test("a definition changed while a request waits applies to the run; the price at submission applies to the charge", async () => {
  const caller = await newCaller({ concurrency: 1 });
  const running = await submitted(caller, plain, input);
  await reaches(running.id);
  const [kept, refused] = [await submitted(caller, plain, input), await submitted(caller, "held/free", input)];
  const models = held.definition.models.map((model) =>
    model.model === "plain"
      ? { ...model, price: { usd: "0.05" } }
      : { ...model, input_schema: { type: "object", required: ["size"], properties: { size: { type: "integer" } } } },
  );
  const put = await putProvider(app, { ...held.definition, models });
  assert.equal(put.status, 201, put.text);
  arrived(running.id)?.answer();
  (await reaches(kept.id)).answer();
  assert.equal((await kept.until("COMPLETED"))["credits_used"], "4.22");
  assert.equal((await refused.until("COMPLETED"))["error_type"], "invalid_input");
  assert.deepEqual([(await refused.result()).status, arrived(refused.id)], [422, undefined]);
  const removed = await app.call({ method: "DELETE", path: "/admin/providers/held", headers: bearer(app.adminToken) });
  assert.equal(removed.status, 204, removed.text);
});
