// Alerts of budgets by e-mail, over HTTP and a real mail server: who gets them, who does not, and what people see of it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type SmtpSink, smtpSink } from "../src/capabilities/mail/smtp-sink.fixture.ts";
import { parseCredits } from "../src/capabilities/prices/index.ts";
import { bearer, memberOf, textOf } from "./support/app-client.ts";
import { invokeOn } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

const password = "mail-password-of-this-test";
let apps: SandboxApps;
let sink: SmtpSink;
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  sink = await smtpSink({ login: { user: "atelier", password } });
  const env = {
    ATELIER_SMTP_URL: `smtp://atelier:${password}@127.0.0.1:${sink.port}`,
    ATELIER_MAIL_FROM: "Atelier <alerts@studio.example>",
  };
  app = await apps.open({ env });
});
after(async () => {
  await apps.close();
  await sink.close();
});

const put = (path: string, body: unknown) => app.call({ method: "PUT", path, headers: bearer(app.key), body });
const get = (path: string, key = app.key) => app.call({ path, headers: bearer(key) });
const call = (endUser: string) =>
  invokeOn(app, "sandbox/voice-1", { prompt: "waves" }, { "x-service-end-user": endUser });

test("alerts at 50, 80 and 100 % reach the named addresses, the log shows them, and a person says no for themselves", {
  timeout: 900_000,
}, async () => {
  const first = await call("costs");
  assert.equal(first.status, 200, first.text);
  const cost = parseCredits(String(first.headers["x-service-credits-used"])) ?? assert.fail();
  const amount = `${(cost * 4n) / 1_000_000n}.${String((cost * 4n) % 1_000_000n).padStart(6, "0")}`;
  const rule = { scope: "end_user", subject: "ann", period: "day", amount };
  for (const wrong of [["a@b.example\nBcc: c@d.example"], ["not one"], Array(11).fill("a@b.example")])
    assert.equal((await put("/account/budgets/ann", { ...rule, emails: wrong })).status, 400);
  const made = await put("/account/budgets/ann", { ...rule, emails: ["money@example.com", "boss@example.com"] });
  assert.deepEqual([made.status, memberOf(made.json(), "emails")], [201, ["money@example.com", "boss@example.com"]]);
  for (let n = 0; n < 5; n += 1) await call("ann");
  await until("six mails", async () => (sink.messages.length >= 6 ? true : null));
  const told = sink.messages.map(({ to, subject }) => `${to} ${subject}`).sort();
  const expected = ["boss@example.com", "money@example.com"].flatMap((to) =>
    ["100 %", "50 %", "80 %"].map((part) => `${to} Budget ann: ${part} reached`),
  );
  assert.deepEqual(told, expected);
  assert.doesNotMatch(sink.messages[0]?.raw ?? "", /https?:/, "no link while only this machine could open it");
  const log = await until("the log", async () => {
    const { data } = (await get("/account/mails")).json() as {
      data: { status: string; to: string; last_answer: string }[];
    };
    return data.every(({ status }) => status === "sent") ? data : null;
  });
  assert.equal(log.length, 6);
  assert.match(log[0]?.last_answer ?? "", /^250 /);

  const settings = (await get("/account/alerts")).json();
  assert.deepEqual([memberOf(settings, "sends_mail"), memberOf(settings, "mail_wanted")], [true, true]);
  assert.equal(memberOf((await put("/account/alerts/mail", { wanted: false })).json(), "mail_wanted"), false);
  assert.equal((await put("/account/alerts/mail", { wanted: "no" })).status, 400);
});

test("an operator sends a test message and reads the server's words; nobody else can", {
  timeout: 900_000,
}, async () => {
  const ask = (headers: Record<string, string>, to = "ops@example.com") =>
    app.call({ method: "POST", path: "/admin/mail/test", headers, body: { to } });
  const before = sink.messages.length;
  const answer = await ask(bearer(app.adminToken));
  assert.equal(answer.status, 200, answer.text);
  assert.equal(textOf(answer.json(), "status"), "accepted");
  assert.match(textOf(answer.json(), "answer"), /^250 /);
  assert.deepEqual(
    sink.messages.slice(before).map(({ to }) => to),
    ["ops@example.com"],
  );
  assert.equal((await ask(bearer(app.key))).status, 401);
  assert.equal((await ask(bearer(app.adminToken), "Ops <ops@example.com>")).status, 400);
  sink.judge = () => {
    throw Object.assign(new Error(`5.7.1 no, not with ${password}`), { responseCode: 550 });
  };
  const refused = await ask(bearer(app.adminToken));
  sink.judge = () => undefined;
  assert.equal(textOf(refused.json(), "status"), "refused");
  assert.doesNotMatch(refused.text, new RegExp(password), "the password is masked in what the server says");
});
