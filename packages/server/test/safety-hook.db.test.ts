// The operator's safety hook over real HTTP: what it is asked, what each verdict does to the answer, the money and the key.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { lookAtSafety } from "../src/capabilities/safety/look-at-safety.ts";
import { requireSafety } from "../src/capabilities/safety/open-safety.ts";
import { readConfig } from "../src/config.ts";
import { type AppAnswer, bearer, headerOf, listOf, memberOf } from "./support/app-client.ts";
import { invariantsHold } from "./support/model-request-records-store.ts";
import { aKey, bucketOf, invokeOn, readOn } from "./support/router-calls.ts";
import { recordedUnderKey } from "./support/router-records-store.ts";
import { type HookAnswer, type SafetyHookProgram, safetyHookProgram } from "./support/safety-hook-program.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { sha256Of } from "./support/sandbox-provider.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let hook: SafetyHookProgram;
let app: TestApp;
before(async () => {
  hook = await safetyHookProgram();
  apps = await sandboxApps();
  app = await apps.open({
    env: { ...hook.env("closed"), ATELIER_BOOTSTRAP_CREDITS: "1000000", ATELIER_SAFETY_HOOK_BYTES_MAX: "100000" },
  });
});
afterEach(async () => {
  hook.answerWith(() => ({ body: { verdict: "allow" } }));
  hook.asked.length = 0;
  await invariantsHold(app.database);
});
after(async () => {
  await apps.close();
  await hook.close();
});

const image = "sandbox/image-1-queued";
const at = (stage: "input" | "answer", body: unknown, status?: number) =>
  hook.answerWith(({ value }) =>
    value["stage"] === stage ? { body, ...(status ? { status } : {}) } : { body: allow },
  );
const allow = { verdict: "allow" };

interface Made {
  readonly answer: AppAnswer;
  readonly key: string;
  again(): Promise<AppAnswer>;
}
async function call(model: string, input: unknown, headers: Record<string, string> = {}): Promise<Made> {
  const key = aKey();
  const again = () => invokeOn(app, model, input, { ...key, ...headers });
  return { answer: await again(), key: key["idempotency-key"], again };
}
const recorded = async (key: string) => {
  const [call] = await recordedUnderKey(app.database, key);
  assert.ok(call, "the key answers");
  return call;
};
const checksOf = async (answer: AppAnswer) => {
  const id = headerOf(answer, "x-service-request-id");
  const shown = await readOn(app, `/account/requests/${id}`);
  assert.equal(shown.status, 200, shown.text);
  return listOf(shown.json(), "checks").map((check) => [
    memberOf(check, "stage"),
    memberOf(check, "verdict"),
    memberOf(check, "reason"),
  ]);
};
const available = async () => Number(memberOf((await readOn(app, "/account/credits")).json(), "available"));
const picture = { prompt: "a red fox", width: 64, height: 64 };

describe("allowed", () => {
  test("it sees the caller's own bytes and the answer's, once each, and changes neither bytes nor cost", async () => {
    const input = '{"prompt": "a red fox", "width": 64, "height": 64, "seed": 18446744073709551615}';
    const { answer, key, again } = await call(image, input, {
      "x-service-tags": '{"project":"fox"}',
      "x-service-end-user": "person-7",
    });
    assert.equal(answer.status, 200, answer.text);
    const { callId, settleSum } = await recorded(key);
    assert.equal((await apps.reference(callId))?.request_sha256, sha256Of(Buffer.from(input)));
    assert.equal((await apps.reference(callId))?.response_sha256, sha256Of(answer.bytes));
    assert.ok(settleSum > 0n);
    assert.deepEqual(
      hook.asked.map(({ webhookId, value }) => [webhookId, value["stage"], value["type"]]),
      [
        [`${callId}-input`, "input", "model_call.input"],
        [`${callId}-answer`, "answer", "model_call.answer"],
      ],
    );
    const [first, second] = hook.asked;
    assert.ok(first?.text.endsWith(`"input":${input}}`), "digits are kept");
    assert.ok(second?.text.includes(answer.bytes.toString()));
    const { workspaceId } = app;
    for (const { value } of hook.asked) {
      const { model, workspace_id, call_id, end_user, tags, request_id } = value;
      assert.deepEqual(
        { model, workspace_id, call_id, end_user, tags, request_id },
        {
          model: image,
          workspace_id: workspaceId,
          call_id: callId,
          end_user: "person-7",
          tags: { project: "fox" },
          request_id: headerOf(answer, "x-service-request-id"),
        },
      );
    }
    assert.equal((await again()).bytes.equals(answer.bytes), true);
    assert.equal(hook.asked.length, 2, "a replay asks nobody");
    assert.deepEqual(await checksOf(answer), [
      ["input", "allowed", null],
      ["answer", "allowed", null],
    ]);
  });

  test("a free call without a key is asked about too", async () => {
    const answer = await invokeOn(app, "sandbox/image-1", picture);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(hook.asked.length, 2);
  });

  test("what is too large or not JSON is described by type, size and hash", async () => {
    const large = { anything: "x".repeat(200_000) };
    const open = await call("sandbox/open-1", large);
    assert.equal(open.answer.status, 200);
    const voice = await call("sandbox/voice-1", { prompt: "good evening" });
    assert.equal(headerOf(voice.answer, "content-type"), "audio/wav");
    const shown = hook.asked.map(({ value }) => [value["content_type"], memberOf(value["omitted"] ?? {}, "reason")]);
    assert.deepEqual(shown, [
      ["application/json", "too_large"],
      ["application/json", "too_large"],
      ["application/json", undefined],
      ["audio/wav", "not_json"],
    ]);
    const last = hook.asked.at(-1)?.value ?? {};
    assert.equal(last["bytes"], voice.answer.bytes.byteLength);
    assert.equal(memberOf(last["omitted"], "sha256"), sha256Of(voice.answer.bytes));
    assert.ok(!("answer" in last));
  });
});

describe("refused", () => {
  test("before dispatch: 400 with the hook's reason, nothing runs, nothing is charged, and the key answers the same", async () => {
    at("input", { verdict: "refuse", reason: "No foxes\u0000 today." });
    const [runs, before] = [await apps.runs(), await available()];
    const { answer, key, again } = await call(image, picture);
    assert.deepEqual([answer.status, bucketOf(answer)], [400, "content_policy_violation"]);
    assert.match(String(memberOf(answer.json(), "detail")), /refused the input on policy grounds: No foxes today\.$/);
    assert.equal(headerOf(answer, "x-service-credits-used"), "0");
    at("input", allow);
    const replay = await again();
    assert.deepEqual([replay.status, replay.text], [400, answer.text]);
    assert.equal(headerOf(replay, "idempotent-replayed"), "true");
    assert.deepEqual([hook.asked.length, await apps.runs(), await available()], [1, runs, before]);
    assert.deepEqual((await recorded(key)).settled, 0n);
    assert.deepEqual(await checksOf(answer), [["input", "refused", "No foxes today."]]);
  });

  test("before delivery: as its definition says of refusals, the call is charged by what was used, or free", async () => {
    at("answer", { verdict: "refuse", reason: "Not that." });
    const film = await call("sandbox/video-1", { prompt: "waves", seconds: 1, simulate_seconds: 0 });
    assert.deepEqual([film.answer.status, bucketOf(film.answer)], [400, "content_policy_violation"]);
    const charged = await recorded(film.key);
    assert.equal(charged.settleLines, 1);
    assert.ok(charged.settleSum > 0n);
    assert.equal(Number(headerOf(film.answer, "x-service-credits-used")) * 1e6, Number(charged.settleSum));
    const free = await call(image, picture);
    assert.equal(free.answer.status, 400);
    assert.equal((await recorded(free.key)).settled, 0n);
    const runs = await apps.runs();
    assert.equal((await free.again()).text, free.answer.text);
    assert.equal(await apps.runs(), runs, "a retry runs nothing");
    assert.ok(!free.answer.text.includes("result"), "nothing of the answer is shown");
    assert.deepEqual(await checksOf(free.answer), [
      ["input", "allowed", null],
      ["answer", "refused", "Not that."],
    ]);
  });
});

describe("replaced", () => {
  test("before dispatch: the provider gets the replacement, and the call is charged for it", async () => {
    const sent = '{"prompt":"a grey fox","width":64,"height":64,"seed":18446744073709551615}';
    at("input", `{"verdict":"replace","input":${sent}}`);
    const { answer, key } = await call(image, { ...picture, width: 512, height: 512 });
    assert.equal(answer.status, 200, answer.text);
    const { callId, settleSum, hold } = await recorded(key);
    assert.equal((await apps.reference(callId))?.request_sha256, sha256Of(Buffer.from(sent)));
    assert.ok(settleSum < hold / 10n, `${settleSum} of ${hold}`);
    assert.deepEqual((await checksOf(answer))[0], ["input", "replaced", null]);
  });

  for (const [what, input] of [
    ["the model does not accept", { prompt: 7 }],
    ["may cost more than is held", { prompt: "a fox", width: 1024, height: 1024 }],
    ["is no object", []],
  ] as const)
    test(`by one that ${what}: nothing is sent, not even the original, and the key is free`, async () => {
      at("input", { verdict: "replace", input });
      const runs = await apps.runs();
      const { answer, key, again } = await call(image, picture);
      assert.deepEqual([answer.status, bucketOf(answer)], [500, "internal_error"]);
      assert.deepEqual([await apps.runs(), (await recordedUnderKey(app.database, key)).length], [runs, 0]);
      assert.equal((await checksOf(answer))[0]?.[1], "failed");
      at("input", allow);
      assert.equal((await again()).status, 200);
    });

  test("before delivery: the caller and the key get the replacement, at the price of what ran", async () => {
    at("answer", '{"verdict":"replace","answer":{"kept": 9007199254740993}}');
    const { answer, key, again } = await call(image, picture);
    assert.deepEqual([answer.status, answer.text], [200, '{"kept": 9007199254740993}']);
    at("answer", allow);
    assert.equal((await again()).text, answer.text);
    assert.ok((await recorded(key)).settleSum > 0n);
  });

  test("an answer that is not JSON cannot be replaced: it is withheld, not charged and not run again", async () => {
    at("answer", { verdict: "replace", answer: {} });
    const { answer, key, again } = await call("sandbox/voice-1", { prompt: "good evening" });
    assert.deepEqual([answer.status, bucketOf(answer)], [500, "internal_error"]);
    const runs = await apps.runs();
    assert.equal((await again()).text, answer.text);
    assert.deepEqual([await apps.runs(), (await recorded(key)).settled], [runs, 0n]);
  });
});

describe("without a verdict", () => {
  const silent: readonly [string, HookAnswer][] = [
    ["500", { status: 500, body: {} }],
    ["no JSON", { body: "<html>" }],
    ["an unknown verdict", { body: { verdict: "perhaps" } }],
    ["a dropped connection", "drop"],
    ["no answer in time", "hang"],
  ];
  for (const [name, said] of silent)
    test(`${name}, closed: 503 before dispatch, with the key free; 500 after it, recorded and not charged`, async () => {
      const shut = await apps.open({ beside: app, env: { ...hook.env("closed"), ATELIER_SAFETY_HOOK_MS_MAX: "400" } });
      hook.answerWith(() => said);
      const runs = await apps.runs();
      const key = aKey();
      const refused = await invokeOn(shut, image, picture, key);
      assert.deepEqual([refused.status, bucketOf(refused)], [503, "service_unavailable"]);
      assert.ok(Number(headerOf(refused, "retry-after")) > 0);
      assert.equal(await apps.runs(), runs);
      hook.answerWith(({ value }) => (value["stage"] === "input" ? { body: allow } : said));
      const withheld = await invokeOn(shut, image, picture, key);
      assert.deepEqual([withheld.status, bucketOf(withheld)], [500, "internal_error"], withheld.text);
      hook.answerWith(() => ({ body: allow }));
      const replay = await invokeOn(shut, image, picture, key);
      assert.deepEqual([replay.status, replay.text], [500, withheld.text]);
      assert.equal(await apps.runs(), runs + 1);
      assert.equal((await recorded(key["idempotency-key"])).settled, 0n);
    });

  test("open: the call passes, and the record says that nobody checked it", async () => {
    const open = await apps.open({ beside: app, env: { ...hook.env("open"), ATELIER_SAFETY_HOOK_MS_MAX: "400" } });
    hook.answerWith(() => "hang");
    const answer = await invokeOn(open, image, picture, aKey());
    assert.equal(answer.status, 200, answer.text);
    const reason = "it took too long";
    assert.deepEqual(await checksOf(answer), [
      ["input", "passed_unchecked", reason],
      ["answer", "passed_unchecked", reason],
    ]);
    const metrics = await open.call({ path: "/metrics", headers: bearer(app.adminToken) });
    assert.match(metrics.text, /^atelier_safety_verdicts_total\{stage="input",verdict="failed_open"\} 1$/m);
    assert.match(metrics.text, /^atelier_safety_hook_seconds_count\{stage="answer"\} 1$/m);
  });

  test("a hook that restarts is asked again within the limit, under the same id", async () => {
    let times = 0;
    hook.answerWith(() => (++times % 2 === 1 ? { status: 503, body: {} } : { body: allow }));
    const { answer } = await call(image, picture);
    assert.equal(answer.status, 200, answer.text);
    const ids = hook.asked.map(({ webhookId }) => webhookId);
    assert.deepEqual([ids.length, ids[0] === ids[1], ids[2] === ids[3], ids[1] === ids[2]], [4, true, true, false]);
  });
});

describe("settings", () => {
  const configOf = (env: Readonly<Record<string, string>>) => {
    const { values, problems } = readConfig({ flags: {}, env, file: {} });
    assert.deepEqual(problems, []);
    return values;
  };

  test("a server with a hook does not start without being told what happens while it is away, nor without a secret", () => {
    const url = { ATELIER_SAFETY_HOOK_URL: "https://hook.example/verdicts" };
    assert.throws(
      () => requireSafety(configOf(url)),
      /ATELIER_SAFETY_HOOK_ON_FAILURE[\s\S]*ATELIER_SAFETY_HOOK_SECRET/,
    );
    assert.doesNotThrow(() => requireSafety(configOf({ ...hook.env("open"), ...url })));
    assert.doesNotThrow(() => requireSafety(configOf({})));
  });

  test("a private address must be opened, for this purpose", () => {
    const url = { ...hook.env("closed"), ATELIER_SAFETY_HOOK_URL: "http://10.1.2.3:8700" };
    assert.throws(() => requireSafety(configOf(url)), /ATELIER_EGRESS_ALLOW=safety=/);
    assert.throws(() => requireSafety(configOf({ ...url, ATELIER_EGRESS_ALLOW: "webhooks=10.1.0.0/16:*" })));
    assert.doesNotThrow(() => requireSafety(configOf({ ...url, ATELIER_EGRESS_ALLOW: "safety=10.1.0.0/16:8700" })));
  });

  test("only the stages and models that are set are asked about", async () => {
    const more = { ATELIER_SAFETY_HOOK_STAGES: "input", ATELIER_SAFETY_HOOK_MODELS: "*/voice-*" };
    const some = await apps.open({ beside: app, env: hook.env("closed", more) });
    assert.equal((await invokeOn(some, "sandbox/image-1", picture)).status, 200);
    assert.equal(hook.asked.length, 0);
    assert.equal((await invokeOn(some, "sandbox/voice-1", { prompt: "good evening" })).status, 200);
    assert.deepEqual(
      hook.asked.map(({ value }) => value["stage"]),
      ["input"],
    );
  });

  test("doctor says whether it gives verdicts", async () => {
    const config = configOf(hook.env("closed", { ATELIER_SAFETY_HOOK_MS_MAX: "400" }));
    assert.deepEqual(
      (await lookAtSafety(config, "1")).map(({ state }) => state),
      ["ok"],
    );
    assert.equal(hook.asked.at(-1)?.value["model"], "atelier/doctor");
    hook.answerWith(() => "drop");
    assert.deepEqual(
      (await lookAtSafety(config, "1")).map(({ state }) => state),
      ["problem"],
    );
    assert.deepEqual(await lookAtSafety(configOf({}), "1"), []);
  });
});
