// If a call began under the workspace's own credential, its next owner asks about it under the same credential.
import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import type { Upstream } from "../../../foundation/http/outgoing/fetch-upstream.ts";
import { createSampler, createTracer, type EndedSpan } from "../../../foundation/tracing/index.ts";
import type { StoredCall } from "../../calls/index.ts";
import { type Price, priceOf } from "../../prices/index.ts";
import { readHere, type ServedModel } from "../../providers/index.ts";
import { followInvocations } from "./follow-invocations.ts";

const model = {
  id: "p/m",
  provider: "p",
  baseUrl: "http://127.0.0.1:9",
  headers: {},
  definition: {
    poll: { handle: "/id", path: "/t/{handle}", interval_ms: 50, state: "/s", pending: ["a"], succeeded: ["b"] },
    recovery: "neither",
    charges_on_policy_rejection: "no",
  },
  credentialHeaders: () => ({ authorization: "Bearer ours" }),
} as unknown as ServedModel;
const price = priceOf({ usd: "1" }, 211);
const free = priceOf({ usd: "0" }, 211);
const call = (context: unknown) =>
  ({
    id: "c",
    workspaceId: "w",
    subject: "model:p/m",
    handle: { url: "http://127.0.0.1:9/t/1" },
    priceRecordId: "r",
    fence: 2,
    definitionVersion: 1,
    context,
  }) as unknown as StoredCall;

// The state of the queued request that the call belongs to.
let request: "waiting" | "running" | "died" | "gone" = "running";

// The traces the process reported.
let spans: EndedSpan[] = [];
const tracer = createTracer({
  clock: handClock(),
  sampler: createSampler("parentbased_always_on", 1),
  ended: (span) => void spans.push(span),
});

async function followed(context: unknown, isThere: boolean, begunWith = model, changes: Partial<StoredCall> = {}) {
  const sent: (string | undefined)[] = [];
  const upstream: Upstream = {
    async fetch({ headers }) {
      sent.push(headers["authorization"]);
      const body = Buffer.from('{"s":"b"}');
      return { kind: "answered", status: 200, headers: { "content-type": "application/json" }, body };
    },
    close: async () => {},
  };
  const following = followInvocations({
    upstream,
    answers: readHere,
    calls: { finish: async () => true },
    requests: { stateOf: async () => request, endFollowed: async () => true },
    clock: handClock(),
    tracer,
    modelOf: async () => begunWith,
    prices: { get: async () => ({ price }) as never },
    async underOwnCredential(own: ServedModel & { readonly price: Price }, workspaceId) {
      assert.equal(workspaceId, "w");
      return isThere ? { ...own, price: free, credentialHeaders: () => ({ authorization: "Bearer own" }) } : null;
    },
  });
  const { finding, ending } = await following.inquire({ ...call(context), ...changes }, new AbortController().signal);
  return { sent, finding: finding.kind, charge: ending?.charge };
}

test("with the credential of the call's beginning, and at its price", async () => {
  assert.deepEqual(await followed(null, true), { sent: ["Bearer ours"], finding: "ended", charge: 211_000_000n });
  assert.deepEqual(await followed({ own_credential: true }, true), {
    sent: ["Bearer own"],
    finding: "ended",
    charge: 0n,
  });
});

test("in the trace stored with the call, exported once it has ended, and in none without one", async () => {
  spans = [];
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  assert.equal((await followed({ own_credential: true, traceparent }, false)).finding, "unreachable");
  assert.equal((await followed(null, true)).finding, "ended");
  assert.equal(spans.length, 0);
  assert.equal((await followed({ traceparent }, true)).finding, "ended");
  assert.deepEqual(
    spans.map(({ context, parentSpanId, attributes }) => [
      context.traceId,
      parentSpanId,
      attributes.get("atelier.outcome"),
    ]),
    [["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7", "succeeded"]],
  );
});

test("never with the server's credential in place of a removed one", async () => {
  const { sent, finding } = await followed({ own_credential: true }, false);
  assert.deepEqual([sent, finding], [[], "unreachable"]);
});

test("never without a credential after the server's own was removed", async () => {
  const bare = { ...model, needsOwnCredential: true };
  assert.deepEqual((await followed(null, true, bare)).finding, "unreachable");
  assert.deepEqual((await followed({ own_credential: true }, true, bare)).sent, ["Bearer own"]);
});

test("nobody is asked about a call of the sandbox that ended with another process; that of this process is", async () => {
  const ofProcess = { definitionVersion: null };
  const { sent, finding } = await followed(null, true, model, { ...ofProcess, fence: 2 });
  assert.deepEqual([sent, finding], [[], "gone"]);
  assert.equal((await followed(null, true, model, { ...ofProcess, fence: 1 })).finding, "ended");
});

test("a queued request that waits is left to wait; one of the sandbox is gone with its process, not with a fence", async () => {
  const context = { request: true };
  const ofProcess = { definitionVersion: null, fence: 3 };
  for (const [state, expected] of [
    ["waiting", "parked"],
    ["running", "ended"],
    ["died", "gone"],
    ["gone", "gone"],
  ] as const) {
    request = state;
    assert.equal((await followed(context, true, model, ofProcess)).finding, expected, state);
  }
  request = "died";
  assert.equal((await followed(context, true)).finding, "ended", "a provider elsewhere is asked");
});
