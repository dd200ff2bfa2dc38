import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { countedClock } from "../../../test/support/counted-clock.ts";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { createBackground } from "../../foundation/background.ts";
import { sql } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { limitNames } from "./limit-names.ts";
import { createLimits, type Limits } from "./limits.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

async function aWorkspace(): Promise<WorkspaceId> {
  const id = newId<"workspace">();
  await database.execute(sql`insert into workspaces (id, name, created_at) values (${id}, 'test', now())`);
  return id;
}

async function change(
  limits: Limits,
  workspaceId: WorkspaceId,
  name: "keys" | "router_and_partner_requests_per_minute",
  value: number,
) {
  const before = await database.transaction((tx) => limits.setOverride(tx, { workspaceId, name, value }));
  limits.drop(workspaceId);
  return before;
}

const isRefusal = (code: string) => (thrown: unknown) => thrown instanceof Fault && thrown.code === code;

describe("request rates", () => {
  test("600 requests pass at once, the next is refused with the seconds after which it passes", async () => {
    const clock = handClock();
    const limits = createLimits({ database, clock });
    const workspaceId = await aWorkspace();
    const admit = async () => limits.admit(workspaceId, "router_and_partner");
    for (let count = 0; count < 600; count++) await admit();
    await assert.rejects(admit, isRefusal("rate_limited"));
    await clock.advance(1_000);
    for (let count = 0; count < 10; count++) await admit();
    await assert.rejects(admit, isRefusal("rate_limited"));
  });

  test("a refusal is a Fault with whole seconds, also when it is thrown at once", async () => {
    const clock = handClock();
    const limits = createLimits({ database, clock, defaults: { router_and_partner_requests_per_minute: 2 } });
    const workspaceId = await aWorkspace();
    const admit = async () => limits.admit(workspaceId, "router_and_partner");
    await admit();
    await admit();
    const refused: unknown = await admit().catch((thrown: unknown) => thrown);
    assert.ok(refused instanceof Fault && refused.code === "rate_limited");
    assert.equal(refused.retryAfterSeconds, 30);
    assert.deepEqual(refused.details, { limit: "router_and_partner_requests_per_minute", value: 2 });
    await clock.advance(30_000);
    await admit();
  });

  test("an override counts at once in this process and within five seconds in another", async () => {
    const clock = handClock();
    const [here, there] = [createLimits({ database, clock }), createLimits({ database, clock })];
    const workspaceId = await aWorkspace();
    await here.admit(workspaceId, "router_and_partner");
    await there.admit(workspaceId, "router_and_partner");
    await change(here, workspaceId, "router_and_partner_requests_per_minute", 1);
    await assert.rejects(async () => here.admit(workspaceId, "router_and_partner"), isRefusal("rate_limited"));
    await there.admit(workspaceId, "router_and_partner");
    await clock.advance(5_000);
    await there.admit(workspaceId, "router_and_partner");
    await assert.rejects(async () => there.admit(workspaceId, "router_and_partner"), isRefusal("rate_limited"));
  });

  test("two processes learn of each other by the exchange", async () => {
    const clock = countedClock();
    const [one, two] = [createLimits({ database, clock }), createLimits({ database, clock })];
    const workspaceId = await aWorkspace();
    const stop = new AbortController();
    const running = [one, two].map((each) =>
      each.exchangeRates(createBackground({ clock, log: silentLog }), stop.signal),
    );
    await two.admit(workspaceId, "router_and_partner");
    for (let count = 0; count < 600; count++) await one.admit(workspaceId, "router_and_partner");
    // In the first exchange each process reports its own requests; by the second the other has heard of them. The exchange
    // uses the real database and takes real time, and the shared bucket drains meanwhile: by a tenth of a second per
    // request.
    for (const ended of [4, 6]) {
      await clock.advance(1_000);
      await clock.slept(ended);
    }
    stop.abort();
    await Promise.all(running);
    let admitted = 0;
    const admitAll = async () => {
      for (; admitted < 500; admitted++) await two.admit(workspaceId, "router_and_partner");
    };
    await assert.rejects(admitAll, isRefusal("rate_limited"));
  });
});

describe("quotas and other limits", () => {
  test("what fits passes, and a refusal names the quota", async () => {
    const limits = createLimits({ database, clock: handClock() });
    const workspaceId = await aWorkspace();
    await change(limits, workspaceId, "keys", 3);
    await limits.requireQuota(workspaceId, "keys", 2);
    await limits.requireQuota(workspaceId, "keys", 0, 3);
    const refused: unknown = await limits.requireQuota(workspaceId, "keys", 3).catch((thrown: unknown) => thrown);
    assert.ok(refused instanceof Fault && refused.code === "quota_exceeded" && refused.retryAfterSeconds === undefined);
    assert.deepEqual(refused.details, { quota: "keys", value: 3, current: 3 });
    await assert.rejects(limits.requireQuota(workspaceId, "keys", 0, 4), isRefusal("quota_exceeded"));
  });

  test("the operator's settings are the defaults, and an override beats them", async () => {
    const limits = createLimits({ database, clock: handClock(), defaults: { keys: 7 } });
    const workspaceId = await aWorkspace();
    assert.equal(await limits.limitOf(workspaceId, "keys"), 7);
    assert.equal(await change(limits, workspaceId, "keys", 9), null);
    assert.equal(await limits.limitOf(workspaceId, "keys"), 9);
    assert.equal(await change(limits, workspaceId, "keys", 2 ** 52), 9);
    assert.equal(await limits.limitOf(workspaceId, "keys"), 2 ** 52);
    assert.equal(await limits.limitOf(await aWorkspace(), "keys"), 7);
  });

  test("a reset restores the default, and the list shows which limits were changed", async () => {
    const limits = createLimits({ database, clock: handClock() });
    const workspaceId = await aWorkspace();
    await change(limits, workspaceId, "keys", 5);
    const changed = (await limits.list(workspaceId)).filter(({ overridden }) => overridden);
    assert.deepEqual(changed, [{ name: "keys", value: 5, default: 100, overridden: true }]);
    assert.equal(await database.transaction((tx) => limits.resetOverride(tx, { workspaceId, name: "keys" })), 5);
    limits.drop(workspaceId);
    assert.equal(await limits.limitOf(workspaceId, "keys"), 100);
    assert.deepEqual(
      (await limits.list(workspaceId)).map(({ name }) => name),
      limitNames,
    );
  });

  test("an override that only a newer version knows is left alone", async () => {
    const limits = createLimits({ database, clock: handClock() });
    const workspaceId = await aWorkspace();
    await database.execute(
      sql`insert into limit_overrides (workspace_id, name, value) values (${workspaceId}, 'dreams', 3)`,
    );
    assert.equal(await limits.limitOf(workspaceId, "keys"), 100);
  });
});
