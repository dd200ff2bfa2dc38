import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { sql } from "../../foundation/database/index.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { adoptRing, findRingDisagreement } from "./agree-on-ring.ts";
import { listFingerprints } from "./fingerprint-store.ts";
import { endKey, newRing, type Ring, rotateRing } from "./ring.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());
beforeEach(() => database.execute(sql`delete from secrets_fingerprints`));

// By its own clock the database forgets keys that ended a month ago, so this story starts now.
const start = new Date();
const server = (ring: Ring, seconds = 0, further: Ring = []) => ({
  database,
  ring: { keys: () => ring, further: () => further },
  clock: handClock(new Date(start.getTime() + seconds * 1000)),
});

test("the first server sets the ring; equal rings agree and others do not", async () => {
  const ring = newRing(start);
  assert.equal(await findRingDisagreement(server(ring)), null);
  assert.equal(await findRingDisagreement(server(ring)), null);
  assert.match((await findRingDisagreement(server(newRing(start)))) ?? "", /differs from the other servers/);
  assert.equal(await findRingDisagreement(server(ring)), null);
});

// docs/BACKUP.md, "Rings that cannot be written".
test("a ring is exchanged by restarts, one server after the other, and all of them are ready at every step", async () => {
  const [old, next] = [newRing(start), newRing(start)];
  type Held = readonly [ring: Ring, further?: Ring];
  const steps: readonly Held[] = [[old], [old, next], [next, old], [next]];
  const ready = async ([ring, further]: Held) => (await findRingDisagreement(server(ring, 0, further))) === null;
  assert.ok(await ready([old]));
  for (let step = 1; step < steps.length; step += 1) {
    const [before, after]: readonly (Held | undefined)[] = [steps[step - 1], steps[step]];
    assert.ok(before && after);
    // Before the old ring is dropped: everything it signed has expired, and the database no longer requires it.
    if (step === 3) await adoptRing(server(next, 0, old));
    for (const held of [before, after, before, after]) assert.ok(await ready(held), `step ${step}`);
  }
  assert.equal(await ready([old]), false, "a server that was left behind is seen");
});

test("of several servers with different rings that start together on an empty database exactly one is ready", async () => {
  // Every server already has its connection, so that they really run concurrently.
  const connected = () => database.transaction((tx) => tx.query(sql`select pg_sleep(0.05)`));
  await Promise.all(Array.from({ length: 6 }, connected));
  const found = await Promise.all(Array.from({ length: 6 }, () => findRingDisagreement(server(newRing(start)))));
  assert.equal(found.filter((reason) => reason === null).length, 1);
});

test("a rotation is tolerated until its key signs; then whoever missed it is not ready", async () => {
  const ring = newRing(start);
  const rotated = rotateRing(ring, { purposes: ["cursor"], leadSeconds: 300, now: start });
  assert.equal(await findRingDisagreement(server(ring)), null);
  assert.equal(await findRingDisagreement(server(rotated)), null);
  assert.equal(await findRingDisagreement(server(ring, 299)), null);
  assert.match((await findRingDisagreement(server(ring, 300))) ?? "", /is missing here/);
  assert.equal(await findRingDisagreement(server(rotated, 300)), null);
});

test("an announced end is never put off by a server that has not heard of it", async () => {
  const ring = newRing(start);
  const [first] = ring;
  assert.ok(first);
  await findRingDisagreement(server(ring));
  await findRingDisagreement(server(endKey(ring, first.id, start)));
  assert.match((await findRingDisagreement(server(ring, 1))) ?? "", /was revoked|is missing/);
  const known = await listFingerprints(database);
  assert.deepEqual(known.find(({ id }) => id === first.id)?.verifyUntil, start);
});

test("an operator whose ring is lost can adopt a new one", async () => {
  const [lost, fresh] = [newRing(start), newRing(start)];
  await findRingDisagreement(server(lost));
  await adoptRing(server(fresh));
  assert.equal(await findRingDisagreement(server(fresh)), null);
  assert.notEqual(await findRingDisagreement(server(lost)), null);
});

test("the database holds no secret", async () => {
  const ring = newRing(start);
  await findRingDisagreement(server(ring));
  const [row] = await database.query<{ text: string }>(sql`
    select string_agg(encode(fingerprint, 'hex') || key_id || purpose, ' ') as text from secrets_fingerprints`);
  for (const { secret } of ring) assert.ok(!row?.text.includes(secret.toString("hex")));
});
