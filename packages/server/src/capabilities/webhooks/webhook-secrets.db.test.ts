// Which secrets sign, as the receiver sees it.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { testDatabase } from "../../../test/support/test-database.ts";
import { type Database, sql } from "../../foundation/database/index.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { aReceiver, type Receiver } from "../../foundation/http/receiver.fixture.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { aSender, aWorkspace, enqueueChange } from "./webhooks.fixture.ts";

const system = { actor: { kind: "system", id: null } } as const;
let database: Database;
let workspaceId: WorkspaceId;
let receiver: Receiver;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());
beforeEach(async () => {
  workspaceId = await aWorkspace(database);
  receiver = await aReceiver();
});
afterEach(() => receiver.close());

const verifies = (text: string, index: number) => {
  const got = receiver.received[index];
  assert.ok(got);
  const headers = Object.fromEntries(Object.entries(got.headers).map(([name, value]) => [name, String(value)]));
  try {
    new Webhook(text).verify(got.body, headers);
    return true;
  } catch {
    return false;
  }
};

test("while one is replaced, a receiver with either verifies everything; afterwards only the new one does", async () => {
  const clock = handClock(new Date());
  const sender = aSender(database, [receiver.target], { clock });
  const old = await sender.secrets.rotate({ workspaceId, overlapSeconds: 60 }, system);
  const fresh = await sender.secrets.rotate({ workspaceId, overlapSeconds: 60 }, system);
  await enqueueChange(sender, database, { workspaceId, url: receiver.url });
  await sender.round();
  assert.deepEqual([verifies(old.text, 0), verifies(fresh.text, 0)], [true, true]);
  await clock.advance(60_001);
  await enqueueChange(sender, database, { workspaceId, url: receiver.url });
  await sender.round();
  assert.deepEqual([verifies(old.text, 1), verifies(fresh.text, 1)], [false, true]);
});

test("ending the old one at once is possible, and another process signs with the new one within 5 seconds", async () => {
  const clock = handClock(new Date());
  const [sender, other] = [
    aSender(database, [receiver.target], { clock }),
    aSender(database, [receiver.target], { clock }),
  ];
  const old = await sender.secrets.rotate({ workspaceId }, system);
  assert.equal((await other.secrets.signing(workspaceId)).length, 1);
  const fresh = await sender.secrets.rotate({ workspaceId, overlapSeconds: 0 }, system);
  await clock.advance(5_001);
  await enqueueChange(other, database, { workspaceId, url: receiver.url });
  await other.round();
  assert.deepEqual([verifies(old.text, 0), verifies(fresh.text, 0)], [false, true]);
});

test("are sealed in the database, and a workspace without one is given one", async () => {
  const sender = aSender(database, [receiver.target]);
  await enqueueChange(sender, database, { workspaceId, url: receiver.url });
  await sender.round();
  assert.match(String(receiver.received[0]?.headers["webhook-signature"]), /^v1,/);
  const made = await sender.secrets.rotate({ workspaceId }, system);
  const rows = await database.query<{ sealed: string }>(
    sql`select sealed from webhook_secrets where workspace_id = ${workspaceId}`,
  );
  assert.equal(rows.length, 2);
  for (const { sealed } of rows) assert.ok(!sealed.includes(made.text.slice(6, 20)));
  const listed = await sender.secrets.list(workspaceId);
  assert.deepEqual(
    listed.map(({ signsUntil }) => signsUntil === null),
    [true, false],
  );
  assert.ok(!JSON.stringify(listed).includes(made.text.slice(6)));
});

test("two rotations at once leave one current secret", async () => {
  const sender = aSender(database, [receiver.target]);
  await Promise.all(Array.from({ length: 5 }, () => sender.secrets.rotate({ workspaceId }, system)));
  const listed = await sender.secrets.list(workspaceId);
  assert.equal(listed.filter(({ signsUntil }) => signsUntil === null).length, 1);
  assert.equal(listed.length, 5);
});

test("after a key rotation they are resealed and sign as before", async () => {
  const keys = ["ring-1", "ring-2"].map((id, index) => ({ id, secret: Buffer.alloc(32, index + 1) }));
  let current = keys[0];
  const keyRing = {
    current: () => {
      assert.ok(current);
      return current;
    },
    verifying: () => keys,
  };
  const sender = aSender(database, [receiver.target], { keyRing });
  const { text } = await sender.secrets.rotate({ workspaceId }, system);
  const filter = { tag: null, model: null, deployment: null };
  const rule = { url: receiver.url, description: "", types: ["job.failed"], filter } as const;
  const endpoint = await sender.endpoints.create(workspaceId, rule, system);
  current = keys[1];
  // Secrets of other tests are sealed under rings that this one does not know, so they stay as they are.
  const { secretsResealed } = await sender.housekeeping.round(AbortSignal.timeout(60_000));
  assert.equal(secretsResealed, 2);
  const [row] = await database.query<{ sealed: string }>(
    sql`select sealed from webhook_secrets where workspace_id = ${workspaceId}`,
  );
  assert.match(row?.sealed ?? "", /^v1\.ring-2\./);
  await sender.clock.advance(6_000);
  await enqueueChange(sender, database, { workspaceId, url: receiver.url });
  await sender.round();
  assert.ok(verifies(text, 0));
  await sender.deliveries.sendTest(workspaceId, receiver.url, endpoint.endpoint.id);
  await sender.round();
  assert.ok(verifies(endpoint.text, 1));
});
