// Queued model calls as their callers see them: cancelled, listed, and reported by webhook.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { type AppAnswer, bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, raiseRates, type Tenant } from "./support/app-people.ts";
import { type HeldProvider, heldProvider } from "./support/held-provider.ts";
import { ageRequest, invariantsHold } from "./support/model-request-records-store.ts";
import { type QueuedCall, queuedCall, submitOn, submitted } from "./support/model-requests.ts";
import { type HookReceiver, hookReceiver } from "./support/partner-app.ts";
import { aKey, bucketOf, type RouterApp } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
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

describe("cancelling", () => {
  test("a waiting request is cancelled at once, costs nothing, and stays cancelled under its key", async () => {
    const caller = await newCaller({ concurrency: 1 });
    const running = await submitted(caller, plain, input);
    await reaches(running.id);
    const key = aKey();
    const waiting = await submitted(caller, plain, input, key);
    const cancelled = await waiting.cancel();
    assert.equal(cancelled.status, 202, cancelled.text);
    assert.deepEqual(
      ["status", "error_type", "code"].map((name) => textOf(cancelled.json(), name)),
      ["COMPLETED", "invalid_input", "cancelled"],
    );
    const result = await waiting.result();
    assert.deepEqual([result.status, failureIn(result)], [409, ["invalid_input", "cancelled"]]);
    const again = await waiting.cancel();
    assert.deepEqual([again.status, failureIn(again)], [409, ["invalid_input", "already_completed"]]);
    const revived = await submitOn(caller, plain, input, key);
    assert.equal(textOf(revived.json(), "request_id"), waiting.id);
    const late = await running.cancel();
    assert.deepEqual([late.status, failureIn(late)], [409, ["invalid_input", "cancel_refused"]]);
    assert.equal((await caller.wallet()).held, "4.22");
    arrived(running.id)?.answer();
    await running.until("COMPLETED");
    assert.equal(arrived(waiting.id), undefined, "it never ran");
  });

  test("with a cancel and a start at the same moment it runs or is cancelled, never both", async () => {
    const caller = await newCaller({ concurrency: 4 });
    held.flow(true);
    for (let turn = 0; turn < 20; turn++) {
      const request = await submitted(caller, "held/free", input);
      const cancel = await request.cancel();
      const ended = await request.until("COMPLETED");
      const isCancelled = ended["code"] === "cancelled";
      assert.equal(cancel.status, isCancelled ? 202 : 409, cancel.text);
      assert.equal(arrived(request.id) !== undefined, !isCancelled);
    }
    held.flow(false);
  });
});

describe("other callers, and lists", () => {
  test("a foreign, malformed or unknown id, and another model's, are the same 404", async () => {
    const caller = await newCaller();
    const other = await newCaller();
    held.flow(true);
    const request = await submitted(caller, plain, input);
    await request.until("COMPLETED");
    held.flow(false);
    const bodies = new Set<string>();
    for (const [model, id] of [
      [plain, request.id],
      [plain, randomUUID()],
      [plain, "1"],
      [plain, request.id.toUpperCase()],
    ] as const) {
      const foreign = queuedCall(other, model, id);
      for (const answer of [await foreign.status(), await foreign.result(), await foreign.cancel()]) {
        assert.deepEqual([answer.status, failureIn(answer)], [404, ["invalid_input", "request_not_found"]]);
        bodies.add(answer.text);
      }
    }
    const elsewhere = await queuedCall(caller, "held/free", request.id).status();
    bodies.add(elsewhere.text);
    assert.deepEqual([elsewhere.status, bodies.size], [404, 1]);
    const listed = await app.call({ path: "/v1/requests", headers: bearer(other.key) });
    assert.deepEqual(listOf(listed.json(), "data"), []);
  });

  test("a list goes newest first, can be filtered, and accepts only its own cursors", async () => {
    const caller = await newCaller();
    held.flow(true);
    const made: QueuedCall[] = [];
    for (const model of [plain, "held/free", plain, "held/free", plain]) {
      const request = await submitted(caller, model, input);
      await request.until("COMPLETED");
      made.push(request);
    }
    held.flow(false);
    const read = async (query: string) => {
      const answer = await app.call({ path: `/v1/requests${query}`, headers: bearer(caller.key) });
      assert.equal(answer.status, 200, answer.text);
      return answer.json();
    };
    const ids: string[] = [];
    let cursor: unknown = "";
    do {
      const page = await read(`?limit=2${cursor ? `&cursor=${String(cursor)}` : ""}`);
      ids.push(...listOf(page, "data").map((each) => textOf(each, "request_id")));
      cursor = memberOf(page, "next_cursor");
    } while (cursor !== undefined);
    assert.deepEqual(ids, made.map(({ id }) => id).reverse());
    assert.equal(listOf(await read("?model=held/free&status=COMPLETED"), "data").length, 2);
    assert.deepEqual(listOf(await read("?status=IN_QUEUE"), "data"), []);
    const foreign = memberOf(await read("?limit=2"), "next_cursor");
    for (const query of [`?status=COMPLETED&cursor=${String(foreign)}`, "?cursor=x", "?status=DONE", "?model=a/b/c"]) {
      const refused = await app.call({ path: `/v1/requests${query}`, headers: bearer(caller.key) });
      assert.deepEqual([refused.status, bucketOf(refused)], [400, "invalid_input"], query);
    }
    await ageRequest(app.database, made[0]?.id ?? "", 24 * 3600 + 1);
    assert.equal((await made[0]?.result())?.status, 404, "its day is over");
  });
});

describe("webhooks", () => {
  test("the end is sent once, signed, with the body of a read; by query or by header", async () => {
    const caller = await newCaller();
    const secret = textOf(
      (
        await app.call({
          method: "POST",
          path: "/account/webhooks/secrets",
          headers: bearer(caller.key),
          body: { overlap_seconds: 0 },
        })
      ).json(),
      "secret",
    );
    held.flow(true);
    const byQuery = await submitted(caller, plain, input, {}, `?webhook_url=${encodeURIComponent(receiver.url)}`);
    const byHeader = await submitted(caller, plain, input, { "x-service-webhook-url": receiver.url });
    for (const request of [byQuery, byHeader]) {
      const status = await request.until("COMPLETED");
      const hook = await until(
        "the notice came",
        () => receiver.hooks.find(({ value }) => value["request_id"] === request.id) ?? null,
      );
      assert.deepEqual(hook.value, { ...status, sequence: 1, type: "model_request.completed" });
      new Webhook(secret).verify(hook.text, hook.headers);
    }
    held.flow(false);
  });

  test("a forbidden address is refused before anything is held", async () => {
    const caller = await newCaller();
    const bad = ["http://169.254.169.254/x", "ftp://example.com/", "https://user:pw@example.com/", "nonsense"];
    for (const url of bad) {
      const answer = await submitOn(caller, plain, input, { "x-service-webhook-url": url });
      assert.deepEqual([answer.status, bucketOf(answer)], [400, "invalid_input"], url);
    }
    const two = await submitOn(
      caller,
      plain,
      input,
      { "x-service-webhook-url": receiver.url },
      "?webhook_url=https%3A%2F%2Fexample.com%2F",
    );
    assert.equal(two.status, 400);
    assert.deepEqual(await caller.wallet(), { available: "100", held: "0", inFlight: 0 });
  });
});
