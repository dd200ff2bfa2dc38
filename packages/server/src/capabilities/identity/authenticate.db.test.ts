import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { createBackground } from "../../foundation/background.ts";
import type { Queryable } from "../../foundation/database/database.ts";
import { sql } from "../../foundation/database/sql.ts";
import { Fault } from "../../foundation/fault.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId, newRequestId, type WorkspaceId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { type Audit, createAudit } from "../audit/index.ts";
import { generateKey } from "./api-key.ts";
import { unauthorized } from "./authenticate.ts";
import { bootstrap } from "./bootstrap.ts";
import type { Identity } from "./create-identity.ts";
import { createFailureBudget } from "./failure-budget.ts";
import { aProcess, aStudio, bySystem, refusal, withBearer, withKey } from "./identity.fixture.ts";
import { defaultKeyScopes, type Principal, scopes } from "./principal.ts";

let db: TestDatabase;
let audit: Audit;

before(async () => {
  db = await testDatabase();
  audit = createAudit({ database: db });
});
after(() => db.close());

const aWorkspace = async (identity: Identity): Promise<WorkspaceId> => (await aStudio(db, identity)).workspaceId;

function aKey(identity: Identity, workspaceId: WorkspaceId, changed: object = {}) {
  const request = { workspaceId, name: "Key", role: "member", scopes: defaultKeyScopes, expiresAt: null } as const;
  return identity.keys.create({ ...request, createdBy: null, ...changed }, bySystem);
}

const who = async (identity: Identity, asking: { rawHeaders: string[]; peer: string }): Promise<Principal> =>
  identity.authenticate(asking);
const actionsOf = async (workspaceId: WorkspaceId) => {
  const page = await audit.list({ filter: { workspaceId }, before: null, limit: 100 });
  return page.entries.map((entry) => entry.action).reverse();
};

describe("keys", () => {
  test("a new key authenticates in both headers with its workspace, role and scopes", async () => {
    const { identity } = aProcess(db);
    const workspaceId = await aWorkspace(identity);
    const { key, secret } = await aKey(identity, workspaceId, { scopes: ["models"] });
    const principal = await who(identity, withKey(secret));
    assert.deepEqual(principal, {
      kind: "key",
      keyId: key.id,
      personId: null,
      workspaceId,
      role: "member",
      scopes: ["models"],
    });
    assert.deepEqual(await who(identity, withBearer(secret)), principal);
    assert.equal((await identity.keys.list(workspaceId))[0]?.prefix, secret.slice(0, 16));
  });

  test("neither the database nor the audit contains the key", async () => {
    const { identity } = aProcess(db);
    const workspaceId = await aWorkspace(identity);
    const { secret } = await aKey(identity, workspaceId);
    const rows = await db.query(sql`select * from api_keys where workspace_id = ${workspaceId}`);
    const entries = await audit.list({ filter: { workspaceId }, before: null, limit: 100 });
    assert.ok(!JSON.stringify([rows, entries]).includes(secret.slice(17)));
  });

  test("unknown, revoked, expired and malformed keys are refused with one text", async () => {
    const { identity, clock } = aProcess(db);
    const workspaceId = await aWorkspace(identity);
    const revoked = await aKey(identity, workspaceId);
    await identity.keys.revoke(workspaceId, revoked.key.id, bySystem);
    const expired = await aKey(identity, workspaceId, { expiresAt: new Date(clock.now().getTime() + 1_000) });
    await clock.advance(1_000);
    const mistyped = `${generateKey().slice(0, -1)}-`;
    for (const key of [generateKey(), revoked.secret, expired.secret, mistyped, "service-", "service-\u0000", "x"]) {
      const fault = await refusal(() => who(identity, withKey(key)));
      assert.deepEqual([fault.code, fault.message, fault.details], ["unauthorized", unauthorized().message, undefined]);
    }
  });

  test("a cached key stops working the moment it expires", async () => {
    const { identity, clock } = aProcess(db);
    const workspaceId = await aWorkspace(identity);
    const { secret } = await aKey(identity, workspaceId, { expiresAt: new Date(clock.now().getTime() + 2_000) });
    await who(identity, withKey(secret));
    await clock.advance(1_999);
    await who(identity, withKey(secret));
    await clock.advance(1);
    assert.equal((await refusal(() => who(identity, withKey(secret)))).code, "unauthorized");
  });

  test("a revoked key stops at once here and within five seconds in another process", async () => {
    const here = aProcess(db);
    const there = aProcess(db);
    const workspaceId = await aWorkspace(here.identity);
    const { key, secret } = await aKey(here.identity, workspaceId);
    await who(here.identity, withKey(secret));
    await who(there.identity, withKey(secret));
    await here.identity.keys.revoke(workspaceId, key.id, bySystem);
    assert.equal((await refusal(() => who(here.identity, withKey(secret)))).code, "unauthorized");
    await there.clock.advance(5_000);
    assert.equal((await refusal(() => who(there.identity, withKey(secret)))).code, "unauthorized");
  });

  test("a wrong checksum costs no query, and a thousand equal callers cost one", async () => {
    let queries = 0;
    const counting: Queryable["query"] = (statement) => {
      queries += 1;
      return db.query(statement);
    };
    const { identity } = aProcess({ ...db, query: counting });
    const good = generateKey();
    const bad = good.slice(0, -1) + (good.endsWith("0") ? "1" : "0");
    await refusal(() => who(identity, withKey(bad)));
    assert.equal(queries, 0);
    await Promise.all(Array.from({ length: 1_000 }, () => refusal(() => who(identity, withKey(good)))));
    assert.equal(queries, 1);
  });

  test("an operator's own key is looked up as it is", async () => {
    const fresh = await testDatabase();
    try {
      const { identity } = aProcess(fresh);
      const chosen = "service-chosen-by-the-operator-2026!";
      await bootstrap(
        { db: fresh, clock: handClock(), audit: createAudit({ database: fresh }), workspaceCreated: async () => {} },
        chosen,
      );
      const principal = await who(identity, withKey(chosen));
      assert.deepEqual([principal.role, principal.scopes], ["owner", [...scopes]]);
    } finally {
      await fresh.close();
    }
  });

  test("two creations at once cannot both take the last place of the quota", async () => {
    const requireQuota = (_workspace: WorkspaceId, _quota: "keys", used: number) => {
      if (used >= 3) throw new Fault("quota_exceeded", "full");
    };
    const { identity } = aProcess(db, { requireQuota });
    const workspaceId = await aWorkspace(identity);
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => aKey(identity, workspaceId)));
    assert.equal(results.filter((result) => result.status === "fulfilled").length, 3);
    assert.equal((await identity.keys.list(workspaceId)).length, 3);
  });

  test("another workspace's key is neither seen nor revoked", async () => {
    const { identity } = aProcess(db);
    const mine = await aWorkspace(identity);
    const theirs = await aWorkspace(identity);
    const { key, secret } = await aKey(identity, theirs);
    assert.deepEqual(await identity.keys.list(mine), []);
    assert.equal((await refusal(() => identity.keys.get(mine, key.id))).code, "not_found");
    assert.equal((await refusal(() => identity.keys.revoke(mine, key.id, bySystem))).code, "not_found");
    assert.ok(await who(identity, withKey(secret)));
  });

  test("every change of a key is in the audit, and revoking twice is written once", async () => {
    const { identity } = aProcess(db);
    const workspaceId = await aWorkspace(identity);
    const { key } = await aKey(identity, workspaceId);
    const acting = { actor: { kind: "key", id: key.id }, requestId: newRequestId() } as const;
    await identity.keys.revoke(workspaceId, key.id, acting);
    await identity.keys.revoke(workspaceId, key.id, acting);
    assert.deepEqual(await actionsOf(workspaceId), ["workspace.create", "api_key.create", "api_key.revoke"]);
  });

  test("the last use is written once a minute, in the background, and by one process only", async () => {
    const { identity, clock } = aProcess(db);
    const other = aProcess(db);
    const workspaceId = await aWorkspace(identity);
    const { key, secret } = await aKey(identity, workspaceId);
    const lastUsed = async () => (await identity.keys.get(workspaceId, key.id)).lastUsedAt?.getTime();
    await who(identity, withKey(secret));
    assert.equal(await lastUsed(), undefined);
    const stop = new AbortController();
    const running = identity.run(createBackground({ clock, log: silentLog }), stop.signal);
    const start = clock.now().getTime();
    await clock.advance(5_000);
    stop.abort();
    await running;
    assert.equal(await lastUsed(), start);
    await who(identity, withKey(secret));
    await other.clock.advance(30_000);
    await who(other.identity, withKey(secret));
    await Promise.all([identity.flush(), other.identity.flush()]);
    assert.equal(await lastUsed(), start);
    await clock.advance(60_000);
    await who(identity, withKey(secret));
    await identity.flush();
    assert.equal(await lastUsed(), clock.now().getTime());
  });
});

describe("refused credentials", () => {
  test("after the budget an address gets 429 with Retry-After, other addresses and good keys do not", async () => {
    const clock = handClock();
    const { identity } = aProcess(db, { clock, failures: createFailureBudget({ clock, failuresPerMinuteMax: 3 }) });
    const workspaceId = await aWorkspace(identity);
    const { secret } = await aKey(identity, workspaceId);
    const codes: string[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      codes.push((await refusal(() => who(identity, withKey(generateKey())))).code);
    }
    assert.deepEqual(codes, ["unauthorized", "unauthorized", "unauthorized", "rate_limited", "rate_limited"]);
    const limited = await refusal(() => who(identity, withBearer("not-a-token")));
    assert.deepEqual([limited.code, limited.retryAfterSeconds], ["rate_limited", 60]);
    assert.equal((await refusal(() => who(identity, withKey("service-x", "192.0.2.2")))).code, "unauthorized");
    assert.ok(await who(identity, withKey(secret)));
  });

  test("an address far over its budget costs no look-up, but a key that was good goes on", async () => {
    const clock = handClock();
    let queries = 0;
    const query: Queryable["query"] = (statement) => {
      queries += 1;
      return db.query(statement);
    };
    const failures = createFailureBudget({ clock, failuresPerMinuteMax: 1 });
    const { identity } = aProcess({ ...db, query }, { clock, failures });
    const workspaceId = await aWorkspace(identity);
    const { secret } = await aKey(identity, workspaceId);
    await who(identity, withKey(secret));
    for (let attempt = 0; attempt < 10; attempt += 1) failures.spend("192.0.2.1");
    queries = 0;
    assert.equal((await refusal(() => who(identity, withKey(generateKey())))).code, "rate_limited");
    assert.equal(queries, 0);
    await clock.advance(6_000);
    assert.ok(await who(identity, withKey(secret)));
    assert.equal(queries, 1);
  });

  test("a request without any credential is 401 however often it comes", async () => {
    const clock = handClock();
    const { identity } = aProcess(db, { clock, failures: createFailureBudget({ clock, failuresPerMinuteMax: 1 }) });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const fault = await refusal(async () => identity.authenticate({ rawHeaders: [], peer: "192.0.2.1" }));
      assert.equal(fault.code, "unauthorized");
    }
  });
});

describe("entitlements", () => {
  test("a workspace without a list has the default, an empty list allows nothing, a change counts at once", async () => {
    const { identity } = aProcess(db, { defaultEntitlements: ["sandbox/*"] });
    const workspaceId = await aWorkspace(identity);
    const mayRun = (model: string) => identity.entitlements.mayRun(workspaceId, model);
    assert.deepEqual([await mayRun("sandbox/image-1"), await mayRun("other/image-1")], [true, false]);
    await identity.entitlements.replace(workspaceId, [], bySystem);
    assert.equal(await mayRun("sandbox/image-1"), false);
    await identity.entitlements.replace(workspaceId, ["other/image-1"], bySystem);
    assert.deepEqual([await mayRun("other/image-1"), await mayRun("other/image-2")], [true, false]);
    await identity.entitlements.replace(workspaceId, null, bySystem);
    assert.equal(await mayRun("sandbox/image-1"), true);
    assert.equal(await identity.entitlements.mayRun(newId(), "sandbox/image-1"), false);
    const bad = await refusal(() => identity.entitlements.replace(workspaceId, ["*/x"], bySystem));
    assert.equal(bad.code, "invalid_request");
    assert.equal((await actionsOf(workspaceId)).filter((action) => action === "workspace.entitle").length, 3);
  });
});
