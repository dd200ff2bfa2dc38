import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { inProcessBus } from "../../foundation/bus/bus.ts";
import { handClock, systemClock } from "../../foundation/clock.ts";
import { newId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { callsFixture } from "./calls.fixture.db.test.ts";
import { createCalls } from "./calls.ts";
import { createFollower } from "./follower.ts";
import { findWallet } from "./ledger-store.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

test("everything that is due is followed before the follower rests, however much it is", async () => {
  const workspaceId = await callsFixture(database).newWorkspace(1_000n);
  const blobs = { keep: async () => "", read: async () => null, release: async () => undefined };
  const calls = createCalls({ database, clock: systemClock, log: silentLog, bus: inProcessBus(), blobs });
  await calls.start();
  await callsFixture(database).keepAwake(calls.ownerId);
  const usage = { requestId: null, apiKeyId: null, subject: "many", status: 200, totalMs: 1, providerMs: 1 };
  const begin = async () => {
    const begun = await calls.begin({
      id: newId<"call">(),
      workspaceId,
      subject: "many",
      idempotencyKey: null,
      fingerprint: Buffer.alloc(32),
      isValid: true,
      hold: 10n,
      priceRecordId: null,
      takesSlot: true,
      isCostly: false,
      slotsMax: 100,
      costlySlotsMax: 0,
      recovery: "ask",
      longestRunSeconds: 600,
    });
    assert.ok(begun.kind === "begun");
    await calls.handOver(begun.call, 0);
  };
  await Promise.all(Array.from({ length: 40 }, begin));
  const stopping = new AbortController();
  const allEnded = Promise.withResolvers<void>();
  let ended = 0;
  const follower = createFollower({
    database,
    // Time stands still: whatever is left for a second round is never followed.
    clock: handClock(),
    log: silentLog,
    calls,
    followings: [
      {
        handles: () => true,
        async inquire() {
          ended += 1;
          if (ended === 40) allEnded.resolve();
          const ending = { state: "finished", outcome: "succeeded", charge: 1n, answer: null, usage } as const;
          return { finding: { kind: "ended" }, ending };
        },
        unknownAnswer: () => ({ status: 502, headers: {}, body: Buffer.from("{}") }),
      },
    ],
  });
  const following = follower.run(stopping.signal);
  const tooLong = systemClock.sleep(60_000, stopping.signal).then(() => assert.equal(ended, 40));
  await Promise.race([allEnded.promise, tooLong]);
  stopping.abort();
  await following;
  await calls.close();
  assert.deepEqual(await findWallet(database, workspaceId), { available: 960n, held: 0n, inFlight: 0 });
});
