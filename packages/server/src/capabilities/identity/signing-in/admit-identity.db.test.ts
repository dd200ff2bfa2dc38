import assert from "node:assert/strict";
import { createPrivateKey, randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { SignJWT } from "jose";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { sql } from "../../../foundation/database/sql.ts";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { IdentityDeps } from "../create-identity.ts";
import { aPerson, aProcess, aSession, aStudio, bySystem, codeOf, secretRing, withBearer } from "../identity.fixture.ts";
import { createEmbeddedIssuer } from "./embedded-issuer.ts";

let db: TestDatabase;

before(async () => {
  db = await testDatabase();
});
after(() => db.close());

test("our own token is good while its person is a member of its workspace", async () => {
  const { identity } = aProcess(db);
  const { workspaceId, ownerId } = await aStudio(db, identity);
  const elsewhere = await aStudio(db, identity);
  const session = await aSession(identity, ownerId);
  const holder = { personId: ownerId, workspaceId, sessionId: session.id };
  const { token } = await identity.issuer.sign(holder);
  const foreign = await identity.issuer.sign({ ...holder, workspaceId: elsewhere.workspaceId });
  const principal = await identity.authenticate(withBearer(token));
  assert.deepEqual([principal.personId, principal.workspaceId, principal.role], [ownerId, workspaceId, "owner"]);
  assert.equal(await codeOf(() => identity.authenticate(withBearer(foreign.token))), "unauthorized");
  await identity.members.add(workspaceId, { personId: elsewhere.ownerId, role: "owner" }, bySystem);
  await identity.members.remove(workspaceId, { personId: ownerId, keepKeys: false }, bySystem);
  assert.equal(await codeOf(() => identity.authenticate(withBearer(token))), "unauthorized");
});

test("our own token ends with its session: at once here, within a second elsewhere", async () => {
  const [here, elsewhere] = [aProcess(db), aProcess(db)];
  const { workspaceId, ownerId } = await aStudio(db, here.identity);
  const session = await aSession(here.identity, ownerId);
  const other = await aSession(here.identity, await aPerson(db, "Bo"));
  const holder = { personId: ownerId, workspaceId, sessionId: session.id };
  const { token } = await here.identity.issuer.sign(holder);
  const borrowed = await here.identity.issuer.sign({ ...holder, sessionId: other.id });
  assert.equal(await codeOf(() => here.identity.authenticate(withBearer(borrowed.token))), "unauthorized");
  for (const { identity } of [here, elsewhere]) await identity.authenticate(withBearer(token));
  await here.identity.signIn.endSession(ownerId, session.id, bySystem);
  assert.equal(await codeOf(() => here.identity.authenticate(withBearer(token))), "unauthorized");
  await elsewhere.clock.advance(1_000);
  assert.equal(await codeOf(() => elsewhere.identity.authenticate(withBearer(token))), "unauthorized");
});

test("our own token ends when its session is idle for too long or too old", async () => {
  const { identity, clock } = aProcess(db);
  const { workspaceId, ownerId } = await aStudio(db, identity);
  const session = await aSession(identity, ownerId);
  await clock.advance(7 * 86_400_000 - 1_000);
  const { token } = await identity.issuer.sign({ personId: ownerId, workspaceId, sessionId: session.id });
  await identity.authenticate(withBearer(token));
  await clock.advance(1_000);
  assert.equal(await codeOf(() => identity.authenticate(withBearer(token))), "unauthorized");
});

// Another issuer, whose keys are derived like ours but from a different seed.
function anIssuer() {
  const outside = secretRing(randomBytes(32));
  const name = `https://issuer-${newId()}.example`;
  const { jwks } = createEmbeddedIssuer({ keyRing: outside, clock: handClock(), baseUrl: () => name });
  const clock = handClock();
  const pkcs8 = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), outside.current().secret]);
  const sign = async (subject: string, workspace: string, email = "grace@example.org") => {
    return new SignJWT({ workspace, name: "Grace", email })
      .setProtectedHeader({ alg: "EdDSA", kid: "ring-1", typ: "JWT" })
      .setIssuer(name)
      .setAudience("atelier-api")
      .setSubject(subject)
      .setIssuedAt(Math.floor(clock.now().getTime() / 1000))
      .setExpirationTime(Math.floor(clock.now().getTime() / 1000) + 3600)
      .sign(createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" }));
  };
  const externalIssuer = {
    issuer: name,
    audience: "atelier-api",
    jwksUrl: `${name}/jwks.json`,
    tokenKind: "JWT",
    fetchKeySet: async () => new TextEncoder().encode(JSON.stringify(jwks())),
  };
  return { sign, externalIssuer };
}

test("an external person joins an existing workspace on first sight, once, and stays out once removed", async () => {
  const { sign, externalIssuer } = anIssuer();
  const { identity } = aProcess(db, { externalIssuer });
  const { workspaceId } = await aStudio(db, identity);
  const token = await sign("grace", workspaceId);
  const principals = await Promise.all(Array.from({ length: 5 }, () => identity.authenticate(withBearer(token))));
  const personId = principals[0]?.personId;
  assert.ok(personId);
  assert.deepEqual(new Set(principals.map((one) => `${one.personId} ${one.role}`)), new Set([`${personId} member`]));
  const member = (await identity.members.list(workspaceId)).find((one) => one.person.id === personId);
  assert.deepEqual([member?.person.name, member?.person.email], ["Grace", "grace@example.org"]);
  await identity.members.remove(workspaceId, { personId, keepKeys: false }, bySystem);
  assert.equal(await codeOf(() => identity.authenticate(withBearer(token))), "unauthorized");
});

test("a token whose e-mail is not one address is refused, also of a person who is known", async () => {
  const { sign, externalIssuer } = anIssuer();
  const { identity } = aProcess(db, { externalIssuer });
  const { workspaceId } = await aStudio(db, identity);
  const tryWith = async (subject: string, email: string) => {
    const { identity: fresh } = aProcess(db, { externalIssuer });
    return codeOf(async () => fresh.authenticate(withBearer(await sign(subject, workspaceId, email))));
  };
  await identity.authenticate(withBearer(await sign("grace", workspaceId)));
  for (const email of ["grace@evil.example@example.org", "grace@example.org\n", "grace@evil.example\nx@example.org"]) {
    assert.equal(await tryWith("grace", email), "unauthorized", JSON.stringify(email));
    assert.equal(await tryWith("eve", email), "unauthorized", JSON.stringify(email));
  }
});

test("an unknown workspace is refused by default and leaves nothing behind", async () => {
  const { sign, externalIssuer } = anIssuer();
  const { identity } = aProcess(db, { externalIssuer });
  for (const workspace of [newId<"workspace">(), "studio-north"]) {
    const token = await sign("grace", workspace);
    assert.equal(await codeOf(() => identity.authenticate(withBearer(token))), "unauthorized");
  }
  const people = await db.query(sql`select 1 from people where issuer = ${externalIssuer.issuer}`);
  assert.deepEqual(people, []);
});

test("with the setting, two processes that see a new workspace at once make it once, with one owner", async () => {
  const { sign, externalIssuer } = anIssuer();
  const created: WorkspaceId[] = [];
  const changed: Partial<IdentityDeps> = {
    externalIssuer,
    unknownWorkspace: "create",
    workspaceCreated: async (_tx, workspaceId) => void created.push(workspaceId),
  };
  const [first, second] = [aProcess(db, changed).identity, aProcess(db, changed).identity];
  const [one, other] = await Promise.all([
    first.authenticate(withBearer(await sign("grace", "studio-north"))),
    second.authenticate(withBearer(await sign("grace", "studio-north"))),
  ]);
  assert.deepEqual(one, other);
  assert.equal(one.role, "owner");
  assert.deepEqual(created, [one.workspaceId]);
  const later = await first.authenticate(withBearer(await sign("henry", "studio-north")));
  assert.deepEqual([later.workspaceId, later.role], [one.workspaceId, "member"]);
});
