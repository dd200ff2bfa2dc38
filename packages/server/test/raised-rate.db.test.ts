// Two processes of one service: an operator's change through one takes effect in the other.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bearer } from "./support/app-client.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let one: TestApp;
let two: TestApp;
before(async () => {
  one = await testApp();
  two = await testApp({ beside: one });
});
after(async () => {
  await two.close();
  await one.close();
});

test("a raised rate limit lets requests through in every process within seconds", async () => {
  const path = "/v1/models";
  const set = async (value: number) => {
    const name = "router_and_partner_requests_per_minute";
    const limit = `/admin/workspaces/${one.workspaceId}/limits/${name}`;
    const body = { value };
    const answer = await one.call({ method: "PUT", path: limit, headers: bearer(one.adminToken), body });
    assert.equal(answer.status, 200, answer.text);
  };
  const ask = async (app: TestApp) => (await app.call({ path, headers: bearer(one.key) })).status;
  const isRefusing = (app: TestApp) => async () => (await ask(app)) === 429;
  await set(3);
  // Each lets a whole minute's requests pass before it hears from the other: together they are a minute over.
  await Promise.all([one, two].map((app) => until("the limit is reached", isRefusing(app))));
  await set(60_000);
  const isOpen = (app: TestApp) => async () =>
    (await Promise.all(Array.from({ length: 20 }, () => ask(app)))).every((status) => status === 200);
  for (const app of [one, two]) await until("it lets requests through", isOpen(app));
});
