// Budgets over HTTP and several gateways: what they refuse, what they tell and when, and who may set them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Budget, BudgetList, type PutBudget } from "@atelier/contract";
import type { Static } from "typebox";
import { parseCredits } from "../src/capabilities/prices/index.ts";
import { requireValid } from "../src/foundation/json/schema.ts";
import { type AppAnswer, bearer, memberOf, textOf } from "./support/app-client.ts";
import { addTenant } from "./support/app-people.ts";
import { type HookReceiver, hookReceiver } from "./support/partner-app.ts";
import { bucketOf, invokeOn } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

const model = "sandbox/voice-1";
const input = { prompt: "waves" };
let apps: SandboxApps;
let receiver: HookReceiver;
let gateways: readonly [TestApp, TestApp, TestApp];
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  receiver = await hookReceiver();
  const env = { ATELIER_BOOTSTRAP_CREDITS: "100000", ATELIER_WEBHOOK_TARGETS: receiver.target };
  app = await apps.open({ env });
  gateways = [app, await apps.open({ env, beside: app }), await apps.open({ env, beside: app })];
});
after(async () => {
  await apps.close();
  await receiver.close();
});

type Rule = Static<typeof PutBudget>;
const put = (name: string, body: Partial<Rule> & { amount: string }, key = app.key): Promise<AppAnswer> =>
  app.call({
    method: "PUT",
    path: `/account/budgets/${name}`,
    headers: bearer(key),
    body: { scope: "end_user", subject: name, period: "day", ...body },
  });
const look = async (name: string) => {
  const answer = await app.call({ path: `/account/budgets/${name}`, headers: bearer(app.key) });
  return requireValid(Budget, answer.json());
};
const call = (endUser: string, at: TestApp = app, headers = {}) =>
  invokeOn({ call: at.call.bind(at), key: app.key }, model, input, { "x-service-end-user": endUser, ...headers });
const toldOf = (name: string) =>
  receiver.hooks
    .filter(({ value }) => memberOf(value, "budget") === name)
    .map(({ value }) => memberOf(value, "threshold"));

// What one call costs, in micro-credits.
async function costOfOne(): Promise<bigint> {
  const answer = await call("costs");
  assert.equal(answer.status, 200, answer.text);
  return parseCredits(String(answer.headers["x-service-credits-used"])) ?? assert.fail();
}
const creditsOf = (micro: bigint) => `${micro / 1_000_000n}.${String(micro % 1_000_000n).padStart(6, "0")}`;

test("an alert arrives before the stop; the stop is a 402 of its bucket, and a repeated call is still answered", {
  timeout: 900_000,
}, async () => {
  const cost = await costOfOne();
  assert.equal((await put("ann", { amount: creditsOf(cost * 10n), webhook_url: receiver.url })).status, 201);
  const key = { "idempotency-key": "ann-once" };
  for (let n = 0; n < 8; n += 1) assert.equal((await call("ann", app, n === 0 ? key : {})).status, 200);
  await until("the alerts at 50 and 80 %", async () => (toldOf("ann").length >= 2 ? true : null));
  assert.deepEqual(toldOf("ann").sort(), [50, 80]);
  for (let n = 8; n < 10; n += 1) assert.equal((await call("ann", gateways[1])).status, 200);
  const refused = await call("ann", gateways[2]);
  assert.deepEqual([refused.status, bucketOf(refused)], [402, "insufficient_credits"], refused.text);
  assert.match(textOf(refused.json(), "detail"), /The budget ann allows/);
  assert.equal((await call("ann", app, key)).status, 200, "a replay runs nothing");
  assert.equal((await call("bob")).status, 200, "another end user");
  await until("the alert at 100 %", async () => (toldOf("ann").length >= 3 ? true : null));
  const { spent, held, alerted, alerts } = await look("ann");
  assert.deepEqual([parseCredits(spent), held, alerted], [cost * 10n, "0", 100]);
  assert.deepEqual(
    alerts.map(({ threshold }) => threshold),
    [100, 80, 50],
  );
  assert.equal(toldOf("ann").length, 3, "each threshold once");
  const hook = receiver.hooks.find(({ value }) => memberOf(value, "budget") === "ann");
  assert.equal(memberOf(hook?.value, "type"), "budget.threshold");
  assert.ok(hook?.headers["webhook-signature"]?.startsWith("v1,"));
});

test("calls that arrive together at three gateways never exceed a budget", { timeout: 900_000 }, async () => {
  const cost = await costOfOne();
  assert.equal((await put("crowd", { amount: creditsOf(cost * 7n) })).status, 201);
  const answers = await Promise.all([...Array(30)].map((_, n) => call("crowd", gateways[n % 3])));
  const ran = answers.filter(({ status }) => status === 200).length;
  assert.ok(ran <= 7 && ran >= 1, `${ran} ran`);
  assert.ok(answers.every(({ status }) => status === 200 || status === 402 || status === 429));
  assert.equal(parseCredits((await look("crowd")).spent), cost * BigInt(ran));
});

test("a budget of a key counts the tokens made from it, and tells their holders no figures", {
  timeout: 900_000,
}, async () => {
  const cost = await costOfOne();
  const made = await app.call({
    ...{ method: "POST", path: "/account/keys", headers: bearer(app.key) },
    body: { name: "shop", scopes: ["models"] },
  });
  const shop = { call: app.call.bind(app), key: textOf(made.json(), "secret") };
  const body = { capabilities: ["call_models"], models: [model], credits_max: "100" };
  const token = await app.call({ method: "POST", path: "/account/tokens", headers: bearer(shop.key), body });
  const visitor = { call: app.call.bind(app), key: textOf(token.json(), "token") };
  const subject = textOf(made.json(), "id");
  assert.equal((await put("shop", { scope: "key", subject, amount: creditsOf(cost * 2n) })).status, 201);
  assert.equal((await invokeOn(visitor, model, input)).status, 200);
  assert.equal((await invokeOn(shop, model, input)).status, 200);
  const refused = await invokeOn(visitor, model, input);
  assert.equal(refused.status, 402);
  assert.doesNotMatch(refused.text, /shop|spent/);
  assert.match((await invokeOn(shop, model, input)).text, /The budget shop allows/);
  assert.equal((await invokeOn(app, model, input)).status, 200, "another key");
});

test("owners set, list and delete them; a member and a neighbour cannot, and bad rules are named", {
  timeout: 900_000,
}, async () => {
  assert.equal((await put("mine", { amount: "5", at_limit: "warn" })).status, 201);
  assert.equal((await put("mine", { amount: "6" })).status, 200);
  const listed = await app.call({ path: "/account/budgets", headers: bearer(app.key) });
  const mine = requireValid(BudgetList, listed.json()).data.find(({ name }) => name === "mine");
  assert.deepEqual([mine?.amount, mine?.at_limit], ["6", "stop"]);
  for (const [rule, problem] of [
    [{ scope: "workspace", subject: "x", amount: "1" }, /subject/],
    [{ scope: "tag", subject: "project", amount: "1" }, /project=spring/],
    [{ scope: "key", subject: "nobody", amount: "1" }, /id of a key/],
    [{ amount: "-1" }, /amount/],
    [{ amount: "1", period: "year" }, /period/],
    [{ amount: "1", webhook_url: "http://10.0.0.1/" }, /webhook_url/],
  ] as const) {
    const answer = await put("bad", rule as Partial<Rule> & { amount: string });
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.text, problem);
  }
  const neighbour = await addTenant(app, "neighbour");
  for (const method of ["GET", "DELETE"]) {
    const answer = await app.call({ method, path: "/account/budgets/mine", headers: bearer(neighbour.key) });
    assert.equal(answer.status, 404);
  }
  const member = await app.call({
    ...{ method: "POST", path: "/account/keys", headers: bearer(app.key) },
    body: { name: "reader", scopes: ["account"], role: "member" },
  });
  assert.equal((await put("mine", { amount: "7" }, textOf(member.json(), "secret"))).status, 403);
  const gone = await app.call({ method: "DELETE", path: "/account/budgets/mine", headers: bearer(app.key) });
  assert.equal(gone.status, 204);
});
