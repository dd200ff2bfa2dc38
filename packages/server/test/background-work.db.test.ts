// Background work as an operator sees it over HTTP: in the admin API and in the metrics.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bearer, listOf, memberOf, textOf } from "./support/app-client.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
before(async () => {
  app = await testApp();
});
after(() => app.close());

const processes = async () => {
  const answer = await app.call({ path: "/admin/background-work", headers: bearer(app.adminToken) });
  assert.equal(answer.status, 200, answer.text);
  return listOf(answer.json(), "data");
};

test("an operator sees what each process runs in the background, how often, and how it last ended", async () => {
  // Written at startup. Most works have ended their first round by then, or by the next write.
  await until("the process has told of itself", async () => (await processes()).length === 1);
  const [own] = await processes();
  assert.match(textOf(own, "name"), /^serve on /);
  const names = listOf(own, "works").map((work) => textOf(work, "name"));
  for (const expected of [
    "calls: heartbeat of this process",
    "jobs: leases that ran out, jobs that expire",
    "webhooks: look for due deliveries",
    "partner tasks: ask partners",
    "registry: check waiting archives",
    "registry: read the code of versions",
    "secrets: read a changed key ring",
  ])
    assert.ok(names.includes(expected), `${expected} is not among ${names.join(", ")}`);
  assert.deepEqual(memberOf(own, "problems"), []);
});

test("the metrics report the same background work", async () => {
  await until("a heartbeat has ended", async () => {
    const { text } = await app.call({ path: "/metrics", headers: bearer(app.adminToken) });
    return /^atelier_background_last_end_seconds\{work="calls: heartbeat of this process"\} [0-9.e+]+$/m.test(text);
  });
  const { text } = await app.call({ path: "/metrics", headers: bearer(app.adminToken) });
  assert.match(text, /^atelier_background_interval_seconds\{work="audit: forget old entries"\} 3600$/m);
  assert.match(text, /^atelier_background_failures\{work="calls: heartbeat of this process"\} 0$/m);
});
