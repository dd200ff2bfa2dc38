// A third partner is just a file: its routes, schema, states, price and callbacks come from it and not from code.
// A wrong file stops the start and says where the error is.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { request } from "undici";
import { readPartnerFiles } from "../src/capabilities/partners/index.ts";
import { UsageProblem } from "../src/foundation/settings.ts";
import { bearer, memberOf, textOf } from "./support/app-client.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const secretText = Buffer.from("a key of thirty-two bytes or so!").toString("base64");
let folder = "";
let app: TestApp;
let state = "waiting";
let given: { callback: string; body: string; auth: string } | null = null;
const upstream = createServer(async (incoming, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  if (incoming.method === "POST")
    given = { callback: JSON.parse(body).notify, body, auth: String(incoming.headers["authorization"]) };
  const isKnown = incoming.method === "POST" || state !== "forgotten";
  response.writeHead(incoming.method === "POST" ? 202 : isKnown ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify({ job: { number: 4711, phase: state, text: state === "ready" ? "hello" : null } }));
});

const definition = (url: string) => ({
  partner: "voices",
  title: "Voices",
  base_url: url,
  credential: { kind: "key_pair", setting: "ATELIER_PROVIDER_VOICES_KEY" },
  task: { root: "/job", id: "/number", status: "/phase" },
  states: {
    created: { shown: "waiting", words: ["waiting"] },
    running: { shown: "speaking", words: ["speaking"] },
    completed: { shown: "ready", words: ["ready"] },
    failed: { shown: "broken", words: ["broken"] },
  },
  result: "/text",
  callback: { member: "notify", root: "/job", verify: "standard_webhooks", setting: "ATELIER_PROVIDER_VOICES_SECRET" },
  poll: { interval_ms: 100, interval_ms_max: 200, timeout_ms: 1000, at_once: 4 },
  submit_timeout_ms: 5000,
  longest_run_seconds: 60,
  view: {
    from: "object",
    members: {
      task: { from: "id" },
      state: { from: "status" },
      said: { from: "answer", pointer: "/text", in: ["completed"] },
      asked: { from: "request", pointer: "/text" },
    },
  },
  notice: "",
  operations: [
    {
      name: "speak",
      path: "/speak",
      status: 201,
      schema: { type: "object", required: ["text"], properties: { text: { type: "string", maxLength: 20 } } },
      read: "speak",
      price: { usd: "0.5" },
    },
  ],
  reads: [{ name: "speak", path: "/speak/{task}" }],
});

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "atelier-partners-"));
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const address = upstream.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  await writeFile(join(folder, "voices.json"), JSON.stringify(definition(url)));
  app = await testApp({
    env: { ATELIER_PARTNERS: join(folder, "voices.json") },
    credentials: {
      ATELIER_PROVIDER_VOICES_KEY: "id:secret",
      ATELIER_PROVIDER_VOICES_SECRET: `whsec_${secretText}`,
    },
  });
});
after(async () => {
  await app.close();
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

const post = (body: unknown) =>
  app.call({ method: "POST", path: "/proxy/voices/speak", headers: bearer(app.key), body });

test("its operations are mounted, described and priced", async () => {
  const document = (await app.call({ path: "/openapi.json" })).json();
  const described = memberOf(document, "paths", "/proxy/voices/speak", "post");
  assert.equal(textOf(described, "operationId"), "startVoicesSpeak");
  assert.ok(memberOf(document, "paths", "/proxy/voices/speak/{task}", "get"));
  const refused = await post({ text: "x".repeat(21) });
  assert.equal(refused.status, 400);
  assert.match(textOf(refused.json(), "message"), /text/);
});

test("a task runs from its file alone: bytes, credential, callback with a base64 secret, view, price", async () => {
  const before = Number(
    textOf((await app.call({ path: "/account/credits", headers: bearer(app.key) })).json(), "available"),
  );
  const started = await post({ text: "hi", more: 1 });
  assert.equal(started.status, 201, started.text);
  const id = textOf(started.json(), "task");
  assert.deepEqual(started.json(), { task: id, state: "waiting", asked: "hi" });
  assert.ok(given);
  assert.equal(given.auth, "Key id:secret");
  state = "ready";
  const body = JSON.stringify({ job: { number: 4711, phase: "ready", text: "hello" } });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", Buffer.from(secretText, "base64"))
    .update(`e1.${timestamp}.${body}`)
    .digest("base64");
  const called = await request(given.callback, {
    method: "POST",
    body,
    headers: { "webhook-id": "e1", "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` },
  });
  assert.equal(called.statusCode, 200, await called.body.text());
  const done = await app.call({ path: `/proxy/voices/speak/${id}`, headers: bearer(app.key) });
  assert.deepEqual(done.json(), { task: id, state: "ready", said: "hello", asked: "hi" });
  const after = Number(
    textOf((await app.call({ path: "/account/credits", headers: bearer(app.key) })).json(), "available"),
  );
  assert.equal(Math.round((before - after) * 1e6), 105_500_000);
});

test("without a callback its poller settles, at the interval in the file", async () => {
  state = "speaking";
  const started = await post({ text: "again" });
  const path = `/proxy/voices/speak/${textOf(started.json(), "task")}`;
  state = "ready";
  await until("it is settled", async () => {
    const credits = (await app.call({ path: "/account/credits", headers: bearer(app.key) })).json();
    return textOf(credits, "held") === "0";
  });
  assert.equal(textOf((await app.call({ path, headers: bearer(app.key) })).json(), "state"), "ready");
});

test("a task that the partner repeatedly denies ends as failed, and nothing is held or charged", async () => {
  const credits = async () => (await app.call({ path: "/account/credits", headers: bearer(app.key) })).json();
  const before = await credits();
  state = "speaking";
  const started = await post({ text: "gone" });
  state = "forgotten";
  const path = `/proxy/voices/speak/${textOf(started.json(), "task")}`;
  await until("it is broken", async () => {
    const read = await app.call({ path, headers: bearer(app.key) });
    return textOf(read.json(), "state") === "broken";
  });
  assert.deepEqual(await credits(), before);
});

test("every problem of an invalid file is reported with its field", async () => {
  const { view: _, ...rest } = definition("http://127.0.0.1:1");
  const wrong: readonly [object, RegExp][] = [
    [rest, /\/view is required/],
    [{ ...definition("http://u:p@127.0.0.1:1") }, /\/base_url must not contain a credential/],
    [{ ...definition("http://127.0.0.1:1"), partner: "Voices!" }, /\/partner/],
    [
      { ...definition("http://127.0.0.1:1"), reads: [{ name: "other", path: "/x/{id}" }] },
      /\/operations\/0\/read does not name an entry/,
    ],
    [
      { ...definition("http://127.0.0.1:1"), reads: [{ name: "speak", path: "/x" }] },
      /\/reads\/0\/path must end in one parameter/,
    ],
    [
      { ...definition("http://127.0.0.1:1"), callback: { member: "n", root: "", verify: "standard_webhooks" } },
      /\/callback\/setting is required/,
    ],
    [
      {
        ...definition("http://127.0.0.1:1"),
        operations: [{ ...definition("x").operations[0], price: { usd: "much" } }],
      },
      /\/operations\/0\/price/,
    ],
  ];
  for (const [value, problem] of wrong) {
    const file = join(folder, "wrong.json");
    await writeFile(file, JSON.stringify(value));
    await assert.rejects(readPartnerFiles([file]), (thrown) => {
      assert.ok(thrown instanceof UsageProblem);
      assert.match(thrown.problems.join("\n"), problem);
      return true;
    });
  }
});
