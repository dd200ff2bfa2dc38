// Servers that we authenticate to may repeat what we sent. Here a provider and a partner do, wherever they can:
// what leaves us afterwards (answers, recorded answers, webhooks, usage, log, rows) holds no form of the credential.
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

// What the provider knows of us, in every form that a careless one might write it.
function echoOf(request: IncomingMessage): string {
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
      const echo = echoOf(request);
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
          return answer(
            400,
            `{"error":{"message":"key ${[...(request.headers.authorization ?? "")].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"}}`,
          );
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
  await writeFile(file, JSON.stringify(definitionAt(`http://127.0.0.1:${port}`)));
  it = await partnerApp({
    logLevel: "debug",
    credentials: { ATELIER_PROVIDER_ECHO_KEY: credential, ATELIER_PROVIDER_PARTNER_A_KEY: partnerKey },
    env: { ATELIER_PROVIDERS: file },
  });
});
after(async () => {
  await it?.close();
  provider?.closeAllConnections();
  provider?.close();
  await rm(folder, { recursive: true, force: true });
});

const locations = ["fields", "words", "refused", "account", "failed", "header", "escaped", "success"] as const;

function definitionAt(base_url: string): ProviderDefinition {
  return {
    provider: "echo",
    base_url,
    credential: { kind: "bearer", setting: "ATELIER_PROVIDER_ECHO_KEY" },
    models: locations.map((model) => ({
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

  test("a result that holds it is delivered, with as many asterisks, and nothing else of it is touched", async () => {
    const answer = await it.post("/v1/models/echo/success", { prompt: "x" });
    assert.equal(answer.status, 200);
    assert.match(answer.text, /^\{"ok":true,"seed":12345678901234567890,"echo":"got [^"]*\*{25}/);
    assert.match(answer.text, new RegExp(`\\*{${credential.length}}`));
  });

  test("its list of rejected fields is relayed with everything else as it was", async () => {
    const answer = await it.post("/v1/models/echo/fields", { prompt: "x" });
    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(memberOf(answer.json(), "detail", 0, "loc"), ["body", "prompt"]);
    assert.equal(textOf(answer.json(), "detail", 0, "type"), "value_error");
  });
});

describe("a partner that repeats our credential", () => {
  const forms64 = () => Buffer.from(partnerKey).toString("base64");

  test("at the door: the caller is told why without it", async () => {
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

test("the log, the usage rows and every table of the database hold none of it", async () => {
  assertClean(it.app.logged.join("\n"), "the log");
  assertClean((await it.read("/account/usage?limit=100")).text, "usage");
  assertClean(await dumpOf(it.app.database), "a table");
});
