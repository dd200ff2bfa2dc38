// Stopping an app undoes its whole start: no timer, socket or child process outlives it, and other apps do not notice.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bearer, memberOf } from "./support/app-client.ts";
import { owner } from "./support/app-people.ts";
import { aBadgeRow } from "./support/example-calls.ts";
import { testApp } from "./support/test-app.ts";
import { testDatabase } from "./support/test-database.ts";

const badges = "/nodes/pricing/badges?app_version=nightly&platform=local";

test("when one app stops the other goes on, and after the last one stops nothing is left running", async () => {
  // Counted first, because what the tests' own PostgreSQL needs stays.
  const database = await testDatabase();
  await database.close();
  for (let round = 0; round < 20; round++) await pause();
  const before = countsOf(lasting());
  const [short, long] = [await testApp(), await testApp()];
  // By now everything that can start a timer, a child or a connection has been used.
  for (const app of [short, long]) {
    await owner(app);
    await app.call({ method: "POST", path: "/admin/badges", headers: bearer(app.adminToken), body: aBadgeRow() });
    await app.call({ path: "/readyz" });
  }
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, count) => all + count, 0);
  assert.ok(sum(countsOf(lasting())) > sum(before), "running apps can be seen");
  await short.close();
  const ready = await long.call({ path: "/readyz" });
  assert.deepEqual([ready.status, memberOf(ready.json(), "status")], [200, "ready"]);
  assert.equal((await long.call({ path: "/account", headers: bearer(long.key) })).status, 200);
  assert.equal((await long.call({ path: badges })).status, 200);
  await assert.rejects(short.call({ path: "/health" }));
  await long.close();
  // Something counted before may have been ending, and may have ended since.
  const added = () => Object.entries(countsOf(lasting())).filter(([name, count]) => count > (before[name] ?? 0));
  for (let round = 0; round < 3_000 && added().length > 0; round++) await pause();
  assert.deepEqual(added(), []);
});

const pause = () => new Promise((resolve) => setTimeout(resolve, 10));

// What keeps the process alive. File requests come and go with the test runner's own output, and the timers of this wait
// are ignored.
function lasting(): readonly string[] {
  return process.getActiveResourcesInfo().filter((name) => name !== "FSReqCallback" && name !== "FSReqPromise");
}

function countsOf(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]).sort());
}
