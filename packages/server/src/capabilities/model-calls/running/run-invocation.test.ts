import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import type { Upstream } from "../../../foundation/http/outgoing/fetch-upstream.ts";
import { newId } from "../../../foundation/ids.ts";
import { type Log, silentLog } from "../../../foundation/log.ts";
import type { CallEnding, CallLifecycle } from "../../calls/index.ts";
import { priceOf } from "../../prices/index.ts";
import { createProviderHealth, readHere } from "../../providers/index.ts";
import type { CatalogModel } from "../catalog/catalog.ts";
import { runInvocation } from "./run-invocation.ts";

const model = {
  id: "a/b",
  provider: "a",
  baseUrl: "http://127.0.0.1:9",
  referenceHeader: null,
  credentialHeaders: () => ({}),
  definition: { submit: { path: "/b", encoding: "json" }, longest_run_seconds: 60, recovery: "ask" },
} as unknown as CatalogModel;

function aRun(options: {
  readonly maySend: boolean;
  readonly fetch: Upstream["fetch"];
  readonly model?: CatalogModel;
  readonly log?: Log;
}) {
  const handedOver: string[] = [];
  const finished: CallEnding[] = [];
  const counted: string[][] = [];
  const calls = {
    handOver: async (call: { id: string }) => void handedOver.push(call.id),
    async finish(ending: CallEnding) {
      finished.push(ending);
      return true;
    },
  } as unknown as CallLifecycle;
  const call = { id: newId<"call">(), workspaceId: newId<"workspace">(), fence: 1, maySend: () => options.maySend };
  const upstream = { fetch: options.fetch, close: async () => {} };
  const providerMeter = {
    ended: (call: string, provider: string, outcome: string) => void counted.push([call, provider, outcome]),
  };
  const clock = handClock();
  const health = createProviderHealth(clock, silentLog);
  const running = runInvocation(
    { upstream, answers: readHere, clock, log: options.log ?? silentLog, providerMeter, health },
    {
      calls,
      call,
      model: options.model ?? model,
      bytes: Buffer.from("{}"),
      document: {},
      exactIntegers: new Map(),
      usage: { requestId: null, apiKeyId: null },
      startedMs: 0,
      isAwaited: () => true,
    },
  );
  return { running, call, handedOver, finished, counted };
}

test("a server failure during the provider's work hands the call to the follower, and the caller is answered at once", async () => {
  const { running, call, handedOver, finished, counted } = aRun({
    maySend: true,
    fetch: () => Promise.reject(new Error("planted")),
  });
  await assert.rejects(running, /planted/);
  assert.deepEqual([handedOver, finished], [[call.id], []]);
  assert.deepEqual(counted, [["model", "a", "internal_error"]]);
});

test("an answer that got lost at a provider that can be asked hands the call over, unfinished", async () => {
  const { running, call, handedOver, finished, counted } = aRun({
    maySend: true,
    fetch: async () => ({ kind: "broken", reason: "reset", cause: null }),
  });
  assert.equal((await running).status, 502);
  assert.deepEqual([handedOver, finished], [[call.id], []]);
  assert.deepEqual(counted, [["model", "a", "provider_error"]]);
});

test("a process that slept since the intent sends nothing and gives the key back", async () => {
  const { running, handedOver, finished, counted } = aRun({ maySend: false, fetch: () => assert.fail("it was sent") });
  assert.equal((await running).status, 503);
  assert.deepEqual([handedOver, finished.map(({ answer, charge }) => [answer, charge])], [[], [[null, 0n]]]);
  // A call that was never sent does not count as a call at a provider.
  assert.deepEqual(counted, []);
});

test("what a provider reports beyond the price is not charged, and the operator hears of it", async () => {
  const seconds = { default: 4, most: 10, reported: "seconds" };
  const price = priceOf({ usd: { kind: "per_second", seconds, each: "0.05" } }, 211);
  const priced = { ...model, price, definition: { ...model.definition, usage: { seconds: "/seconds" } } };
  const heard: unknown[] = [];
  const log = { ...silentLog, warn: (fields: unknown) => void heard.push(Reflect.get(Object(fields), "credits")) };
  const answered = (value: number) =>
    aRun({
      maySend: true,
      model: priced,
      log,
      fetch: async () => ({
        kind: "answered",
        status: 200,
        headers: { "content-type": "application/json" },
        body: Buffer.from(JSON.stringify({ seconds: value })),
      }),
    });
  for (const [reported, charge] of [
    [3, 31_650_000n],
    [12, 105_500_000n],
  ] as const) {
    const { running, finished } = answered(reported);
    await running;
    assert.equal(finished[0]?.charge, charge);
  }
  assert.deepEqual(heard, ["21.1"]);
});
