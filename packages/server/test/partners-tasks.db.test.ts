// Tasks at partners over real HTTP: states, money and notices, no matter which observer sees a change first.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { bearer, headerOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant } from "./support/app-people.ts";
import { type PartnerApp, partnerApp, pixel, promptPath, relightPath, taskIdOf } from "./support/partner-app.ts";
import { pushedClock } from "./support/pushed-clock.ts";
import { ageCalls, linesOf, recordedByCall, recordedUnderKey } from "./support/router-records-store.ts";
import { until } from "./support/server-process.ts";

let it: PartnerApp;
const clock = pushedClock();
before(async () => {
  it = await partnerApp({ clock });
});
after(() => it.close());

const relightPrice = 21.1;
// Sums of decimals are compared to the micro-credit.
const near = (actual: number, expected: number, what: string) =>
  assert.ok(Math.abs(actual - expected) < 1e-6, `${what}: ${actual} instead of ${expected}`);

async function newSecret(): Promise<string> {
  return textOf((await it.post("/account/webhooks/secrets", { overlap_seconds: 0 })).json(), "secret");
}

test("a relight task begins CREATED, and its reads follow the partner to COMPLETED", async () => {
  const started = await it.relight({ prompt: "sun (warm:1.3)" });
  assert.equal(started.status, 200, started.text);
  const id = taskIdOf(started);
  assert.deepEqual(started.json(), { data: { task_id: id, status: "CREATED", generated: [] } });
  const partnerId = it.partnerTaskOf(started);
  assert.notEqual(partnerId, id, "the partner's own id is not ours");
  it.partner.state(partnerId, "IN_PROGRESS");
  const running = await it.untilStatus(`${relightPath}/${id}`, "IN_PROGRESS");
  assert.deepEqual(memberOf(running.json(), "data", "generated"), []);
  it.partner.state(partnerId, "COMPLETED", { generated: ["https://pictures.example/1.png"] });
  const done = await it.untilStatus(`${relightPath}/${id}`, "COMPLETED");
  assert.deepEqual(done.json(), {
    data: { task_id: id, status: "COMPLETED", generated: ["https://pictures.example/1.png"] },
  });
});

test("a prompt is created with 201 and keeps its shape from pending to completed", async () => {
  const started = await it.prompt({ inference_params: { steps: 10 } });
  assert.equal(started.status, 201, started.text);
  const first = started.json();
  const id = textOf(first, "id");
  const created = textOf(first, "meta", "created_at");
  assert.deepEqual(first, {
    id,
    status: "pending",
    prompt_text: "a boat",
    frame_conditioning: {},
    inference_params: { steps: 10 },
    model_params: { model: "film" },
    meta: { created_at: created },
  });
  it.partner.state(it.partnerTaskOf(started), "completed", { output_url: "https://films.example/1.webp" });
  const done = (await it.untilStatus(`/proxy/partner-b/prompts/${id}`, "completed")).json();
  assert.equal(textOf(done, "output_url"), "https://films.example/1.webp");
  assert.ok(Number(memberOf(done, "meta", "duration_s")) >= 0);
  assert.ok(Date.parse(textOf(done, "meta", "completed_at")) >= Date.parse(created));
  assert.equal(memberOf(done, "error"), undefined);
});

test("a prompt that fails says why, without any address, and costs nothing", async () => {
  const before = await it.wallet();
  const started = await it.prompt();
  it.partner.state(it.partnerTaskOf(started), "error", {
    error: { code: "content_refused", message: "see http://10.0.0.7/why for the reason" },
  });
  const failed = (await it.untilStatus(`/proxy/partner-b/prompts/${taskIdOf(started)}`, "error")).json();
  assert.equal(textOf(failed, "error", "code"), "content_refused");
  assert.doesNotMatch(textOf(failed, "error", "message"), /10\.0\.0\.7/);
  assert.equal(memberOf(failed, "output_url"), undefined);
  const after = await it.wallet();
  near(after.available, before.available, "everything came back");
  near(after.held, before.held, "nothing is held");
});

test("credits are held while a task runs, and taken once when it completes", async () => {
  const before = await it.wallet();
  const started = await it.relight();
  const held = await it.wallet();
  near(held.held - before.held, relightPrice, "held");
  assert.equal(held.inFlight, before.inFlight + 1);
  const id = it.partnerTaskOf(started);
  it.partner.state(id, "COMPLETED", { generated: ["https://pictures.example/2.png"] });
  // A read, two callbacks and a poll all see the same end.
  await Promise.all([it.read(`${relightPath}/${taskIdOf(started)}`), it.partner.callback(id), it.partner.callback(id)]);
  await it.untilStatus(`${relightPath}/${taskIdOf(started)}`, "COMPLETED");
  const after = await it.wallet();
  near(before.available - after.available, relightPrice, "charged once");
  near(after.held, before.held, "nothing is held");
  assert.equal(after.inFlight, before.inFlight);
  await it.invariantsHold();
});

test("a task whose caller never asks again is settled by the poller, once", async () => {
  const before = await it.wallet();
  const started = await it.relight();
  const id = it.partnerTaskOf(started);
  it.partner.state(id, "COMPLETED", { generated: ["https://pictures.example/3.png"] });
  await until("the poller has settled it", async () => (await it.wallet()).held === before.held);
  near(before.available - (await it.wallet()).available, relightPrice, "charged once");
});

test("every change of state is sent to webhook_url in order, signed, with the body of a read", async () => {
  const secret = await newSecret();
  const from = it.receiver.hooks.length;
  const started = await it.relight({ webhook_url: it.receiver.url });
  const id = taskIdOf(started);
  const partnerId = it.partnerTaskOf(started);
  it.partner.state(partnerId, "IN_PROGRESS");
  assert.equal(await it.partner.callback(partnerId), 200);
  it.partner.state(partnerId, "COMPLETED", { generated: ["https://pictures.example/4.png"] });
  assert.equal(await it.partner.callback(partnerId), 200);
  await until(
    "both arrived",
    () => it.receiver.hooks.slice(from).filter((hook) => hook.value["task_id"] === id).length === 2,
  );
  const hooks = it.receiver.hooks.slice(from).filter((hook) => hook.value["task_id"] === id);
  const bySequence = [...hooks].sort((one, other) => Number(one.value["sequence"]) - Number(other.value["sequence"]));
  assert.deepEqual(
    bySequence.map(({ value }) => value),
    [
      { task_id: id, status: "IN_PROGRESS", generated: [], sequence: 1, type: "partner_task.running" },
      {
        task_id: id,
        status: "COMPLETED",
        generated: ["https://pictures.example/4.png"],
        sequence: 2,
        type: "partner_task.completed",
      },
    ],
  );
  const verifier = new Webhook(secret);
  for (const { text, headers } of hooks) verifier.verify(text, headers);
});

test("the partner never learns the caller's webhook address: it gets ours, spliced into the caller's bytes", async () => {
  const text = `{ "image" : "${pixel}",\n  "webhook_url":"${it.receiver.url}" , "unknown_member": [1.50, {"a":null}] }`;
  const answer = await it.post(relightPath, text);
  assert.equal(answer.status, 200, answer.text);
  const sent = it.partner.submissions.at(-1);
  assert.ok(sent?.webhookUrl);
  assert.ok(sent.webhookUrl.startsWith(`${it.app.baseUrl}/callbacks/partner-a/${taskIdOf(answer)}/`));
  assert.equal(sent.body.toString().replace(sent.webhookUrl, it.receiver.url), text);
  assert.equal(sent.headers["x-partner-a-api-key"], "key-of-a");
  assert.equal(sent.headers["authorization"], undefined, "our caller's credential stays here");
});

test("without a webhook_url our own address is inserted first and nothing else changes", async () => {
  const text = `{"prompt_text":"a boat", "inference_params":{"seed":9007199254740993}}`;
  const answer = await it.post(promptPath, text);
  assert.equal(answer.status, 201, answer.text);
  const sent = it.partner.submissions.at(-1);
  assert.ok(sent?.webhookUrl);
  assert.equal(sent.body.toString().replace(`"webhook_url":${JSON.stringify(sent.webhookUrl)},`, ""), text);
});

for (const seed of ["9007199254740993", "18446744073709551615", "-9223372036854775808", "0"])
  test(`the seed ${seed} reaches partner-b and comes back with every digit`, async () => {
    const answer = await it.post(promptPath, `{"prompt_text":"x","inference_params":{"seed": ${seed}}}`);
    assert.equal(answer.status, 201, answer.text);
    assert.ok(it.partner.submissions.at(-1)?.body.includes(`"seed": ${seed}}`));
    assert.match(answer.text, new RegExp(`"seed":${seed}[,}]`));
    const read = await it.read(`/proxy/partner-b/prompts/${taskIdOf(answer)}`);
    assert.match(read.text, new RegExp(`"seed":${seed}[,}]`));
  });

test("states only move forward: a late IN_PROGRESS after the end changes nothing", async () => {
  const started = await it.relight({ webhook_url: it.receiver.url });
  const partnerId = it.partnerTaskOf(started);
  it.partner.state(partnerId, "COMPLETED", { generated: ["https://pictures.example/5.png"] });
  assert.equal(await it.partner.callback(partnerId), 200);
  it.partner.state(partnerId, "IN_PROGRESS");
  assert.equal(await it.partner.callback(partnerId), 200);
  it.partner.state(partnerId, "FAILED");
  assert.equal(await it.partner.callback(partnerId), 200);
  const read = await it.read(`${relightPath}/${taskIdOf(started)}`);
  assert.equal(textOf(read.json(), "data", "status"), "COMPLETED");
  await it.invariantsHold();
});

test("an event counts once: the same webhook-id again is acknowledged and changes nothing", async () => {
  const started = await it.relight();
  const partnerId = it.partnerTaskOf(started);
  it.partner.state(partnerId, "IN_PROGRESS");
  it.partner.readReply((response) => response.writeHead(503).end());
  assert.equal(await it.partner.callback(partnerId, { eventId: "event-1" }), 200);
  it.partner.state(partnerId, "COMPLETED", { generated: ["https://pictures.example/6.png"] });
  assert.equal(await it.partner.callback(partnerId, { eventId: "event-1" }), 200);
  const read = await it.read(`${relightPath}/${taskIdOf(started)}`);
  assert.equal(textOf(read.json(), "data", "status"), "IN_PROGRESS");
  it.partner.readReply(null);
  // Settled here, so that the poller does not do it while another test looks at the wallet.
  await it.untilStatus(`${relightPath}/${taskIdOf(started)}`, "COMPLETED");
});

test("a callback with a wrong signature, an old timestamp, at another address or about another task is refused", async () => {
  const [one, other] = [await it.relight(), await it.relight()];
  const partnerId = it.partnerTaskOf(one);
  const url = it.partner.submissions.find(({ taskId }) => taskId === partnerId)?.webhookUrl ?? "";
  const foreign = it.partner.submissions.find(({ taskId }) => taskId === it.partnerTaskOf(other))?.webhookUrl ?? "";
  assert.equal(await it.partner.callback(partnerId, { secret: "another" }), 403);
  assert.equal(await it.partner.callback(partnerId, { ageSeconds: 301 }), 403);
  assert.equal(await it.partner.callback(partnerId, { ageSeconds: -301 }), 403);
  assert.equal(await it.partner.callback(partnerId, { url: `${url.slice(0, -2)}AA` }), 404);
  assert.equal(await it.partner.callback(partnerId, { url: url.replace("partner-a", "partner-b") }), 404);
  assert.equal(await it.partner.callback(partnerId, { url: foreign }), 403);
});

test("an unreachable partner leaves a read as it was: 200 with the last known state", async () => {
  const started = await it.relight();
  for (const reply of [
    (response: import("node:http").ServerResponse) => response.writeHead(500).end("<html>"),
    (response: import("node:http").ServerResponse) => response.destroy(),
    (response: import("node:http").ServerResponse) => response.writeHead(200).end("not json"),
  ]) {
    it.partner.readReply(reply);
    const read = await it.read(`${relightPath}/${taskIdOf(started)}`);
    assert.equal(read.status, 200);
    assert.equal(textOf(read.json(), "data", "status"), "CREATED");
  }
  it.partner.readReply(null);
});

test("a task belongs to its workspace: others, unknown ids and the wrong route are the same 404", async () => {
  const started = await it.relight();
  const id = taskIdOf(started);
  const tenant = await addTenant(it.app, "Eve");
  const answers = await Promise.all([
    it.read(`${relightPath}/${id}`, tenant.key),
    it.read(`${relightPath}/00000000-0000-7000-8000-000000000000`),
    it.read(`${relightPath}/nonsense`),
    it.read(`/proxy/partner-a/v1/ai/skin-enhancer/${id}`),
    it.read(`/proxy/partner-a/v1/ai/skin-enhancer/flexible`),
    it.read(`/proxy/partner-b/prompts/${id}`),
    it.read(`/proxy/partner-b/prompts/text-to-video`),
  ]);
  for (const answer of answers) {
    assert.equal(answer.status, 404);
    assert.deepEqual(answer.json(), { error: "not_found", message: "There is no such task." });
  }
  assert.equal((await it.read(`${relightPath}/${id}`)).status, 200);
});

test("a partner's refusal of a submission is reported in our words, and nothing is held", async () => {
  const before = await it.wallet();
  const cases: readonly [number, Record<string, string>, string, number, string][] = [
    [400, {}, '{"message":"image is too small"}', 400, "invalid_request"],
    [401, {}, "{}", 502, "provider_error"],
    [402, {}, "{}", 502, "provider_error"],
    [403, {}, "{}", 502, "provider_error"],
    [413, {}, "{}", 413, "payload_too_large"],
    [429, { "retry-after": "7" }, "{}", 429, "rate_limited"],
    [500, {}, "<html>SECRET</html>", 502, "provider_error"],
    [503, {}, "{}", 502, "provider_error"],
    [504, {}, "{}", 504, "provider_timeout"],
  ];
  for (const [status, headers, body, expected, code] of cases) {
    it.partner.reply((response) => response.writeHead(status, headers).end(body));
    const answer = await it.relight();
    assert.equal(answer.status, expected, `${status}: ${answer.text}`);
    assert.equal(textOf(answer.json(), "error"), code);
    assert.doesNotMatch(answer.text, /SECRET/);
    if (status === 429) assert.equal(headerOf(answer, "retry-after"), "7");
  }
  it.partner.reply(null);
  const after = await it.wallet();
  near(after.available, before.available, "nothing was taken");
  near(after.held, before.held, "nothing is held");
});

test("the partner's callback makes up for a lost answer", async () => {
  const before = await it.wallet();
  it.partner.reply((response) => response.destroy(), true);
  const lost = await it.relight({ webhook_url: it.receiver.url }, { "idempotency-key": "lost-1" });
  it.partner.reply(null);
  assert.equal(lost.status, 502, lost.text);
  near((await it.wallet()).held - before.held, relightPrice, "the hold stands: the partner may be at work");
  const { taskId: partnerId } = it.partner.submissions.at(-1) ?? assert.fail();
  it.partner.state(partnerId, "COMPLETED", { generated: ["https://pictures.example/7.png"] });
  assert.equal(await it.partner.callback(partnerId), 200);
  const again = await it.relight({ webhook_url: it.receiver.url }, { "idempotency-key": "lost-1" });
  assert.equal(again.status, 200, again.text);
  assert.equal(headerOf(again, "idempotent-replayed"), "true");
  const read = await it.read(`${relightPath}/${taskIdOf(again)}`);
  assert.equal(textOf(read.json(), "data", "status"), "COMPLETED");
  near(before.available - (await it.wallet()).available, relightPrice, "charged once");
  await it.invariantsHold();
});

test("a submission of unknown outcome says what is held and until when, and the hold is released when nobody can know", async () => {
  const before = await it.wallet();
  const headers = { "idempotency-key": "lost-2" };
  it.partner.reply((response) => response.destroy());
  const lost = await it.relight({}, headers);
  it.partner.reply(null);
  assert.equal(lost.status, 502, lost.text);
  const said = textOf(lost.json(), "message");
  assert.doesNotMatch(said, /[Nn]othing was charged/);
  assert.match(said, /^The partner's answer was lost\. Nothing is charged yet: 21\.1 credits stay held until/);
  assert.match(
    said,
    /If it did, .* charged when it completes; if not, the credits are released\. Retry with the same Idem/,
  );
  assert.equal(textOf(lost.json(), "details", "held"), "21.1");
  const seconds = (Date.parse(textOf(lost.json(), "details", "held_until")) - clock.now().getTime()) / 1000;
  assert.ok(seconds > 21 * 60 && seconds < 25 * 60, `${seconds} s: the quarantine, for this partner cannot be asked`);
  near((await it.wallet()).held - before.held, relightPrice, "held");
  const [call = assert.fail()] = await recordedUnderKey(it.app.database, "lost-2");
  assert.equal(call.state, "open");
  await ageCalls(it.app.database, "partner:partner-a/image-relight", 23 * 60);
  await until("nobody knows", async () => (await recordedByCall(it.app.database, call.callId))?.state === "unknown");
  const wallet = await it.wallet();
  near(wallet.held, before.held, "nothing is held any more");
  near(wallet.available, before.available, "everything came back");
  assert.deepEqual(await linesOf(it.app.database, call.callId), ["suspense"]);
  const again = await it.relight({}, headers);
  assert.equal(again.status, 502, again.text);
  assert.match(again.text, /Nothing was charged, and its held credits were released/);
  await it.invariantsHold();
});

test("a usage row records each task's end, with its price", async () => {
  const usage = (await it.read("/account/usage?subject=partner:partner-a/image-relight&limit=100")).json();
  const rows = memberOf(usage, "data");
  assert.ok(Array.isArray(rows) && rows.length > 3);
  assert.ok(
    rows.some((row) => textOf(row, "outcome") === "succeeded" && Number(textOf(row, "credits")) === relightPrice),
  );
});

test("without a credential it is 401, and a key without the scope is 403", async () => {
  const answer = await it.app.call({ method: "POST", path: relightPath, body: { image: pixel } });
  assert.equal(answer.status, 401);
  const made = await it.app.call({
    method: "POST",
    path: "/account/keys",
    headers: bearer(it.app.key),
    body: { name: "only models", scopes: ["models"] },
  });
  const refused = await it.post(relightPath, { image: pixel }, bearer(textOf(made.json(), "secret")));
  assert.equal(refused.status, 403, refused.text);
  assert.equal(textOf(refused.json(), "error"), "forbidden");
});

// From here on the clock is later.
test("a task that its partner never ends is failed at the partner's longest run and not before, and costs nothing", async () => {
  const started = await it.prompt();
  const [id, partnerId] = [taskIdOf(started), it.partnerTaskOf(started)];
  const path = `/proxy/partner-b/prompts/${id}`;
  it.partner.state(partnerId, "processing");
  await it.untilStatus(path, "processing");
  clock.push(longestRunOfB - 600);
  const reads = () => it.partner.reads.get(partnerId) ?? 0;
  const before = reads();
  await until("it was looked at since", () => reads() > before);
  assert.equal(textOf((await it.read(path)).json(), "status"), "processing");
  clock.push(600);
  const failed = (await it.untilStatus(path, "error")).json();
  assert.equal(textOf(failed, "error", "code"), "timeout");
  // No matter what the partner says later.
  it.partner.state(partnerId, "completed", { output_url: "https://films.example/late.webp" });
  assert.equal(await it.partner.callback(partnerId, { ageSeconds: -clock.aheadSeconds }), 200);
  assert.equal(textOf((await it.read(path)).json(), "status"), "error");
  assert.deepEqual(await chargesOf(id), [{ outcome: "provider_timeout", credits: 0 }]);
  await it.invariantsHold();
});

test("an unreachable partner gets twenty minutes more", async () => {
  const started = await it.prompt();
  const [id, partnerId] = [taskIdOf(started), it.partnerTaskOf(started)];
  const path = `/proxy/partner-b/prompts/${id}`;
  it.partner.readReply((response) => response.writeHead(503).end());
  const reads = () => it.partner.reads.get(partnerId) ?? 0;
  clock.push(longestRunOfB + 60);
  const before = reads();
  await until("it was looked at since", () => reads() > before);
  assert.equal(textOf((await it.read(path)).json(), "status"), "pending");
  clock.push(20 * 60);
  assert.equal(textOf((await it.untilStatus(path, "error")).json(), "error", "code"), "timeout");
  it.partner.readReply(null);
  assert.deepEqual(await chargesOf(id), [{ outcome: "provider_timeout", credits: 0 }]);
});

const longestRunOfB = 7_200;

async function chargesOf(taskId: string): Promise<unknown[]> {
  const usage = (await it.read("/account/usage?limit=100")).json();
  const rows = memberOf(usage, "data");
  assert.ok(Array.isArray(rows));
  return rows
    .filter((row) => memberOf(row, "call_id") === taskId)
    .map((row) => ({ outcome: textOf(row, "outcome"), credits: Number(textOf(row, "credits")) }));
}
