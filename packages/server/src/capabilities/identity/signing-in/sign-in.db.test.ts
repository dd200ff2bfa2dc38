import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { newRequestId, type PersonId } from "../../../foundation/ids.ts";
import { randomToken } from "../api-key.ts";
import type { Identity } from "../create-identity.ts";
import { aPerson, aProcess, aStudio, bySystem, codeOf } from "../identity.fixture.ts";

let db: TestDatabase;

before(async () => {
  db = await testDatabase();
});
after(() => db.close());

test("a link works once, also for many at once, and looking at it does not use it up", async () => {
  const { identity } = aProcess(db);
  const { ownerId } = await aStudio(db, identity);
  const { token } = await identity.signIn.createLink(ownerId, bySystem);
  for (let look = 0; look < 3; look += 1) assert.equal((await identity.signIn.lookAtLink(token))?.person.id, ownerId);
  const uses = await Promise.all(Array.from({ length: 6 }, () => identity.signIn.useLink(token, null, newRequestId())));
  assert.equal(uses.filter((use) => use !== null).length, 1);
  assert.notEqual((await identity.signIn.lookAtLink(token))?.state, "good");
});

test("a link is good for ten minutes", async () => {
  const { identity, clock } = aProcess(db);
  const { ownerId } = await aStudio(db, identity);
  const { token } = await identity.signIn.createLink(ownerId, bySystem);
  await clock.advance(10 * 60_000 - 1);
  assert.equal((await identity.signIn.lookAtLink(token))?.state, "good");
  await clock.advance(1);
  assert.notEqual((await identity.signIn.lookAtLink(token))?.state, "good");
  assert.equal(await identity.signIn.useLink(token, null, undefined), null);
});

async function signIn(identity: Identity, personId: PersonId, earlier: string | null = null): Promise<string> {
  const { token } = await identity.signIn.createLink(personId, bySystem);
  const session = await identity.signIn.useLink(token, earlier, undefined);
  assert.ok(session);
  return session.token;
}

test("a session ends after seven days without use, and after thirty with it", async () => {
  const dayMs = 86_400_000;
  const { identity, clock } = aProcess(db);
  const { ownerId } = await aStudio(db, identity);
  const idle = await signIn(identity, ownerId);
  const busy = await signIn(identity, ownerId);
  for (let day = 1; day < 30; day += 1) {
    await clock.advance(dayMs);
    assert.ok(await identity.signIn.readSession(busy), `day ${day}`);
    if (day === 7) assert.equal(await identity.signIn.readSession(idle), null);
  }
  await clock.advance(dayMs);
  assert.equal(await identity.signIn.readSession(busy), null);
});

test("signing in again ends the browser's earlier session, signing out ends this one, everywhere all", async () => {
  const { identity } = aProcess(db);
  const { ownerId } = await aStudio(db, identity);
  const first = await signIn(identity, ownerId);
  const second = await signIn(identity, ownerId, first);
  assert.equal(await identity.signIn.readSession(first), null);
  assert.ok(await identity.signIn.readSession(second));
  await identity.signIn.signOut(second, undefined);
  assert.equal(await identity.signIn.readSession(second), null);
  const third = await signIn(identity, ownerId);
  await identity.signIn.endOtherSessions(ownerId, null, bySystem);
  assert.equal(await identity.signIn.readSession(third), null);
  for (const text of ["", "x", randomToken(), "\u0000"]) assert.equal(await identity.signIn.readSession(text), null);
});

test("a session follows the person's memberships: out of a workspace with the next request", async () => {
  const { identity } = aProcess(db);
  const { workspaceId, ownerId } = await aStudio(db, identity);
  const personId = await aPerson(db, "Bo");
  await identity.members.add(workspaceId, { personId, role: "member" }, bySystem);
  const token = await signIn(identity, personId);
  const session = await identity.signIn.readSession(token);
  assert.deepEqual([session?.principal?.workspaceId, session?.principal?.role], [workspaceId, "member"]);
  const own = await identity.workspaces.create({ name: "Own", ownerId: personId }, bySystem);
  assert.ok(session);
  await identity.signIn.chooseWorkspace(session, own.id, undefined);
  assert.equal((await identity.signIn.readSession(token))?.principal?.workspaceId, own.id);
  const foreign = (await identity.workspaces.create({ name: "Foreign", ownerId }, bySystem)).id;
  assert.equal(await codeOf(() => identity.signIn.chooseWorkspace(session, foreign, undefined)), "not_found");
  await identity.signIn.chooseWorkspace(session, workspaceId, undefined);
  await identity.members.remove(workspaceId, { personId, keepKeys: false }, bySystem);
  assert.equal((await identity.signIn.readSession(token))?.principal?.workspaceId, own.id);
});
