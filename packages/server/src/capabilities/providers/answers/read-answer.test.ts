import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ModelDefinition } from "../definition.ts";
import { readFetched, readPoll, readSubmit, received } from "./read-answer.ts";

const model = (changes: Partial<ModelDefinition> = {}): ModelDefinition => ({
  model: "m",
  released: true,
  submit: { path: "/m", encoding: "json" },
  price: { usd: "0" },
  charges_on_policy_rejection: "no",
  input_schema: null,
  recovery: "neither",
  longest_run_seconds: 60,
  result: ["/images/0/url"],
  rules: [{ when: { pointer: "/error/code", prefix: "content_policy" }, means: "refused", message: "/error/message" }],
  ...changes,
});
const json = (status: number, value: unknown) =>
  received(status, { "content-type": "application/json" }, Buffer.from(JSON.stringify(value)));
const submit = (answer: ReturnType<typeof json>, changes: Partial<ModelDefinition> = {}) => {
  const reading = readSubmit(model(changes), answer);
  return reading.kind === "outcome" ? reading.outcome : reading;
};

describe("the answer to a submission", () => {
  test("with a result in it is complete, and its bytes are untouched", () => {
    const body = Buffer.from('{ "images" : [ { "url":"u" } ], "seed": 18446744073709551615 }');
    const outcome = submit(received(200, { "content-type": "application/json; charset=utf-8" }, body));
    assert.ok(outcome.kind === "completed" && outcome.answer.body.equals(body));
  });

  test("that says success without a result is the provider's failure", () => {
    for (const value of [{}, { images: [] }, { images: [{ url: "" }] }, { images: [{ url: null }] }])
      assert.equal(submit(json(200, value)).kind, "failed");
  });

  test("a refusal inside HTTP 200 is a refusal", () => {
    const outcome = submit(
      json(200, {
        error: { code: "content_policy_violation", message: "no such thing, see https://provider.example/policy" },
      }),
    );
    assert.deepEqual(outcome, { kind: "refused", message: "no such thing, see …", upstreamStatus: 200 });
  });

  test("statuses say who must fix it: us, the caller or the provider", () => {
    for (const status of [401, 402, 403])
      assert.deepEqual(submit(json(status, {})), {
        kind: "failed",
        accepted: false,
        upstreamStatus: status,
        reason: "the provider rejected our account",
      });
    for (const status of [400, 404, 413, 415]) assert.equal(submit(json(status, {})).kind, "rejected_input");
    for (const status of [408, 504]) assert.equal(submit(json(status, {})).kind, "provider_timed_out");
    for (const status of [500, 502, 503]) assert.equal(submit(json(status, {})).kind, "failed");
    assert.equal(submit(json(429, {})).kind, "retry_later");
  });

  test("a list of rejected fields is relayed, anything else is not", () => {
    const detail = [{ loc: ["body", "image"], msg: "too small", type: "image_too_small", ctx: { min_width: 512 } }];
    const relayed = submit(json(422, { detail }));
    assert.ok(relayed.kind === "rejected_input");
    assert.deepEqual(relayed.kind === "rejected_input" && JSON.parse(relayed.detail ?? ""), detail);
    const written = '[ {"loc":["body",1.0], "msg":"m", "ctx":{"limit":1e400,"seed":9007199254740993}} ]';
    const body = Buffer.from(`{"detail":${written}}`);
    const verbatim = submit(received(422, { "content-type": "application/json" }, body));
    assert.equal(verbatim.kind === "rejected_input" && verbatim.detail, written);
    for (const value of [{ detail: "no" }, { detail: [] }, { detail: ["x"] }, {}]) {
      const other = submit(json(422, value));
      assert.equal(other.kind === "rejected_input" && other.detail, null);
    }
  });

  test("an HTML page, an empty body or broken JSON with 200 is a failure whose text goes nowhere", () => {
    for (const answer of [
      received(200, { "content-type": "text/html" }, Buffer.from("<h1>secret host</h1>")),
      received(200, { "content-type": "application/json" }, Buffer.from("")),
      received(200, { "content-type": "application/json" }, Buffer.from("{")),
    ]) {
      const outcome = submit(answer);
      assert.equal(outcome.kind, "failed");
      assert.ok(!JSON.stringify(outcome).includes("secret"));
    }
  });

  test("native outputs pass with their own type, when the definition says so", () => {
    const wav = received(200, { "content-type": "audio/wav" }, Buffer.from("RIFF"));
    assert.equal(submit(wav, { output_types: ["audio/wav"] }).kind, "completed");
    assert.equal(submit(wav).kind, "failed");
  });
});

describe("what else a definition may say", () => {
  test("a rule for answers without a result leaves a part that was refused alone", () => {
    const rules = [
      {
        when: { pointer: "/filtered", present: true, without_result: true as const },
        means: "refused" as const,
        message: "/filtered",
      },
    ];
    assert.equal(submit(json(200, { filtered: "one of two", images: [{ url: "u" }] }), { rules }).kind, "completed");
    assert.deepEqual(submit(json(200, { filtered: "both", images: [] }), { rules }), {
      kind: "refused",
      message: "both",
      upstreamStatus: 200,
    });
  });

  test("usage comes from a pointer or a header, in any case, and from nowhere else", () => {
    const usage = { images: "/n", characters: { header: "Character-Cost" }, none: "/nothing", list: "/images" };
    const headers = { "content-type": "application/json", "character-cost": "17" };
    const body = Buffer.from(JSON.stringify({ n: 2, images: [{ url: "u" }] }));
    const outcome = submit(received(200, headers, body), { usage });
    assert.deepEqual(outcome.kind === "completed" && outcome.reported, { images: 2, characters: "17" });
  });

  test("an output at an address of its own is read like an answer; trouble with reading it is no end", () => {
    const fetched = (status: number, value: unknown) => {
      const reading = readFetched(model(), json(status, value));
      return reading.kind === "outcome" ? reading.outcome.kind : reading.kind;
    };
    assert.equal(fetched(200, { images: [{ url: "u" }] }), "completed");
    assert.equal(fetched(200, {}), "failed");
    assert.equal(fetched(422, { error: { code: "content_policy_x" } }), "refused");
    assert.equal(fetched(422, { detail: "no" }), "rejected_input");
    for (const status of [401, 402, 403, 408, 429, 500, 503]) assert.equal(fetched(status, {}), "pending");
    const poll = { handle: "/id", path: "/t/{handle}", interval_ms: 50, state: "/s", pending: ["a"], succeeded: ["b"] };
    const failing = model({ poll: { ...poll, fetch: { path: "/t/{handle}/result", failed: [500] } } });
    const ended = readFetched(failing, json(500, {}));
    assert.ok(ended.kind === "outcome" && ended.outcome.kind === "failed" && ended.outcome.accepted);
    assert.equal(readFetched(failing, json(503, {})).kind, "pending");
  });
});

describe("the answer to a poll", () => {
  const poll = {
    handle: "/id",
    path: "/t/{handle}",
    interval_ms: 100,
    state: "/status",
    pending: ["QUEUED"],
    succeeded: ["Succeeded"],
    failed: ["FAILED"],
    refused: ["REFUSED"],
  };
  const kindOf = (status: number, value: unknown) => {
    const reading = readPoll(model({ poll }), poll, json(status, value));
    return reading.kind === "outcome" ? reading.outcome.kind : reading.kind;
  };
  test("states are compared without case, and an unknown state is still pending", () => {
    assert.equal(kindOf(200, { status: "queued" }), "pending");
    assert.equal(kindOf(200, { status: "SOMETHING_NEW" }), "pending");
    assert.equal(kindOf(200, {}), "pending");
    assert.equal(kindOf(200, { status: "SUCCEEDED", images: [{ url: "u" }] }), "completed");
    assert.equal(kindOf(200, { status: "succeeded" }), "failed");
    assert.equal(kindOf(200, { status: "failed" }), "failed");
    assert.equal(kindOf(200, { status: "refused" }), "refused");
  });
  test("an output at another address is fetched", () => {
    const elsewhere = { ...poll, fetch: { path: "/t/{handle}/result" } };
    assert.equal(readPoll(model(), elsewhere, json(200, { status: "succeeded" })).kind, "fetch");
    assert.equal(readPoll(model(), elsewhere, json(200, { status: "queued" })).kind, "pending");
  });
  test("a busy or broken provider is asked again; a task that is gone has failed", () => {
    for (const status of [429, 500, 502, 503, 504, 408]) assert.equal(kindOf(status, {}), "pending");
    assert.equal(kindOf(404, {}), "failed");
  });
  test("trouble with our account does not end an accepted task", () => {
    for (const status of [401, 402, 403]) assert.equal(kindOf(status, {}), "pending");
    const rules = [{ when: { pointer: "/code", equals: 1000 }, means: "our_account" as const }];
    assert.equal(readPoll(model({ poll, rules }), poll, json(200, { code: 1000 })).kind, "pending");
    const refused = readSubmit(model({ poll, rules }), json(200, { code: 1000 }));
    assert.ok(refused.kind === "outcome" && refused.outcome.kind === "failed" && !refused.outcome.accepted);
  });
});

describe("a provider's own words", () => {
  const said = (message: string) => {
    const rules = [{ when: { pointer: "/no", present: true }, means: "refused" as const, message: "/no" }];
    const reading = readSubmit(model({ rules }), json(200, { no: message }));
    assert.ok(reading.kind === "outcome" && reading.outcome.kind === "refused");
    return reading.outcome.message;
  };
  test("pass without the address of any host", () => {
    assert.equal(said("Not allowed, e.g. violence (1.5 of 2.0)."), "Not allowed, e.g. violence (1.5 of 2.0).");
    for (const host of [
      "http://127.0.0.1:9/x?y",
      "grpc://node-7:50051",
      "www.example",
      "api.eu-1.internal.example:8443",
      "10.1.2.3",
      "10.1.2.3:80",
      "localhost:9",
      "[::1]:80",
      "[fe80::1]",
    ])
      assert.equal(said(`Refused by ${host} today`), "Refused by … today");
  });
  test("are cut, however long they are, without a half host at the cut", () => {
    const long = `${"http://x.example/ ".repeat(55)}api.secret.example ${"y".repeat(5_000_000)}`;
    const cut = said(long) ?? "";
    assert.ok(cut.length <= 300 && !/example|secret|yyy/.test(cut), cut);
    assert.equal(said("\u0000\n"), null);
  });
});
