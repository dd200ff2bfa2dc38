import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { sql } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId, newRequestId } from "../../foundation/ids.ts";
import { Secret } from "../../foundation/settings.ts";
import { createAudit } from "../audit/index.ts";
import { createFailureBudget } from "../identity/index.ts";
import { actingAsAdmin, createAdminTokens } from "./admin-tokens.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const environmentToken = "an-environment-token-of-some-length";
const by = actingAsAdmin({ kind: "admin", id: null, name: "environment" }, newRequestId());
const asking = (secret: string, peer = "127.0.0.1") => ({ rawHeaders: ["Authorization", `Bearer ${secret}`], peer });
const refusedAs = (code: string) => (thrown: unknown) => thrown instanceof Fault && thrown.code === code;

function open(changes: { environmentToken?: Secret | null; failuresPerMinuteMax?: number } = {}) {
  const clock = handClock(new Date());
  const { failuresPerMinuteMax = 50 } = changes;
  return createAdminTokens({
    database,
    clock,
    audit: createAudit({ database }),
    failures: createFailureBudget({ clock, failuresPerMinuteMax }),
    environmentToken: changes.environmentToken === undefined ? new Secret(environmentToken) : changes.environmentToken,
  });
}

describe("an admin token", () => {
  test("works until it is revoked, and stops at once", async () => {
    const tokens = open();
    const { token, secret } = await tokens.create({ name: `robot ${newId()}`, expiresAt: null }, by);
    assert.deepEqual(await tokens.authenticate(asking(secret)), { kind: "admin", id: token.id, name: token.name });
    assert.deepEqual(await tokens.authenticate({ rawHeaders: ["X-API-Key", secret], peer: "x" }), {
      kind: "admin",
      id: token.id,
      name: token.name,
    });
    await tokens.revoke(token.id, by);
    await tokens.revoke(token.id, by);
    await assert.rejects(tokens.authenticate(asking(secret)), refusedAs("unauthorized"));
  });

  test("is stored as a hash only, and the audit never shows it", async () => {
    const tokens = open();
    const { token, secret } = await tokens.create({ name: `hashed ${newId()}`, expiresAt: null }, by);
    await tokens.revoke(token.id, by);
    const rows = await database.query<{ text: string }>(sql`
      select admin_tokens::text as text from admin_tokens union all select audit_entries::text from audit_entries`);
    assert.ok(rows.every(({ text }) => !text.includes(secret) && !text.includes(secret.slice(6))));
    const entries = await database.query<{ action: string; actor_name: string }>(sql`
      select action, actor_name from audit_entries where subject_id = ${token.id} order by at, id`);
    assert.deepEqual(entries, [
      { action: "admin_token.create", actor_name: "environment" },
      { action: "admin_token.revoke", actor_name: "environment" },
    ]);
  });

  test("remembers about when it was used", async () => {
    const tokens = open();
    const { token, secret } = await tokens.create({ name: `used ${newId()}`, expiresAt: null }, by);
    assert.equal(token.lastUsedAt, null);
    await tokens.authenticate(asking(secret));
    assert.ok((await tokens.list()).find(({ id }) => id === token.id)?.lastUsedAt instanceof Date);
  });

  test("stops at its expiry", async () => {
    const tokens = open();
    const { token, secret } = await tokens.create(
      { name: `brief ${newId()}`, expiresAt: new Date(Date.now() + 3_600_000) },
      by,
    );
    await tokens.authenticate(asking(secret));
    await database.execute(sql`update admin_tokens set expires_at = now() where id = ${token.id}`);
    await assert.rejects(tokens.authenticate(asking(secret)), refusedAs("unauthorized"));
    const past = tokens.create({ name: "late", expiresAt: new Date(Date.now() - 1000) }, by);
    await assert.rejects(past, refusedAs("invalid_request"));
  });

  test("has a name of its own among those that work", async () => {
    const tokens = open();
    const name = `Named ${newId()}`;
    const { token } = await tokens.create({ name, expiresAt: null }, by);
    await assert.rejects(tokens.create({ name: name.toUpperCase(), expiresAt: null }, by), refusedAs("conflict"));
    await tokens.revoke(token.id, by);
    await tokens.create({ name, expiresAt: null }, by);
  });
});

describe("the token of the environment", () => {
  test("works under its name and cannot be revoked here", async () => {
    const tokens = open();
    assert.deepEqual(tokens.environment(), { lastUsedAt: null });
    assert.deepEqual(await tokens.authenticate(asking(environmentToken)), {
      kind: "admin",
      id: null,
      name: "environment",
    });
    assert.ok(tokens.environment()?.lastUsedAt instanceof Date);
    await assert.rejects(tokens.revoke("environment", by), refusedAs("conflict"));
  });

  test("does not exist where none is set", async () => {
    const tokens = open({ environmentToken: null });
    assert.equal(tokens.environment(), null);
    await assert.rejects(tokens.authenticate(asking(environmentToken)), refusedAs("unauthorized"));
    await assert.rejects(tokens.revoke("environment", by), refusedAs("not_found"));
  });
});

describe("refusals", () => {
  test("unknown, malformed and absent tokens get the same answer", async () => {
    const tokens = open();
    const messages = new Set<string>();
    for (const rawHeaders of [
      [],
      ["Authorization", "Bearer nobody"],
      ["Authorization", "nonsense"],
      ["X-API-Key", "service-x"],
    ]) {
      const thrown: unknown = await tokens.authenticate({ rawHeaders, peer: "x" }).catch((caught: unknown) => caught);
      assert.ok(thrown instanceof Fault && thrown.code === "unauthorized");
      messages.add(thrown.message);
    }
    assert.equal(messages.size, 1);
  });

  test("an address that guesses is slowed down, its neighbours are not", async () => {
    const tokens = open({ failuresPerMinuteMax: 3 });
    for (let guess = 0; guess < 3; guess++)
      await assert.rejects(
        tokens.authenticate(asking(`guess ${guess}`.replace(" ", ""), "a")),
        refusedAs("unauthorized"),
      );
    const thrown: unknown = await tokens.authenticate(asking("guess", "a")).catch((caught: unknown) => caught);
    assert.ok(thrown instanceof Fault && thrown.code === "rate_limited" && (thrown.retryAfterSeconds ?? 0) >= 1);
    await assert.rejects(tokens.authenticate(asking("guess", "b")), refusedAs("unauthorized"));
    await tokens.authenticate(asking(environmentToken, "a"));
  });

  test("an unknown id is not found", async () => {
    await assert.rejects(open().revoke(newId(), by), refusedAs("not_found"));
    await assert.rejects(open().revoke("nonsense", by), refusedAs("not_found"));
  });
});
