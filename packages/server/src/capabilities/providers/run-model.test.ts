// What a provider's look-up means after a crash. Misread, it would free a key while the call is running, and the caller's
// retry would run it a second time.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import type { Upstream } from "../../foundation/http/outgoing/fetch-upstream.ts";
import type { UpstreamOutcome } from "../../foundation/http/outgoing/upstream-outcome.ts";
import { readHere } from "./answers/answer-reader.ts";
import { received } from "./answers/read-answer.ts";
import { saidWords } from "./answers/said-words.ts";
import type { ModelDefinition } from "./definition.ts";
import { type Attempt, outcomeReasons } from "./outcome.ts";
import { askAbout, handleOf, pollOnce, runModel } from "./run-model.ts";
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
  const found = await askAbout(
    { upstream, clock: handClock(), answers: readHere },
    model(),
    "ref",
    new AbortController().signal,
  );
  return found.kind === "ended" ? `${found.kind} ${found.outcome.kind}` : found.kind;
}

describe("what the provider says about our reference", () => {
  test("its answer ends the call", async () => {
    assert.equal(await asked(json(200, { a: 1 })), "ended completed");
    assert.equal(await asked(json(500, { error: "failed" })), "ended failed");
    assert.equal(await asked(json(400, {})), "ended rejected_input");
  });
  test("not found and still running are what the definition says they are", async () => {
    assert.equal(await asked(json(404, {})), "not_found");
    assert.equal(await asked(json(409, {})), "running");
  });
  test("trouble with asking does not end the call: a refused key, a rate limit, a broken look-up, no answer", async () => {
    for (const status of [401, 402, 403, 408, 429, 500, 502, 503, 504])
      assert.equal(await asked(json(status, {})), "unreachable", String(status));
    for (const error of ["our key", "slowly"]) assert.equal(await asked(json(200, { error })), "unreachable", error);
    assert.equal(await asked({ kind: "broken", reason: "reset", cause: null }), "unreachable");
  });
});

test("a provider that stays busy ends the call after four reported attempts, with its Retry-After", async () => {
  const clock = handClock();
  const busy = {
    ...json(429, { error: { message: "slow down" } }),
    headers: { "content-type": "application/json", "retry-after": "7" },
  };
  const upstream: Upstream = { fetch: async () => busy, close: async () => {} };
  const attempts: Attempt[] = [];
  const running = runModel({ upstream, clock, answers: readHere }, model(), {
    reference: "ref",
    body: Buffer.from("{}"),
    document: {},
    exactIntegers: new Map(),
    signal: new AbortController().signal,
    accepted: async () => {},
    attempted: (attempt) => void attempts.push(attempt),
  });
  for (let pause = 0; pause < 3; pause++) {
    while (attempts.length <= pause) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(1_500);
  }
  const outcome = await running;
  assert.deepEqual(outcome, {
    kind: "failed",
    accepted: false,
    upstreamStatus: 429,
    reason: outcomeReasons.busy,
    retryAfterSeconds: 7,
  });
  assert.deepEqual(
    attempts.map(({ step, status, words }) => [step, status, words]),
    Array.from({ length: 4 }, () => ["submit", 429, "slow down"]),
  );
  assert.deepEqual(
    attempts.map(({ at }) => Date.parse(at) - Date.parse(attempts[0]?.at ?? "")),
    [0, 1_500, 3_000, 4_500],
  );
});

test("a provider's message is read from JSON, plain text and HTML, without addresses and tags", () => {
  const said = (contentType: string, body: string) =>
    saidWords(received(500, { "content-type": contentType }, Buffer.from(body)));
  assert.equal(said("application/json", '{"error":{"message":"boom"}}'), "boom");
  assert.equal(said("application/json", '{"code":"E7"}'), '{"code":"E7"}');
  assert.equal(said("text/plain", "boom at inner.example:80"), "boom at …");
  assert.equal(said("text/html", "<html><style>a{}</style><h1>Bad</h1> gateway</html>"), "Bad gateway");
  assert.equal(said("image/png", "boom"), null);
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
    handleOf(
      model({ poll }),
      poll,
      received(200, { "content-type": "application/json" }, Buffer.from(JSON.stringify({ id: "1", at }))),
    )?.url;
  assert.equal(urlOf("http://127.0.0.1:9/t/1"), "http://127.0.0.1:9/t/1");
  assert.equal(urlOf("http://127.0.0.2:9/t/1"), "http://127.0.0.2:9/t/1");
  assert.equal(urlOf("/t/1?whole=1"), "http://127.0.0.1:9/t/1?whole=1", "a path is the base URL's host's");
  for (const at of [
    "http://127.0.0.3:9/t",
    "https://127.0.0.1:9/t",
    "http://127.0.0.1:10/t",
    "http://127.0.0.1:9@127.0.0.3/",
    "//127.0.0.3:9/t",
    "/\\127.0.0.3:9/t",
    "t/1",
    "",
  ])
    assert.equal(urlOf(at), undefined, at);
});

test("an address, or the task's id, may come in a header of an answer without a body", () => {
  const poll = { interval_ms: 50, state: "/s", pending: ["a"], succeeded: ["b"] };
  const at = (location: object, headers: Readonly<Record<string, string>>) =>
    handleOf(model(), { ...poll, ...location }, received(202, headers, Buffer.alloc(0)))?.url;
  const byAddress = { url: { header: "Location" } };
  assert.equal(at(byAddress, { location: "/t/1" }), "http://127.0.0.1:9/t/1");
  for (const location of ["", "http://127.0.0.3:9/t", "//127.0.0.3:9/t"]) {
    assert.equal(at(byAddress, { location }), undefined, location);
  }
  const byId = { handle: { header: "X-Task" }, path: "/t/{handle}" };
  assert.equal(at(byId, { "x-task": "a/b" }), "http://127.0.0.1:9/t/a%2Fb");
  assert.equal(at(byId, {}), undefined);
  assert.equal(
    at({ ...byAddress, ...byId }, { location: "/u", "x-task": "" }),
    undefined,
    "an id that is named is there",
  );
});

describe("what else a definition may say", () => {
  const poll = {
    handle: "/id",
    url: "/at",
    path: "/t/{handle}",
    interval_ms: 50,
    state: "/s",
    pending: ["a"],
    succeeded: ["b"],
  };
  const submitted = (value: unknown) =>
    received(200, { "content-type": "application/json" }, Buffer.from(JSON.stringify(value)));

  test("an address on another host is not followed; the path below the base URL is used", () => {
    const at = (value: string) => handleOf(model({ poll }), poll, submitted({ id: "a/b", at: value }))?.url;
    assert.equal(at("http://127.0.0.1:9/eu/1"), "http://127.0.0.1:9/eu/1");
    assert.equal(at("http://evil.example/1"), "http://127.0.0.1:9/t/a%2Fb");
  });

  test("the output is fetched where the answer said, with the credential and the provider's fixed headers", async () => {
    const fetching = { ...poll, fetch: { url: "/out", path: "/t/{handle}/out" } };
    const served = { ...model({ poll: fetching }), headers: { "x-version": "7" } };
    const handle = handleOf(served, fetching, submitted({ id: "1", at: "", out: "http://127.0.0.1:9/o/1" }));
    assert.deepEqual(handle, { url: "http://127.0.0.1:9/t/1", resultUrl: "http://127.0.0.1:9/o/1" });
    const asked: string[] = [];
    const upstream: Upstream = {
      async fetch({ url, headers }) {
        asked.push(url.pathname);
        assert.deepEqual([headers?.["authorization"], headers?.["x-version"]], ["Bearer x", "7"]);
        return url.pathname === "/t/1" ? json(200, { s: "b" }) : json(200, { picture: "p" });
      },
      close: async () => {},
    };
    assert.ok(handle);
    const outcome = await pollOnce(
      { upstream, clock: handClock(), answers: readHere },
      served,
      handle,
      new AbortController().signal,
    );
    assert.deepEqual(asked, ["/t/1", "/o/1"]);
    assert.ok(outcome?.kind === "completed" && outcome.answer.body.toString() === '{"picture":"p"}');
  });

  test("a form names the model where the provider wants it, once", async () => {
    const sent: string[] = [];
    const upstream: Upstream = {
      async fetch({ body }) {
        sent.push(String(body));
        return json(200, {});
      },
      close: async () => {},
    };
    const submit = { path: "/m", encoding: "multipart" as const, model_member: { name: "model", value: "large" } };
    for (const document of [{ prompt: "p" }, { prompt: "p", model: "large" }]) {
      const run = {
        reference: "r",
        body: Buffer.from(""),
        document,
        exactIntegers: new Map(),
        signal: new AbortController().signal,
        accepted: async () => {},
      };
      await runModel({ upstream, clock: handClock(), answers: readHere }, model({ submit }), run);
    }
    for (const form of sent) assert.equal(form.match(/name="model"\r\n\r\nlarge\r\n/g)?.length, 1, form);
  });
});
