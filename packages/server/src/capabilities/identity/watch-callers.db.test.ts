// Two processes that share the database but no bus: what one ends, the other learns only from the database.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { createBackground } from "../../foundation/background.ts";
import { silentLog } from "../../foundation/log.ts";
import type { Identity } from "./create-identity.ts";
import { aProcess, aSession, aStudio, bySystem } from "./identity.fixture.ts";
import type { Principal } from "./principal.ts";
import { createCallerWatch } from "./watch-callers.ts";

let db: TestDatabase;
before(async () => {
  db = await testDatabase();
});
after(() => db.close());

async function aScene() {
  const here = aProcess(db);
  const { workspaceId, ownerId } = await aStudio(db, here.identity);
  const callers = createCallerWatch({ db, clock: here.clock });
  const lost: string[] = [];
  const watch = (name: string, principal: Principal | null) => {
    assert.ok(principal);
    return callers.watch(principal, () => lost.push(name));
  };
  return { ...here, workspaceId, ownerId, callers, lost, watch };
}

async function aKey(identity: Identity, workspaceId: Principal["workspaceId"], expiresAt: Date | null = null) {
  const scopes = ["workflows"] as const;
  const made = await identity.keys.create(
    { workspaceId, name: "k", role: "member", scopes, createdBy: null, expiresAt },
    bySystem,
  );
  const { id: keyId, role } = made.key;
  return { kind: "key", keyId, personId: null, workspaceId, role, scopes } as const;
}

describe("a look at those who are watched", () => {
  test("calls for a key that was revoked or has expired, once, and for no other", async () => {
    const { identity, clock, workspaceId, callers, lost, watch } = await aScene();
    const soon = new Date(clock.now().getTime() + 60_000);
    const [revoked, expiring, good] = [
      await aKey(identity, workspaceId),
      await aKey(identity, workspaceId, soon),
      await aKey(identity, workspaceId),
    ];
    watch("revoked", revoked);
    watch("revoked, a second stream", revoked);
    watch("expiring", expiring);
    watch("good", good);
    await callers.look();
    assert.deepEqual(lost, []);
    await aProcess(db).identity.keys.revoke(workspaceId, revoked.keyId, bySystem);
    await callers.look();
    assert.deepEqual(lost, ["revoked", "revoked, a second stream"]);
    await clock.advance(60_000);
    await callers.look();
    await callers.look();
    assert.deepEqual(lost.slice(2), ["expiring"]);
  });

  test("calls for an ended session, and for a member who was removed", async () => {
    const { identity, ownerId, workspaceId, callers, lost, watch } = await aScene();
    const other = aProcess(db).identity;
    const [kept, ended] = [await aSession(identity, ownerId), await aSession(identity, ownerId)];
    const added = await identity.members.add(workspaceId, { name: "Bob", email: null, role: "member" }, bySystem);
    const { id: personId } = added.member.person;
    watch("kept", kept.principal);
    watch("ended", ended.principal);
    watch("removed", (await aSession(identity, personId)).principal);
    await other.signIn.endSession(ownerId, ended.id, bySystem);
    await callers.look();
    assert.deepEqual(lost, ["ended"]);
    await other.members.remove(workspaceId, { personId, keepKeys: false }, bySystem);
    await callers.look();
    assert.deepEqual(lost, ["ended", "removed"]);
  });

  test("says nothing to a stream that is over", async () => {
    const { identity, workspaceId, callers, lost, watch } = await aScene();
    const key = await aKey(identity, workspaceId);
    watch("over", key)();
    watch("open", key);
    await identity.keys.revoke(workspaceId, key.keyId, bySystem);
    await callers.look();
    assert.deepEqual(lost, ["open"]);
  });
});

test("without any news, the loss is seen half a second later", async () => {
  const { identity, clock, workspaceId, callers, lost, watch } = await aScene();
  const key = await aKey(identity, workspaceId);
  watch("stream", key);
  const stop = new AbortController();
  const running = callers.run(createBackground({ clock, log: silentLog }), stop.signal);
  await aProcess(db).identity.keys.revoke(workspaceId, key.keyId, bySystem);
  await clock.advance(500);
  stop.abort();
  await running;
  assert.deepEqual(lost, ["stream"]);
});
