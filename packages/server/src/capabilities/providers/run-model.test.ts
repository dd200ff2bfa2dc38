// What a provider's look-up means after a crash. Taken wrongly it would give a key back while the call runs, and the
// caller's retry would run it a second time.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { handClock } from "../../foundation/clock.ts";
import type { Upstream } from "../../foundation/http/fetch-upstream.ts";
import type { UpstreamOutcome } from "../../foundation/http/upstream-outcome.ts";
import type { ModelDefinition } from "./definition.ts";
import { received } from "./read-answer.ts";
import { askAbout, handleOf } from "./run-model.ts";
import type { ServedModel } from "./served-model.ts";

const definition: ModelDefinition = {
  model: "m",
  released: true,
  submit: { path: "/m", encoding: "json" },
  price: { usd: "0" },
  charges_on_policy_rejection: "no",
  input_schema: null,
  recovery: "ask",
  ask: { path: "/calls/{reference}", not_found: [404], running: [409] },
  rules: [
    { when: { pointer: "/error", equals: "failed" }, means: "failed" },
    { when: { pointer: "/error", equals: "our key" }, means: "our_account" },
    { when: { pointer: "/error", equals: "slowly" }, means: "rate_limited" },
  ],
  longest_run_seconds: 60,
};
const model = (changes: Partial<ModelDefinition> = {}) =>
  ({
    id: "p/m",
    provider: "p",
    baseUrl: "http://127.0.0.1:9",
    definition: { ...definition, ...changes },
    credentialHeaders: () => ({ authorization: "Bearer x" }),
  }) as unknown as ServedModel;

const json = (status: number, value: unknown): UpstreamOutcome => ({
  kind: "answered",
  status,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify(value)),
});

async function asked(answer: UpstreamOutcome) {
  const upstream: Upstream = { fetch: async () => answer, close: async () => {} };
  const found = await askAbout({ upstream, clock: handClock() }, model(), "ref", new AbortController().signal);
  return found.kind === "ended" ? `${found.kind} ${found.outcome.kind}` : found.kind;
}

describe("what the provider says about our reference", () => {
  test("its answer is the call's end", async () => {
    assert.equal(await asked(json(200, { a: 1 })), "ended completed");
    assert.equal(await asked(json(500, { error: "failed" })), "ended failed");
    assert.equal(await asked(json(400, {})), "ended rejected_input");
  });
  test("not found and still running are what the definition says they are", async () => {
    assert.equal(await asked(json(404, {})), "not_found");
    assert.equal(await asked(json(409, {})), "running");
  });
  test("trouble with asking is no end: a refused key, a rate, a broken look-up, no answer", async () => {
    for (const status of [401, 402, 403, 408, 429, 500, 502, 503, 504])
      assert.equal(await asked(json(status, {})), "unreachable", String(status));
    for (const error of ["our key", "slowly"]) assert.equal(await asked(json(200, { error })), "unreachable", error);
    assert.equal(await asked({ kind: "broken", reason: "reset", cause: null }), "unreachable");
  });
});

test("a polling address is taken only at a host that the definition names, over the same protocol", () => {
  const poll = {
    handle: "/id",
    url: "/at",
    hosts: ["127.0.0.2:9"],
    interval_ms: 50,
    state: "/s",
    pending: ["a"],
    succeeded: ["b"],
  };
  const urlOf = (at: string) =>
    handleOf(model({ poll }), poll, received(200, "application/json", Buffer.from(JSON.stringify({ id: "1", at }))))
      ?.url;
  assert.equal(urlOf("http://127.0.0.1:9/t/1"), "http://127.0.0.1:9/t/1");
  assert.equal(urlOf("http://127.0.0.2:9/t/1"), "http://127.0.0.2:9/t/1");
  for (const at of [
    "http://127.0.0.3:9/t",
    "https://127.0.0.1:9/t",
    "http://127.0.0.1:10/t",
    "http://127.0.0.1:9@127.0.0.3/",
    "/t/1",
    "",
  ])
    assert.equal(urlOf(at), undefined, at);
});
