// The crash smoke test of the router; `npm run torture -- router` and `npm run torture -- requests` are the long ones.
// When the only server is killed, two calls are at the provider, one polled and one answered directly, and a queued call
// is running while two more wait for its slot.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { headerOf } from "../support/app-client.ts";
import { invariantsHold } from "../support/model-request-records-store.ts";
import { type QueuedCall, queuedCall, submitted } from "../support/model-requests.ts";
import { type HookReceiver, hookReceiver } from "../support/partner-app.ts";
import { recordedByCall, recordedUnderKey, walletOf } from "../support/router-records-store.ts";
import { sha256Of } from "../support/sandbox-provider.ts";
import { until } from "../support/server-process.ts";
import { type RouterServer, type RouterWorld, routerWorld } from "./router-world.ts";

let world: RouterWorld;
let receiver: HookReceiver;
before(async () => {
  receiver = await hookReceiver();
  world = await routerWorld({ ATELIER_WEBHOOK_TARGETS: receiver.target }, { concurrency: 3 });
});
after(async () => {
  await world.close();
  await receiver.close();
});

const queuedModel = "sandbox/voice-1";

// One that runs for long, and two that wait for its slot; the last one is cancelled.
async function queueThree(caller: Parameters<typeof submitted>[0]): Promise<QueuedCall[]> {
  const submit = (seconds: number) =>
    submitted(
      caller,
      queuedModel,
      { prompt: "queued", simulate_seconds: seconds },
      { "x-service-webhook-url": receiver.url },
    );
  const requests = [await submit(9)];
  await requests[0]?.until("IN_PROGRESS");
  await until("the provider works on it", () => world.provider.reference(requests[0]?.id ?? ""));
  for (let count = 0; count < 2; count++) requests.push(await submit(0));
  assert.equal((await requests[2]?.cancel())?.status, 202);
  return requests;
}

async function endOf(caller: Parameters<typeof queuedCall>[0], { id }: QueuedCall, reason: string | undefined) {
  const ended = await queuedCall(caller, queuedModel, id).until("COMPLETED");
  assert.equal(ended["code"], reason);
  const [recorded, seen] = [await recordedByCall(world.database, id), await world.provider.reference(id)];
  const isRun = reason === undefined;
  assert.deepEqual([seen?.runs ?? 0, recorded?.settleLines], isRun ? [1, 1] : [0, 0]);
  await until("its end is told", () => receiver.hooks.some(({ value }) => value["request_id"] === id));
  if (!isRun) return;
  const result = await queuedCall(caller, queuedModel, id).result();
  assert.equal(sha256Of(result.bytes), seen?.response_sha256);
}

interface Asked {
  readonly model: string;
  readonly body: Buffer;
  readonly key: string;
}

const twoCalls = (): Asked[] =>
  [
    { model: "sandbox/image-1-queued", input: { prompt: "kept", width: 64, height: 64, simulate_seconds: 9 } },
    { model: "sandbox/voice-1", input: { prompt: "kept", simulate_seconds: 9 } },
  ].map(({ model, input }) => ({ model, body: Buffer.from(JSON.stringify(input)), key: randomUUID() }));

// What is recorded about each, once the provider works on it.
function acceptedAt(server: RouterServer, calls: readonly Asked[]) {
  // A server that was held up on a busy machine sends nothing and says so: then the call is repeated.
  const asking = new Set<string>();
  const ask = async ({ model, body, key }: Asked) => {
    if (asking.has(key)) return;
    asking.add(key);
    await server.invoke(model, body, key).catch(() => null);
    asking.delete(key);
  };
  return Promise.all(
    calls.map((call) =>
      until("the provider works", async () => {
        void ask(call);
        const [recorded] = await recordedUnderKey(world.database, call.key);
        const seen = recorded ? await world.provider.reference(recorded.callId) : null;
        return recorded && seen?.status === "RUNNING" ? recorded : null;
      }),
    ),
  );
}

// Taken over by another process, run once, charged once, and the key returns what the provider answered.
async function billedOnce(server: RouterServer, calls: readonly Asked[], accepted: readonly { callId: string }[]) {
  for (const { model, body, key } of calls) {
    const answer = await until(`the key answers for ${model}`, async () => {
      const found = await server.invoke(model, body, key);
      return found.status === 200 ? found : null;
    });
    assert.equal(headerOf(answer, "idempotent-replayed"), "true");
    const [recorded] = await recordedUnderKey(world.database, key);
    assert.ok(recorded && accepted.some(({ callId }) => callId === recorded.callId));
    assert.deepEqual([recorded.state, recorded.settleLines, recorded.fence > 1], ["finished", 1, true]);
    assert.ok(recorded.settleSum > 0n && recorded.settleSum <= recorded.hold);
    const seen = await world.provider.reference(recorded.callId);
    assert.deepEqual([seen?.runs, seen?.response_sha256], [1, sha256Of(answer.bytes)], model);
  }
}

test("kill -9 after the provider accepted: hold and slot stay, the settler follows to the end, the key gets the billed result", {
  timeout: 900_000,
}, async () => {
  const { database } = world;
  const first = await world.start();
  const calls = twoCalls();
  const accepted = await acceptedAt(first, calls);
  const queued = await queueThree({ call: first.client.call, key: world.key });
  await first.kill();
  const queuedHold = (await recordedByCall(database, queued[0]?.id ?? ""))?.hold ?? 0n;
  const held = accepted.reduce((sum, { hold }) => sum + hold, 0n) + 2n * queuedHold;
  assert.deepEqual(await walletOf(database, world.workspaceId()), { held, inFlight: calls.length + 1 });

  const second = await world.start();
  await billedOnce(second, calls, accepted);
  const caller = { call: second.client.call, key: world.key };
  for (const [index, request] of queued.entries()) await endOf(caller, request, index === 2 ? "cancelled" : undefined);
  assert.deepEqual(await walletOf(database, world.workspaceId()), { held: 0n, inFlight: 0 });
  await invariantsHold(database);
  await second.stop();
});

test("kill -9 of a pure gateway: a process without callers takes over its calls to their end", {
  timeout: 900_000,
}, async () => {
  const { database } = world;
  const gateway = await world.start({ ATELIER_ROLES: "gateway" });
  await world.start({
    ATELIER_ROLES: "background,webhooks",
    ATELIER_BASE_URL: gateway.baseUrl,
    ATELIER_CONTENT_URL: "http://127.0.0.1:1",
    ATELIER_METRICS_PORT: "0",
  });
  const calls = twoCalls();
  const accepted = await acceptedAt(gateway, calls);
  await gateway.kill();
  // No process is there to answer callers.
  for (const { key } of calls)
    await until("it is finished all the same", async () => {
      const [recorded] = await recordedUnderKey(database, key);
      return recorded?.state === "finished";
    });
  assert.deepEqual(await walletOf(database, world.workspaceId()), { held: 0n, inFlight: 0 });
  await billedOnce(await world.start({ ATELIER_ROLES: "gateway" }), calls, accepted);
  await invariantsHold(database);
});
