// The crash smoke of the router; `npm run torture:router` is the long one. Two calls are at the provider, one it is
// polled for and one it answers directly, when the only server is killed.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { callInvariants } from "../../src/capabilities/calls/index.ts";
import { headerOf } from "../support/app-client.ts";
import { recordedUnderKey, walletOf } from "../support/router-records-store.ts";
import { sha256Of } from "../support/sandbox-provider.ts";
import { until } from "../support/server-process.ts";
import { type RouterWorld, routerWorld } from "./router-world.ts";

let world: RouterWorld;
before(async () => {
  world = await routerWorld();
});
after(() => world.close());

const calls = [
  { model: "sandbox/image-1-queued", input: { prompt: "kept", width: 64, height: 64, simulate_seconds: 9 } },
  { model: "sandbox/voice-1", input: { prompt: "kept", simulate_seconds: 9 } },
].map(({ model, input }) => ({ model, body: Buffer.from(JSON.stringify(input)), key: randomUUID() }));

test("kill -9 after the provider accepted: hold and slot stay, the settler follows to the end, the key gets the billed result", {
  timeout: 300_000,
}, async () => {
  const { database, provider } = world;
  const first = await world.start();
  // A server that was held up on a busy machine sends nothing and says so: then it is asked again.
  const asking = new Set<string>();
  const ask = async ({ model, body, key }: (typeof calls)[number]) => {
    if (asking.has(key)) return;
    asking.add(key);
    await first.invoke(model, body, key).catch(() => null);
    asking.delete(key);
  };
  const accepted = await Promise.all(
    calls.map((call) =>
      until("the provider works", async () => {
        void ask(call);
        const { key } = call;
        const [recorded] = await recordedUnderKey(database, key);
        const seen = recorded ? await provider.reference(recorded.callId) : null;
        return recorded && seen?.status === "RUNNING" ? recorded : null;
      }),
    ),
  );
  await first.kill();
  const held = accepted.reduce((sum, { hold }) => sum + hold, 0n);
  assert.deepEqual(await walletOf(database, world.workspaceId()), { held, inFlight: calls.length });

  const second = await world.start();
  for (const { model, body, key } of calls) {
    const answer = await until(`the key answers for ${model}`, async () => {
      const found = await second.invoke(model, body, key);
      return found.status === 200 ? found : null;
    });
    assert.equal(headerOf(answer, "idempotent-replayed"), "true");
    const [recorded] = await recordedUnderKey(database, key);
    assert.ok(recorded && recorded.callId === accepted.find(({ callId }) => callId === recorded.callId)?.callId);
    assert.deepEqual([recorded.state, recorded.settleLines, recorded.fence > 1], ["finished", 1, true]);
    assert.ok(recorded.settleSum > 0n && recorded.settleSum <= recorded.hold);
    const seen = await provider.reference(recorded.callId);
    assert.deepEqual([seen?.runs, seen?.response_sha256], [1, sha256Of(answer.bytes)], model);
  }
  assert.deepEqual(await walletOf(database, world.workspaceId()), { held: 0n, inFlight: 0 });
  for (const { name, statement } of callInvariants) assert.deepEqual(await database.query(statement), [], name);
});
