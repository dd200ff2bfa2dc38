import assert from "node:assert/strict";
import { test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { sql } from "../../foundation/database/sql.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { createAudit } from "../audit/index.ts";
import { type Bootstrapped, bootstrap, requireChosenKey } from "./bootstrap.ts";
import { aProcess, bySystem, codeOf, withBearer } from "./identity.fixture.ts";

const start = (fresh: TestDatabase, key: string | null = null): Promise<Bootstrapped> =>
  bootstrap(
    { db: fresh, clock: handClock(), audit: createAudit({ database: fresh }), workspaceCreated: async () => {} },
    key,
  );

test("when processes start together on an empty database, one fills it and the others use it", async () => {
  const fresh = await testDatabase();
  try {
    const starts = await Promise.all(Array.from({ length: 4 }, () => start(fresh)));
    assert.equal(starts.filter((one) => one.fresh).length, 1);
    const counts = await fresh.query(sql`
      select (select count(*)::int from workspaces) as workspaces, (select count(*)::int from people) as people,
        (select count(*)::int from api_keys) as keys, (select count(*)::int from installation) as marks`);
    assert.deepEqual(counts, [{ workspaces: 1, people: 1, keys: 1, marks: 1 }]);
  } finally {
    await fresh.close();
  }
});

test("a revoked bootstrap key never comes back, not even on a database emptied of workspaces", async () => {
  const fresh = await testDatabase();
  try {
    const { identity } = aProcess(fresh);
    const chosen = "service-chosen-by-the-operator-2026!";
    const first = await start(fresh, chosen);
    assert.ok(first.fresh && first.key === chosen);
    const principal = await identity.authenticate(withBearer(chosen));
    assert.ok(principal.keyId);
    assert.equal((await identity.signIn.lookAtLink(first.signInToken))?.person.id, first.personId);
    assert.equal((await identity.workspaces.firstOwner())?.id, first.personId);
    await identity.keys.revoke(principal.workspaceId, principal.keyId, bySystem);
    assert.deepEqual(await start(fresh, chosen), { fresh: false });
    await fresh.execute(sql`delete from workspaces`);
    assert.deepEqual(await start(fresh, chosen), { fresh: false });
    assert.equal(await codeOf(() => identity.authenticate(withBearer(chosen))), "unauthorized");
  } finally {
    await fresh.close();
  }
});

test("a key that could never authenticate is refused before anything is written", () => {
  const wrongChecksum = `service-AAAAAAAA_${"B".repeat(38)}`;
  for (const key of [
    "service-short",
    "Service-chosen-by-the-operator-2026",
    wrongChecksum,
    `service-${"x ".repeat(20)}`,
  ]) {
    assert.throws(() => requireChosenKey(key), { code: "invalid_request" });
  }
  requireChosenKey("service-chosen-by-the-operator-2026!");
});
