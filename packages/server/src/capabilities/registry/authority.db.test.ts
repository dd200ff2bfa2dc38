// The registry itself decides who may do what, on real tables; nothing gets around it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { sql } from "../../foundation/database/index.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId } from "../../foundation/ids.ts";
import { createAudit } from "../audit/index.ts";
import type { Principal } from "../identity/index.ts";
import { createNodes } from "./nodes/nodes.ts";
import { createPublishers } from "./publishers/publishers.ts";
import type { Sent } from "./readers/actor.ts";

let database: TestDatabase;
let owner: Principal;
let stranger: Principal;
before(async () => {
  database = await testDatabase();
  [owner, stranger] = await Promise.all([newKey(), newKey()]);
});
after(() => database.close());

async function newKey(): Promise<Principal> {
  const workspaceId = newId<"workspace">();
  await database.execute(sql`insert into workspaces (id, name, created_at) values (${workspaceId}, 'Workshop', now())`);
  return { kind: "key", keyId: newId<"key">(), personId: null, workspaceId, role: "owner", scopes: ["registry"] };
}

function build() {
  const clock = handClock();
  const deps = {
    ...{ database, clock, audit: createAudit({ database }), publishersPerPersonMax: 5, requiredFields: [] },
    people: { list: async () => [] },
    codeHost: { look: async () => ({ kind: "away" }) as const },
    nodesChanged: async () => {},
    latestUrl: () => null,
  };
  return { publishers: createPublishers(deps), nodes: createNodes(deps) };
}

const sentBy = (caller: Principal, body: unknown): Sent => ({ caller, requestId: newId(), json: async () => body });
const unread = (caller: Principal): Sent => ({
  ...sentBy(caller, null),
  json: () => assert.fail("a stranger's body is not read"),
});

test("a stranger is refused below the routes, before anything they sent is read", async () => {
  const { publishers, nodes } = build();
  await publishers.create(sentBy(owner, { id: "workshop", name: "Workshop" }));
  await nodes.create("workshop", sentBy(owner, { id: "sharpen", name: "Sharpen" }));
  const at = { publisherId: "workshop", nodeId: "sharpen" };
  for (const change of [
    () => publishers.update("workshop", unread(stranger)),
    () => publishers.addMember("workshop", unread(stranger)),
    () => publishers.createToken("workshop", unread(stranger)),
    () => publishers.members("workshop", unread(stranger)),
    () => publishers.tokens("workshop", unread(stranger)),
    () => publishers.delete("workshop", unread(stranger)),
    () => nodes.create("workshop", unread(stranger)),
    () => nodes.update(at, unread(stranger)),
    () => nodes.claim(at, unread(stranger)),
    () => nodes.delete(at, unread(stranger)),
  ])
    await assert.rejects(change, { code: "forbidden" }, String(change));
  assert.equal((await publishers.listOwn(owner)).length, 1);
  assert.deepEqual(await nodes.permission(at, { caller: stranger }), { canEdit: false });
});

test("who stops being an owner while their body comes adds no member and no token", async () => {
  const { publishers } = build();
  await publishers.create(sentBy(owner, { id: "moving", name: "Moving" }));
  const leaving = (body: unknown): Sent => ({
    ...sentBy(owner, body),
    async json() {
      await database.execute(sql`update publishers set workspace_id = ${stranger.workspaceId} where id = 'moving'`);
      return body;
    },
  });
  await assert.rejects(publishers.createToken("moving", leaving({ name: "ci" })), { code: "forbidden" });
  assert.deepEqual(await publishers.tokens("moving", { ...sentBy(stranger, null) }), []);
});
