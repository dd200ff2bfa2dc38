// When derived tokens end, on a clock moved by hand and with two processes that hear nothing of each other.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { sql } from "../../../foundation/database/sql.ts";
import type { HandClock } from "../../../foundation/hand-clock.fixture.ts";
import type { KeyId, WorkspaceId } from "../../../foundation/ids.ts";
import type { Identity } from "../create-identity.ts";
import { aProcess, aSession, aStudio, bySystem, codeOf } from "../identity.fixture.ts";
import type { Principal } from "../principal.ts";

let db: TestDatabase;
let identity: Identity;
let clock: HandClock;
let workspaceId: WorkspaceId;
let key: Principal;
let keyId: KeyId;

before(async () => {
  db = await testDatabase();
});
after(() => db.close());
beforeEach(async () => {
  ({ identity, clock } = aProcess(db));
  workspaceId = (await aStudio(db, identity)).workspaceId;
  const request = { workspaceId, name: "root", role: "member", scopes: ["models"], createdBy: null } as const;
  const made = await identity.keys.create({ ...request, expiresAt: null }, bySystem);
  keyId = made.key.id;
  key = { kind: "key", keyId, personId: null, workspaceId, role: "member", scopes: ["models"] };
});

const wanted = { capabilities: ["call_models", "derive_tokens"], models: ["*"], creditsMax: 5n } as const;
const make = async (parent = key, seconds = 3_600) =>
  identity.tokens.create({ parent, wanted: { ...wanted, seconds }, label: null, createdBy: null }, bySystem);
const using = (secret: string, operationId = "invokeModel") => ({
  rawHeaders: ["Authorization", `Bearer ${secret}`],
  peer: "192.0.2.1",
  operationId,
});
async function isIn(secret: string, at = identity): Promise<boolean> {
  const principal = await at.authenticate(using(secret));
  return principal.workspaceId === workspaceId;
}

describe("a derived token", () => {
  test("works until its end and not a moment longer", async () => {
    const { token, secret } = await make(key, 60);
    clock.advance(59_999);
    assert.ok(await isIn(secret));
    clock.advance(1);
    assert.equal(await codeOf(() => identity.authenticate(using(secret))), "unauthorized");
    assert.equal(token.expiresAt.getTime() - token.createdAt.getTime(), 60_000);
  });

  test("never outlives its parent, nor 24 hours", async () => {
    const end = new Date(clock.now().getTime() + 30_000);
    await identity.keys.endAt(workspaceId, keyId, end, bySystem);
    const { token } = await make(key, 86_400);
    assert.deepEqual(token.expiresAt, end);
    await assert.rejects(
      db.execute(sql`update api_keys set created_at = created_at - interval '25 hours' where id = ${token.id}`),
      /api_keys_derived_end/,
    );
  });

  test("made under a clock that ran ahead is refused once the clock is right", async () => {
    clock.advance(3_600_000);
    const { secret } = await make();
    assert.ok(await isIn(secret));
    const { identity: right } = aProcess(db);
    assert.equal(await codeOf(() => right.authenticate(using(secret))), "unauthorized");
  });

  test("whose ancestor was revoked elsewhere is refused within a second, without any news", async () => {
    const other = aProcess(db);
    const parent = await make();
    const principal = await identity.authenticate(using(parent.secret, "createIdentityToken"));
    const child = await make(principal);
    for (const [at, { secret }] of [
      [identity, child],
      [other.identity, child],
      [other.identity, parent],
    ] as const)
      assert.ok(await isIn(secret, at));
    await identity.keys.revoke(workspaceId, keyId, bySystem);
    assert.equal(await codeOf(() => identity.authenticate(using(child.secret))), "unauthorized", "at once here");
    other.clock.advance(1_000);
    for (const { secret } of [child, parent])
      assert.equal(await codeOf(() => other.identity.authenticate(using(secret))), "unauthorized");
  });

  test("of a session ends with it", async () => {
    const { ownerId, workspaceId: own } = await aStudio(db, identity);
    workspaceId = own;
    const session = await aSession(identity, ownerId);
    const parent = session.principal ?? assert.fail();
    const { secret } = await make(parent);
    assert.ok(await isIn(secret));
    await identity.signIn.signOut(session.cookie, undefined);
    assert.equal(await codeOf(() => identity.authenticate(using(secret))), "unauthorized");
  });

  test("is forgotten long after its end, and no other row is", async () => {
    const { token } = await make();
    clock.advance(39 * 86_400_000);
    await identity.tokens.forget();
    const view = { kind: "all" } as const;
    assert.equal((await identity.tokens.get({ workspaceId, tokenId: token.id, view })).id, token.id);
    clock.advance(2 * 86_400_000);
    await identity.tokens.forget();
    assert.equal(await codeOf(() => identity.tokens.get({ workspaceId, tokenId: token.id, view })), "not_found");
    assert.equal((await identity.keys.get(workspaceId, keyId)).id, keyId);
  });
});
