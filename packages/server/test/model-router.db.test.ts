// The model router through its front door, with the real sandbox behind it: bytes, money, once-ness and every bucket.
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { routerBuckets } from "@atelier/contract";
import { sandboxModels } from "@atelier/sandbox";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { request } from "undici";
import { callInvariants } from "../src/capabilities/calls/index.ts";
import { badgeOf, holdBound, parseCredits, priceOf, validatePrice } from "../src/capabilities/prices/index.ts";
import { systemClock } from "../src/foundation/clock.ts";
import { type AppAnswer, bearer, headerOf, listOf, textOf } from "./support/app-client.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  app = await apps.open();
});
after(() => apps.close());

const invoke = (
  model: string,
  body: unknown,
  headers: Record<string, string> = {},
  on: TestApp = app,
): Promise<AppAnswer> =>
  on.call({
    method: "POST",
    path: `/v1/models/${model}`,
    headers: { ...bearer(on.key), "content-type": "application/json", ...headers },
    body,
  });
const read = (path: string) => app.call({ path, headers: bearer(app.key) });
const bucket = (answer: AppAnswer) => headerOf(answer, "x-service-error-type");
const callIdOf = async (answer: AppAnswer) => {
  const usage = await read("/account/usage?limit=100");
  const row = listOf(usage.json(), "data").find(
    (one) => textOf(one, "request_id") === headerOf(answer, "x-service-request-id"),
  );
  return row === undefined ? null : textOf(row, "call_id");
};

describe("bytes", () => {
  test("the provider receives the caller's bytes and the caller the provider's, for every JSON document", {
    timeout: 110_000,
  }, async () => {
    const number = fc.oneof(
      fc.integer().map(String),
      fc.constantFrom("9007199254740993", "18446744073709551615", "1.0", "-0", "1e2", "0.10"),
    );
    const space = fc.constantFrom("", " ", "\n", "\t  ");
    const text = fc
      .oneof(fc.string(), fc.constantFrom("\\u00e9", "é", "\u2028", "</script>"))
      .map((value) => JSON.stringify(value.isWellFormed() ? value : "x"));
    const document = fc
      .uniqueArray(
        fc.tuple(
          fc.stringMatching(/^[a-z_]{1,8}$/),
          fc.oneof(number, text, fc.constantFrom("null", "true", "[]", "{}")),
          space,
        ),
        { maxLength: 8, selector: ([name]) => name },
      )
      .map(
        (members) => `{${members.map(([name, value, gap]) => `${gap}"${name}"${gap}:${gap}${value}${gap}`).join(",")}}`,
      );
    const documents = fc.sample(document, 3_000);
    await Promise.all(
      Array.from({ length: 20 }, async (_, lane) => {
        for (let index = lane; index < documents.length; index += 20) {
          const sent = documents[index] ?? "{}";
          const answer = await invoke("sandbox/open-1", Buffer.from(sent));
          assert.equal(answer.status, 200, answer.text);
          assert.ok(answer.bytes.equals(Buffer.from(sent)), sent);
        }
      }),
    );
  });

  test("the hash at the provider is the hash of what was sent", async () => {
    const body = Buffer.from('{ "prompt" : "a fox",  "seed":18446744073709551615 , "width": 64, "height": 64 }');
    const answer = await invoke("sandbox/image-1", body);
    assert.match(answer.text, /"seed":18446744073709551615[,}]/);
    const callId = await callIdOf(answer);
    const seen = await apps.reference(callId ?? "");
    assert.deepEqual([seen?.runs, seen?.request_sha256], [1, createHash("sha256").update(body).digest("hex")]);
  });

  test("native audio passes with its own content type", async () => {
    const answer = await invoke("sandbox/voice-1", { prompt: "hello" });
    assert.deepEqual(
      [answer.status, answer.headers["content-type"], answer.bytes.subarray(0, 4).toString()],
      [200, "audio/wav", "RIFF"],
    );
  });

  test("a body of several megabytes is checked off the main thread and arrives untouched", async () => {
    const body = Buffer.from(`{"blob":"${"x".repeat(3_000_000)}","seed":18446744073709551615}`);
    const answer = await invoke("sandbox/open-1", body);
    assert.ok(answer.bytes.equals(body));
    assert.equal((await invoke("sandbox/open-1", Buffer.from(`["${"x".repeat(400_000)}"]`))).status, 422);
  });
});

describe("once-ness", () => {
  test("a retry under the same key replays the answer and runs nothing (Spec, Router rule 8)", async () => {
    const key = { "idempotency-key": randomUUID() };
    const body = { prompt: "sea", width: 64, height: 64 };
    const first = await invoke("sandbox/image-1", body, key);
    const runs = await apps.runs();
    const again = await invoke("sandbox/image-1", body, key);
    assert.ok(again.bytes.equals(first.bytes));
    assert.equal(headerOf(again, "idempotent-replayed"), "true");
    assert.notEqual(headerOf(again, "x-service-request-id"), headerOf(first, "x-service-request-id"));
    assert.equal(await apps.runs(), runs);
    const other = await invoke("sandbox/image-1", { ...body, prompt: "land" }, key);
    assert.deepEqual([other.status, bucket(other), headerOf(other, "retry-after")], [409, "invalid_input", undefined]);
  });

  test("500 parallel calls with one key on two processes: one run, and equal bodies in the end", {
    timeout: 90_000,
  }, async () => {
    const second = await apps.open({ beside: app });
    const key = { "idempotency-key": randomUUID() };
    const before = await apps.runs();
    const collect = async (index: number) => {
      for (;;) {
        const answer = await invoke(
          "sandbox/image-1-queued",
          { prompt: "hills", width: 64, height: 64 },
          key,
          index % 2 === 0 ? app : second,
        );
        if (answer.status !== 409) return answer;
        assert.equal(headerOf(answer, "retry-after"), "2");
        await systemClock.sleep(100);
      }
    };
    const answers = await Promise.all(Array.from({ length: 500 }, (_, index) => collect(index)));
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1);
    assert.equal((await apps.runs()) - before, 1);
  });

  test("a deadline answers 504 with Retry-After, and the key collects the result later, charged once", {
    timeout: 60_000,
  }, async () => {
    const quick = await apps.open({ beside: app, env: { ATELIER_ROUTER_DEADLINE_SECONDS: "1" } });
    const key = { "idempotency-key": randomUUID() };
    const body = { prompt: "clip", seconds: 1 };
    const first = await invoke("sandbox/video-1", body, key, quick);
    assert.deepEqual([first.status, bucket(first), headerOf(first, "retry-after")], [504, "deadline_exceeded", "5"]);
    const collected = await until("the key collects", async () => {
      const answer = await invoke("sandbox/video-1", body, key, quick);
      return answer.status === 200 ? answer : null;
    });
    assert.equal(headerOf(collected, "idempotent-replayed"), "true");
    assert.equal(headerOf(collected, "x-service-credits-used"), "10.55");
  });

  test("a caller who goes away finds the billed result under the key", { timeout: 60_000 }, async () => {
    for (const afterMs of [5, 40, 120]) {
      const key = { "idempotency-key": randomUUID() };
      const body = JSON.stringify({ prompt: "gone", width: 64, height: 64 });
      const leave = AbortSignal.timeout(afterMs);
      await request(`${app.baseUrl}/v1/models/sandbox/image-1-queued`, {
        method: "POST",
        headers: { ...bearer(app.key), ...key, "content-type": "application/json" },
        body,
        signal: leave,
      }).catch(() => null);
      const answer = await until("the key answers", async () => {
        const found = await invoke("sandbox/image-1-queued", Buffer.from(body), key);
        return found.status === 200 ? found : null;
      });
      const seen = await apps.reference((await callIdOf(answer)) ?? "").catch(() => null);
      assert.ok(seen === null || seen.runs === 1);
    }
  });
});

describe("every bucket", () => {
  const produced = new Map<string, number>();
  const expect = async (
    name: string,
    status: number,
    answer: AppAnswer,
    retryAfter: "with" | "without" = "without",
  ) => {
    assert.deepEqual([answer.status, bucket(answer)], [status, name], answer.text);
    assert.equal(headerOf(answer, "retry-after") !== undefined, retryAfter === "with");
    assert.match(headerOf(answer, "x-service-request-id") ?? "", /^[0-9a-f-]{36}$/);
    assert.equal(headerOf(answer, "cache-control"), "no-store");
    const body = answer.json() as { detail: unknown; error_type?: string };
    if (answer.status === 422) assert.deepEqual(Object.keys(body), ["detail"]);
    else assert.equal(body.error_type, name);
    produced.set(name, status);
  };
  const simulate = (word: string, model = "sandbox/image-1", more: object = {}) =>
    invoke(model, { prompt: "x", simulate: word, width: 64, height: 64, ...more });

  test("invalid_input: 400, 413, 422, 405 and a wrong content type", async () => {
    await expect("invalid_input", 422, await invoke("sandbox/image-1", { seed: "x" }));
    await expect("invalid_input", 400, await invoke("sandbox/image-1", Buffer.from("{")));
    await expect("invalid_input", 400, await invoke("sandbox/image-1", Buffer.from("")));
    await expect(
      "invalid_input",
      400,
      await invoke("sandbox/image-1", Buffer.from("{}"), { "content-type": "text/plain" }),
    );
    await expect(
      "invalid_input",
      400,
      await invoke("sandbox/image-1", Buffer.from("{}"), { "content-encoding": "gzip" }),
    );
    await expect(
      "invalid_input",
      400,
      await invoke("sandbox/image-1", { prompt: "x" }, { "idempotency-key": "x".repeat(256) }),
    );
    await expect("invalid_input", 413, await invoke("sandbox/open-1", Buffer.alloc(21 * 1024 * 1024, 32)));
    await expect("invalid_input", 400, await read("/v1/models?cursor=made-up"));
    await expect(
      "invalid_input",
      405,
      await app.call({ method: "DELETE", path: "/v1/models", headers: bearer(app.key) }),
    );
  });
  test("model_not_found: unknown models, malformed segments, unknown routes", async () => {
    for (const path of ["sandbox/image-2", "SANDBOX/image-1", "sandbox/..%2f", "sandbox/image-1/more/parts"]) {
      await expect("model_not_found", 404, await invoke(path, { prompt: "x" }));
    }
    assert.match((await invoke("sandbox/imag-1", {})).text, /Did you mean sandbox\/image-1/);
  });
  test("unauthorized, forbidden, not_enabled", async () => {
    await expect("unauthorized", 401, await app.call({ path: "/v1/models" }));
    const off = await apps.open({ beside: app, env: { ATELIER_ROUTER: "off" } });
    await expect("not_enabled", 404, await off.call({ path: "/v1/models", headers: bearer(app.key) }));
  });
  test("content_policy_violation inside HTTP 200 and as a task's state", async () => {
    await expect("content_policy_violation", 400, await simulate("refuse"));
    await expect("content_policy_violation", 400, await simulate("refuse", "sandbox/image-1-queued"));
  });
  test("provider_error: failures, HTML, truncation, and nothing of the provider's text leaks", async () => {
    for (const word of ["fail", "html", "rate_limit", "truncate", "reset"]) {
      const answer = await simulate(word);
      await expect("provider_error", 502, answer);
      assert.ok(!/127\.0\.0\.1|<html|nginx/i.test(answer.text), answer.text);
    }
  });
  test("insufficient_credits after the schema, never before it; a free model needs no balance", async () => {
    const poor = await app.call({
      method: "POST",
      path: "/account/workspaces",
      headers: bearer(app.key),
      body: { name: "Poor" },
    });
    assert.ok([201, 403].includes(poor.status));
    const wallet = await read("/account/credits");
    const all = textOf(wallet.json(), "available");
    const take = await app.call({
      method: "POST",
      path: `/admin/workspaces/${app.workspaceId}/credits/withdrawals`,
      headers: bearer(app.adminToken),
      body: { amount: all },
    });
    assert.ok(take.status === 201 || take.status === 200, take.text);
    await expect("insufficient_credits", 402, await invoke("sandbox/voice-1", { prompt: "x" }));
    await expect("invalid_input", 422, await invoke("sandbox/voice-1", {}));
    assert.equal((await invoke("sandbox/text-1", { prompt: "free" })).status, 200);
    await app.call({
      method: "POST",
      path: `/admin/workspaces/${app.workspaceId}/credits`,
      headers: bearer(app.adminToken),
      body: { amount: all },
    });
  });
  test("concurrency_limit_exceeded without Retry-After, with the slots named", async () => {
    const limit = `/admin/workspaces/${app.workspaceId}/limits/concurrency`;
    await app.call({ method: "PUT", path: limit, headers: bearer(app.adminToken), body: { value: 1 } });
    const hanging = invoke("sandbox/image-1", {
      prompt: "x",
      simulate: "hang",
      simulate_seconds: 2,
      width: 64,
      height: 64,
    });
    await until("the slot is taken", async () => {
      const answer = await invoke("sandbox/text-1", { prompt: "x" });
      if (answer.status !== 429) return null;
      await expect("concurrency_limit_exceeded", 429, answer);
      return answer;
    });
    await hanging;
    await app.call({ method: "DELETE", path: limit, headers: bearer(app.adminToken) });
  });
  test("rate_limited with Retry-After", async () => {
    const limit = `/admin/workspaces/${app.workspaceId}/limits/router_and_partner_requests_per_minute`;
    await app.call({ method: "PUT", path: limit, headers: bearer(app.adminToken), body: { value: 1 } });
    await until("the rate is used up", async () => {
      const answer = await read("/v1/models");
      if (answer.status !== 429) return null;
      await expect("rate_limited", 429, answer, "with");
      return answer;
    });
    await app.call({ method: "PUT", path: limit, headers: bearer(app.adminToken), body: { value: 100_000_000 } });
  });
  test("every bucket that was produced belongs to the closed fifteen", () => {
    for (const name of produced.keys())
      assert.ok(
        routerBuckets.some((known) => known === name),
        name,
      );
    assert.ok(produced.size >= 9, [...produced.keys()].join());
  });
});

describe("the catalog", () => {
  test("each listed id, invoked, never answers 404; list, detail and document can be revalidated", async () => {
    const page = await read("/v1/models?limit=100");
    const ids = listOf(page.json(), "data").map((entry) => textOf(entry, "id"));
    assert.deepEqual(ids, sandboxModels.map((model) => model.id).sort());
    for (const id of ids) {
      assert.notEqual((await invoke(id, [])).status, 404);
      for (const path of [`/v1/models/${id}`, `/v1/models/${id}/openapi.json`]) {
        const first = await read(path);
        assert.equal(first.status, 200);
        assert.equal(headerOf(first, "cache-control"), "private, max-age=300, must-revalidate");
        const again = await app.call({
          path,
          headers: { ...bearer(app.key), "if-none-match": headerOf(first, "etag") ?? "" },
        });
        assert.deepEqual([again.status, again.bytes.length], [304, 0]);
      }
    }
    const open = await read("/v1/models/sandbox/open-1");
    assert.equal(open.text.includes("input_schema_url"), false);
  });

  test("the served document judges as the server does", { timeout: 60_000 }, async () => {
    for (const model of sandboxModels.filter((one) => one.inputSchema !== null)) {
      const document = (await read(`/v1/models/${model.id}/openapi.json`)).json() as {
        paths: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>;
      };
      const schema =
        document.paths[`/v1/models/${model.id}`]?.post.requestBody.content["application/json"]?.schema ?? {};
      const judge = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
      const value = fc.oneof(
        fc.constantFrom("a", "", 64, 72, 65, 4096, -1, 1.5, null, true, "refuse", "url", "nope"),
        fc.integer(),
        fc.string(),
      );
      const input = fc.dictionary(
        fc.constantFrom(
          "prompt",
          "seed",
          "width",
          "height",
          "simulate",
          "simulate_seconds",
          "response_format",
          "seconds",
          "other",
        ),
        value,
        { maxKeys: 5 },
      );
      const { compileSchema } = await import("../src/foundation/schema.ts");
      const own = compileSchema(schema);
      for (const sample of fc.sample(input, 5_000))
        assert.equal(own.accepts(sample), judge(sample), JSON.stringify(sample));
    }
  });
});

describe("money", () => {
  test("for every priced model: the header is the charge, the hold covers it, and the badge shows it", {
    timeout: 60_000,
  }, async () => {
    for (const model of sandboxModels.filter((one) => one.price.usd !== "0" && one.name !== "video-1")) {
      const validated = validatePrice(model.price);
      assert.ok(validated.ok);
      if (!validated.ok) continue;
      const price = priceOf(validated.definition, 211);
      assert.ok(badgeOf(price).expr.length > 0);
      for (const side of [64, 128, 200]) {
        const input = { prompt: "money", ...(model.name === "voice-1" ? {} : { width: side, height: side }) };
        const answer = await invoke(model.id, input);
        assert.equal(answer.status, 200, answer.text);
        const used = parseCredits(headerOf(answer, "x-service-credits-used") ?? "") ?? -1n;
        assert.ok(used > 0n && used <= holdBound(price, input));
        const lines = await read(`/account/credits/lines?transaction_id=${await callIdOf(answer)}`);
        if (lines.status === 200) assert.match(lines.text, /settle/);
      }
    }
  });

  test("after everything above, every invariant of the books holds", async () => {
    await until("all calls ended", async () =>
      (await app.database.query(callInvariants[1]?.statement ?? assert.fail())).length === 0 ? true : null,
    );
    for (const { name, statement } of callInvariants) assert.deepEqual(await app.database.query(statement), [], name);
  });
});
