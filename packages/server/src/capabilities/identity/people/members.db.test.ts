import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Identity } from "../create-identity.ts";
import { aPerson, aProcess, aStudio, bySystem, codeOf, withBearer } from "../identity.fixture.ts";
import { scopes } from "../principal.ts";

let db: TestDatabase;

before(async () => {
  db = await testDatabase();
});
after(() => db.close());

test("the last owner can neither be removed nor made a member, not even by two at once", async () => {
  const { identity } = aProcess(db);
  const { workspaceId, ownerId } = await aStudio(db, identity);
  const alone = { personId: ownerId, keepKeys: false };
  assert.equal(await codeOf(() => identity.members.remove(workspaceId, alone, bySystem)), "conflict");
  const secondId = await aPerson(db, "Bo");
  await identity.members.add(workspaceId, { personId: secondId, role: "owner" }, bySystem);
  const demotions = await Promise.allSettled(
    [ownerId, secondId].map((personId) =>
      identity.members.changeRole(workspaceId, { personId, role: "member" }, bySystem),
    ),
  );
  assert.deepEqual(demotions.map((demotion) => demotion.status).sort(), ["fulfilled", "rejected"]);
});

test("a removed person's keys are revoked in the same moment, a demoted one's lose the owner's authority", async () => {
  const { identity } = aProcess(db);
  const { workspaceId } = await aStudio(db, identity);
  const personId = await aPerson(db, "Bo");
  await identity.members.add(workspaceId, { personId, role: "owner" }, bySystem);
  const request = { workspaceId, name: "Key", role: "owner", scopes, expiresAt: null, createdBy: personId } as const;
  const { secret, key } = await identity.keys.create(request, bySystem);
  assert.equal((await identity.authenticate(withBearer(secret))).role, "owner");
  await identity.members.changeRole(workspaceId, { personId, role: "member" }, bySystem);
  assert.equal((await identity.authenticate(withBearer(secret))).role, "member");
  const removed = await identity.members.remove(workspaceId, { personId, keepKeys: false }, bySystem);
  assert.deepEqual(removed.revokedKeys, [key.id]);
  assert.equal(await codeOf(() => identity.authenticate(withBearer(secret))), "unauthorized");
});

test("keys can be kept when their maker leaves, without the owner's authority", async () => {
  const { identity } = aProcess(db);
  const { workspaceId } = await aStudio(db, identity);
  const personId = await aPerson(db, "Bo");
  await identity.members.add(workspaceId, { personId, role: "owner" }, bySystem);
  const request = { workspaceId, name: "Key", role: "owner", scopes, expiresAt: null, createdBy: personId } as const;
  const { secret } = await identity.keys.create(request, bySystem);
  await identity.members.remove(workspaceId, { personId, keepKeys: true }, bySystem);
  assert.equal((await identity.authenticate(withBearer(secret))).role, "member");
});

test("a new person, a known person, a person twice, an unknown person, one too many", async () => {
  const { identity } = aProcess(db);
  const { workspaceId } = await aStudio(db, identity);
  const add = (request: Parameters<Identity["members"]["add"]>[1]) =>
    identity.members.add(workspaceId, request, bySystem);
  const made = await add({ name: "Cleo", email: "cleo@example.org", role: "member" });
  assert.deepEqual([made.isNewPerson, made.member.person.email], [true, "cleo@example.org"]);
  const known = { personId: await aPerson(db, "Dan"), role: "member" } as const;
  assert.equal((await add(known)).isNewPerson, false);
  assert.equal(await codeOf(() => add(known)), "conflict");
  assert.equal(await codeOf(() => add({ personId: newId<"person">(), role: "member" })), "not_found");
  assert.equal(await codeOf(() => add({ name: "Eve", email: "no address", role: "member" })), "invalid_request");
  await add({ name: "Eve", email: null, role: "member" });
  assert.equal(await codeOf(() => add({ name: "Fay", email: null, role: "member" })), "quota_exceeded");
  assert.equal((await identity.members.list(workspaceId)).length, 4);
});

test("a workspace's wallet is made in its transaction: if that fails there is no workspace", async () => {
  const workspaceCreated = () => Promise.reject(new Fault("internal_error", "no wallet"));
  const { identity } = aProcess(db, { workspaceCreated });
  const ownerId = await aPerson(db);
  assert.equal(await codeOf(() => identity.workspaces.create({ name: "Studio", ownerId }, bySystem)), "internal_error");
  assert.deepEqual(await identity.workspaces.listOf(ownerId), []);
});

test("a person can be in a limited number of workspaces", async () => {
  const { identity } = aProcess(db);
  const { ownerId } = await aStudio(db, identity);
  for (const name of ["Two", "Three"]) await identity.workspaces.create({ name, ownerId }, bySystem);
  assert.equal(await codeOf(() => identity.workspaces.create({ name: "Four", ownerId }, bySystem)), "quota_exceeded");
});

test("operators see every workspace, page by page, in the order of making", async () => {
  const { identity } = aProcess(db);
  await aStudio(db, identity);
  await aStudio(db, identity);
  const all = await identity.workspaces.list({ after: null, count: 1_000 });
  const walked: WorkspaceId[] = [];
  for (let page = all.slice(0, 1); page.length > 0; ) {
    page = await identity.workspaces.list({ after: walked.at(-1) ?? null, count: 1 });
    walked.push(...page.map((workspace) => workspace.id));
  }
  assert.deepEqual(
    walked,
    all.map((workspace) => workspace.id),
  );
  assert.deepEqual(walked, [...walked].sort());
});
