// The provider's bytes are the answer, no matter how we parse them (Spec, Model output: forwarded unchanged; decisions,
// section 3), and a request is forwarded with everything that a provider may be able to read. Uses a server started as
// the README says.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type AppAnswer, headerOf } from "./support/app-client.ts";
import { type AsShippedServer, startAsShipped } from "./support/as-shipped-server.ts";
import { pollOf, type Script, type ScriptedUpstream, scriptedUpstream } from "./support/scripted-upstream.ts";

const mebibyte = 1024 * 1024;
const awkward: Readonly<Record<string, string>> = {
  "equal-keys": '{ "result":"a", "result":"b", "seed":18446744073709551615 }',
  vast: '{"result":1e309,"other":-1e400,"spelled":1.0}',
  halves: '{"result":"\\ud800","\\udfff":1}',
  deep: `{"result":${"[".repeat(900)}${"]".repeat(900)}}`,
  mark: '\ufeff{"result":1}',
  "many-keys": `{"result":{${Array.from({ length: 150_000 }, (_, at) => `"k${at}":${at}`).join(",")}}}`,
};
const fields =
  '[ {"loc":["body","n",1.0],"msg":"no","type":"t","ctx":{"limit":1e400,"seed":9007199254740993},"input":1.50} ]';
const perToken = {
  usd: { kind: "tokens", rates: [{ reported: "tokens", usd_per_million: "100", most: 1000, default: 10 }] },
};

const scripts: Readonly<Record<string, Script>> = {
  ...Object.fromEntries(
    Object.entries(awkward).map(([name, body]) => [name, { answer: { body }, model: { result: ["/result"] } }]),
  ),
  reported: {
    answer: { body: '{"result":1,"usage":{"n":1e999}}' },
    model: { result: ["/result"], usage: { tokens: "/usage/n" }, price: perToken },
  },
  rejected: { answer: { status: 422, body: `{"detail":${fields}}` } },
  "large-refusal": {
    answer: { body: JSON.stringify({ code: "policy_image", why: "not this", filler: "x".repeat(mebibyte) }) },
    model: { rules: [{ when: { pointer: "/code", prefix: "policy" }, means: "refused", message: "/why" }] },
  },
  huge: {
    answer: {
      act(response) {
        response.writeHead(200, { "content-type": "application/json", "content-length": String(70 * mebibyte) });
        response.on("error", () => {});
        response.end(`{"result":"${"x".repeat(70 * mebibyte - 13)}"}`);
      },
    },
    model: { price: { usd: "0.5" } },
  },
  task: {
    answer: { status: 200, body: '{"id":9007199254740993,"status":"SUCCEEDED","result":1}' },
    model: { poll: pollOf("task"), result: ["/result"] },
  },
};

const folder = mkdtempSync(join(tmpdir(), "atelier-answers-"));
let upstream: ScriptedUpstream;
let server: AsShippedServer;

before(async () => {
  upstream = await scriptedUpstream(scripts);
  const file = join(folder, "scripted.json");
  writeFileSync(file, JSON.stringify(upstream.definition));
  server = await startAsShipped({ env: { ATELIER_PROVIDERS: file } });
});
after(async () => {
  await server.close();
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
});

const json = { "content-type": "application/json" };
const run = (model: string, body = "{}", headers: Readonly<Record<string, string>> = {}): Promise<AppAnswer> =>
  server.call({ method: "POST", path: `/v1/models/${model}`, headers: { ...json, ...headers }, body });
const available = async () => String(Object((await server.call({ path: "/account/credits" })).json()).available);

describe("a provider's answer", () => {
  for (const [name, body] of Object.entries(awkward))
    test(`reaches the caller byte for byte: ${name}`, async () => {
      const answer = await run(`scripted/${name}`, "{}", { "idempotency-key": `answer-${name}` });
      assert.equal(answer.status, 200, answer.text.slice(0, 300));
      assert.ok(answer.bytes.equals(Buffer.from(body)));
      const again = await run(`scripted/${name}`, "{}", { "idempotency-key": `answer-${name}` });
      assert.equal(headerOf(again, "idempotent-replayed"), "true");
      assert.ok(again.bytes.equals(Buffer.from(body)));
    });

  test("is charged by the price's own rule when the reported figure cannot be parsed", async () => {
    const answer = await run("scripted/reported");
    assert.equal(answer.status, 200, answer.text);
    // Ten tokens by default, a hundred dollars per million, 211 credits per dollar.
    assert.equal(headerOf(answer, "x-service-credits-used"), "0.211");
  });

  test("that lists rejected fields is relayed with its numbers as written", async () => {
    const answer = await run("scripted/rejected");
    assert.equal(answer.status, 422);
    assert.equal(answer.text, `{"detail":${fields}}`);
    assert.equal(headerOf(answer, "x-service-error-type"), "invalid_input");
  });

  test("is judged by its rules even when it is large", async () => {
    const answer = await run("scripted/large-refusal");
    assert.equal(answer.status, 400);
    assert.equal(headerOf(answer, "x-service-error-type"), "content_policy_violation");
    assert.match(answer.text, /not this/);
  });

  test("above 64 MiB is reported as too large, costs nothing, and is not requested again under the same key", async () => {
    const before = await available();
    const headers = { "idempotency-key": "huge" };
    for (const isReplay of [false, true]) {
      const answer = await run("scripted/huge", "{}", headers);
      assert.equal(answer.status, 502);
      assert.equal(headerOf(answer, "x-service-error-type"), "provider_error");
      assert.equal(headerOf(answer, "x-service-upstream-status"), "200");
      assert.match(answer.text, /larger than 64 MiB.*Nothing was charged/);
      assert.equal(headerOf(answer, "idempotent-replayed"), isReplay ? "true" : undefined);
    }
    assert.equal(upstream.seen.get("/huge"), 1);
    assert.equal(await available(), before);
  });

  test("a task number beyond 2^53 is polled with all its digits", async () => {
    assert.equal((await run("scripted/task")).status, 200);
    assert.equal(upstream.seen.get("/task/9007199254740993"), 1);
  });
});

describe("a caller's input", () => {
  test("with numbers beyond a double or half a surrogate pair is passed on unchanged where the schema allows it", async () => {
    const body = '{ "n":1e400, "i":[-1e999], "t":"\\ud800", "\\udc00":1.0 }';
    for (const key of [{}, { "idempotency-key": "vast" }]) {
      const answer = await run("sandbox/open-1", body, key);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.text, body);
    }
    const path = "/proxy/partner-b/prompts/text-to-video";
    const prompt = '{"prompt_text":"a \\ud800 fox","inference_params":{"extra":1e400}}';
    const task = await server.call({ method: "POST", path, headers: json, body: prompt });
    assert.equal(task.status, 201, task.text);
    assert.match(task.text, /"extra":1e400/);
  });

  test("with duplicate keys, invalid UTF-8 or a depth above 64 is 400, and nothing is stored", async () => {
    const deep = `${'{"a":'.repeat(65)}1${"}".repeat(65)}`;
    const bodies = ['{"a":1,"a":2}', deep, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])];
    for (const [at, body] of bodies.entries())
      for (const path of ["/v1/models/sandbox/open-1", "/proxy/partner-b/prompts/text-to-video"]) {
        const headers = { ...json, "idempotency-key": `refused-${at}` };
        assert.equal((await server.call({ method: "POST", path, headers, body })).status, 400);
      }
  });

  test("that is cut short under a key is a plain 400 on every route, and the key is free afterwards", async () => {
    const whole = '{"prompt_text":"a fox","inference_params":{"steps":5}}';
    const path = "/proxy/partner-b/prompts/text-to-video";
    const headers = { ...json, "idempotency-key": "cut" };
    for (const end of [1, 2, 5, 17, 30, whole.length - 1]) {
      const answer = await server.call({ method: "POST", path, headers, body: whole.slice(0, end) });
      assert.equal(answer.status, 400, answer.text);
      assert.equal(Object(answer.json()).error, "invalid_json");
    }
    const taken = await server.call({ method: "POST", path, headers, body: whole });
    assert.equal(taken.status, 201, taken.text);
    for (const other of ["/v1/models/sandbox/image-1", "/api/v2/jobs"]) {
      const free = { ...json, "idempotency-key": `cut at ${other}`.replaceAll(" ", "-") };
      const answer = await server.call({ method: "POST", path: other, headers: free, body: '{"a":{"b":"c' });
      assert.equal(answer.status, 400, answer.text);
    }
  });
});
