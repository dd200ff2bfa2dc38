// Servers that we authenticate to may repeat what we sent. Here a provider and a partner do so everywhere they can:
// nothing that leaves us afterwards (answers, recorded answers, webhooks, usage, log, rows) contains any form of the
// credential. They may also repeat secrets that they learnt elsewhere: nothing that we write and send ourselves contains
// those.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { ProviderDefinition } from "../src/capabilities/providers/index.ts";
import { type AppAnswer, bearer, memberOf, textOf } from "./support/app-client.ts";
import { type PartnerApp, partnerApp, taskIdOf } from "./support/partner-app.ts";
import { until } from "./support/server-process.ts";
import { dumpOf } from "./support/test-dump-store.ts";

const credential = "sk-live-0f/9+quite=Secret";
const partnerKey = "partner/key+0123456789";

// Secrets that the provider and the partner were never sent, and how this server came to hold them.
const others = {
  environment: "spare/key+of-the-environment",
  stored: "vault-key-that-an-operator-entered",
  own: "studio-key-that-the-workspace-entered",
};
const assertNoOthers = (text: string, what: string) => {
  for (const [held, secret] of Object.entries(others))
    for (const form of [secret, Buffer.from(secret).toString("base64url").slice(0, -1)])
      assert.ok(!text.includes(form), `${what} holds the secret of ${held}: ${text.slice(0, 600)}`);
};
const allOthers = () => `${Object.values(others).join(" ")} ${Buffer.from(others.stored).toString("base64url")}`;
const numbered = (text: string) =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

const forms = [credential, partnerKey].flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/"),
  Buffer.from(secret).toString("base64").replace(/=+$/, "").slice(0, -1),
  Buffer.from(secret).toString("base64url").slice(0, -1),
  Buffer.from(secret).toString("hex"),
]);
const assertClean = (text: string, what: string) => {
  for (const form of forms) assert.ok(!text.includes(form), `${what} holds ${form}: ${text.slice(0, 600)}`);
};

let provider: Server;
let folder: string;
let it: PartnerApp;

// What the provider knows about us, in every form that a careless one might write it.
function echoHeaders(request: IncomingMessage): string {
  const said = request.headers.authorization ?? "";
  const bare = said.replace("Bearer ", "");
  return [
    `got ${said}`,
    `?key=${encodeURIComponent(bare)}`,
    Buffer.from(`user:${bare}`).toString("base64"),
    Buffer.from(bare).toString("base64"),
    Buffer.from(bare).toString("hex"),
  ].join(" ");
}

before(async () => {
  provider = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const echo = echoHeaders(request);
      const answer = (status: number, value: unknown, headers = {}) => {
        response.writeHead(status, { "content-type": "application/json", ...headers });
        response.end(typeof value === "string" ? value : JSON.stringify(value));
      };
      switch (request.url?.split("?")[0]) {
        case "/fields":
          return answer(422, {
            detail: [{ loc: ["body", "prompt"], msg: echo, type: "value_error", input: { n: [1.0, echo] } }],
          });
        case "/words":
          return answer(400, { error: { message: echo } });
        case "/refused":
          return answer(200, { refused: echo });
        case "/account":
          return answer(401, { error: { message: `The key ${echo} was revoked` } });
        case "/failed":
          return answer(500, echo);
        case "/header":
          return answer(200, { ok: true, seed: 42 }, { "content-type": `application/json; x="${echo}"` });
        case "/escaped":
          return answer(400, `{"error":{"message":"key ${numbered(request.headers.authorization ?? "")}"}}`);
        case "/others-fields":
          return answer(
            422,
            `{"detail":[{"loc":["body"],"msg":${JSON.stringify(`no: ${allOthers()}`)},"type":"${numbered(others.own)}"}]}`,
          );
        case "/others-words":
          return answer(400, { error: { message: `no: ${allOthers()}` } });
        case "/others-failed":
          // The last one is where the stored excerpt of the message ends.
          return answer(500, { message: `failed with ${allOthers()} ${"and ".repeat(31)}${others.own}` });
        case "/others-result":
          return answer(200, { ok: true, echo: allOthers() });
        default:
          return answer(200, `{"ok":true,"seed":12345678901234567890,"echo":${JSON.stringify(echo)}}`);
      }
    });
  });
  provider.listen(0, "127.0.0.1");
  await once(provider, "listening");
  const { port } = provider.address() as AddressInfo;
  folder = await mkdtemp(join(tmpdir(), "atelier-echo-"));
  const file = join(folder, "echo.json");
  const base = `http://127.0.0.1:${port}`;
  await writeFile(file, JSON.stringify(definitionAt(base)));
  const [vault, studio] = ["vault", "studio"].map((name) => join(folder, `${name}.json`));
  assert.ok(vault && studio);
  const further = { ...definitionAt(base), workspace_credentials: true };
  for (const [path, name] of [
    [vault, "vault"],
    [studio, "studio"],
  ] as const) {
    const setting = `ATELIER_PROVIDER_${name.toUpperCase()}_KEY`;
    await writeFile(path, JSON.stringify({ ...further, provider: name, credential: { kind: "bearer", setting } }));
  }
  it = await partnerApp({
    logLevel: "debug",
    credentials: {
      ATELIER_PROVIDER_ECHO_KEY: credential,
      ATELIER_PROVIDER_PARTNER_A_KEY: partnerKey,
      ATELIER_PROVIDER_SPARE_KEY: others.environment,
    },
    env: { ATELIER_PROVIDERS: [file, vault, studio].join(",") },
  });
});
after(async () => {
  await it?.close();
  provider?.closeAllConnections();
  provider?.close();
  await rm(folder, { recursive: true, force: true });
});

const locations = ["fields", "words", "refused", "account", "failed", "header", "escaped", "success"] as const;
const otherLocations = ["others-fields", "others-words", "others-failed"] as const;

function definitionAt(base_url: string): ProviderDefinition {
  return {
    provider: "echo",
    base_url,
    credential: { kind: "bearer", setting: "ATELIER_PROVIDER_ECHO_KEY" },
    models: [...locations, ...otherLocations, "others-result"].map((model) => ({
      model,
      released: true,
      submit: { path: `/${model}`, encoding: "json" },
      rules: [
        { when: { status: [400] }, means: "rejected_input", message: "/error/message" },
        { when: { pointer: "/refused", present: true }, means: "refused", message: "/refused" },
      ],
      price: { usd: "0.01" },
      charges_on_policy_rejection: "unknown",
      input_schema: null,
      recovery: "neither",
      longest_run_seconds: 60,
    })),
  };
}

const whole = (answer: AppAnswer) => `${answer.status} ${JSON.stringify(answer.headers)} ${answer.text}`;

describe("a provider that repeats our credential", () => {
  for (const location of locations) {
    test(`in its answer (${location}): neither the caller nor a retry under the key gets it`, async () => {
      const key = `key-${location}`;
      const invoke = () =>
        it.app.call({
          method: "POST",
          path: `/v1/models/echo/${location}`,
          headers: { ...bearer(it.app.key), "idempotency-key": key },
          body: { prompt: "x" },
        });
      const first = await invoke();
      assertClean(whole(first), location);
      assertClean(whole(await invoke()), `${location}, again`);
    });
  }

  test("a result that contains it is delivered with asterisks of the same length, and nothing else changed", async () => {
    const answer = await it.post("/v1/models/echo/success", { prompt: "x" });
    assert.equal(answer.status, 200);
    assert.match(answer.text, /^\{"ok":true,"seed":12345678901234567890,"echo":"got [^"]*\*{25}/);
    assert.match(answer.text, new RegExp(`\\*{${credential.length}}`));
  });

  test("its list of rejected fields is relayed with everything else unchanged", async () => {
    const answer = await it.post("/v1/models/echo/fields", { prompt: "x" });
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(memberOf(answer.json(), "detail", 0, "loc"), ["body", "prompt"]);
    assert.equal(textOf(answer.json(), "detail", 0, "type"), "value_error");
  });
});

describe("a partner that repeats our credential", () => {
  const forms64 = () => Buffer.from(partnerKey).toString("base64");

  test("on submission: the caller learns why without it", async () => {
    it.partner.reply((response) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: `bad image for ${partnerKey} (${forms64()})` }));
    });
    const refused = await it.relight();
    it.partner.reply(null);
    assert.equal(refused.status, 400, refused.text);
    assert.match(refused.text, /bad image for/);
    assertClean(whole(refused), "the refusal");
  });

  test("in a task, by a read or a callback: neither the read nor the webhook has it", async () => {
    const secret = textOf((await it.post("/account/webhooks/secrets", { overlap_seconds: 0 })).json(), "secret");
    assert.ok(secret);
    for (const isCallback of [false, true]) {
      const hooksBefore = it.receiver.hooks.length;
      const started = await it.relight({ webhook_url: it.receiver.url });
      assert.equal(started.status, 200, started.text);
      const id = it.partnerTaskOf(started);
      it.partner.state(id, "COMPLETED", {
        generated: [`https://x.example/${encodeURIComponent(partnerKey)}/1.png`, partnerKey],
      });
      if (isCallback) assert.equal(await it.partner.callback(id), 200);
      const done = await it.untilStatus(`/proxy/partner-a/v1/ai/image-relight/${taskIdOf(started)}`, "COMPLETED");
      assertClean(whole(done), "the read");
      await until("the webhook came", () =>
        it.receiver.hooks.slice(hooksBefore).some(({ text }) => text.includes("COMPLETED")),
      );
      for (const { text, headers } of it.receiver.hooks) assertClean(text + JSON.stringify(headers), "a webhook");
    }
  });
});

describe("a provider that repeats other secrets of this server", () => {
  before(async () => {
    const asAdmin = bearer(it.app.adminToken);
    const puts = [
      { path: "/admin/providers/vault/credential", headers: asAdmin, body: { value: others.stored } },
      { path: "/account/provider-credentials/studio", headers: bearer(it.app.key), body: { credential: others.own } },
    ];
    for (const put of puts) {
      const answer = await it.app.call({ method: "PUT", ...put });
      assert.ok(answer.status < 300, answer.text);
    }
  });

  for (const location of otherLocations) {
    test(`about a queued call (${location}): neither its webhook nor any read contains one`, async () => {
      const already = it.receiver.hooks.length;
      const headers = { "x-service-webhook-url": it.receiver.url };
      const taken = await it.post(`/v1/models/echo/${location}/requests`, { prompt: "x" }, headers);
      const id = textOf(taken.json(), "request_id");
      assert.ok(id, taken.text);
      const arrived = () => it.receiver.hooks.slice(already).find(({ value }) => value["request_id"] === id);
      await until("the webhook came", () => arrived() !== undefined);
      const hook = arrived();
      assert.ok(hook);
      assertNoOthers(hook.text + JSON.stringify(hook.value), "the webhook");
      assertNoOthers(whole(await it.read(`/v1/models/echo/${location}/requests/${id}/status`)), "the status");
      assertNoOthers(whole(await it.read(`/v1/models/echo/${location}/requests/${id}`)), "the result");
      const delivery = await it.read(`/account/webhooks/deliveries/${hook.headers["webhook-id"]}`);
      assert.equal(delivery.status, 200, delivery.text);
      assertNoOthers(delivery.text, "the delivery in the log of webhooks");
    });
  }

  test("in a partner's task: the webhook has none, though the read is the partner's own answer", async () => {
    const already = it.receiver.hooks.length;
    const started = await it.relight({ webhook_url: it.receiver.url });
    it.partner.state(it.partnerTaskOf(started), "COMPLETED", { generated: Object.values(others) });
    const done = await it.untilStatus(`/proxy/partner-a/v1/ai/image-relight/${taskIdOf(started)}`, "COMPLETED");
    assert.ok(done.text.includes(others.stored), "a result is forwarded as it came");
    const arrived = () => it.receiver.hooks.slice(already).find(({ text }) => text.includes("COMPLETED"));
    await until("the webhook came", () => arrived() !== undefined);
    assertNoOthers(arrived()?.text ?? "", "the webhook");
    assert.match(arrived()?.text ?? "", new RegExp(`"\\*{${others.stored.length}}"`));
  });

  test("on submission to a partner: the refusal has none", async () => {
    it.partner.reply((response) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: `bad image: ${allOthers()}` }));
    });
    const refused = await it.relight();
    it.partner.reply(null);
    assert.match(refused.text, /bad image: \[removed\]/);
    assertNoOthers(whole(refused), "the refusal");
  });

  test("a result is the provider's own bytes", async () => {
    const answer = await it.post("/v1/models/echo/others-result", { prompt: "x" });
    assert.equal(answer.text, JSON.stringify({ ok: true, echo: allOthers() }));
  });

  test("the log and the usage rows, with the provider's first words, contain none", async () => {
    const usage = await it.read("/account/usage?limit=100");
    assert.match(usage.text, /failed with \[removed\]/);
    assertNoOthers(usage.text, "usage");
    assert.ok(!usage.text.includes(others.own.slice(0, 10)), "half of one is too much");
    assertNoOthers(it.app.logged.join("\n"), "the log");
  });
});

test("the log, the usage rows and every table of the database contain none of it", async () => {
  assertClean(it.app.logged.join("\n"), "the log");
  assertClean((await it.read("/account/usage?limit=100")).text, "usage");
  assertClean(await dumpOf(it.app.database), "a table");
});
