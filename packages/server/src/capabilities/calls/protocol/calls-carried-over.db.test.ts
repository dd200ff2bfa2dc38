// Migration 0035: the books and keys of a server that wrote three lines per call continue where they were.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  brokenOldInvariants,
  oldCalls as findOldCalls,
  type OldCall,
  oldFingerprint,
  writeOldCalls,
} from "../../../../test/support/old-calls-store.ts";
import { migrationsDirectory, type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { migrate, sqlText } from "../../../foundation/database/index.ts";
import { newId } from "../../../foundation/ids.ts";
import type { CallEnding, OwnerId } from "../call/call-opening.ts";
import { callInvariants } from "../call-invariants-store.ts";
import { findCreditLines } from "../credits/credits-store.ts";
import { findWallet } from "../ledger/ledger-store.ts";
import { beginCalls } from "../rounds/begin-store.ts";
import { opening } from "../rounds/calls.fixture.ts";
import { finishCalls } from "../rounds/finish-store.ts";

// `npm run torture -- migration` does it with 200,000, under the real command.
const callCount = Number(process.env["ATELIER_TEST_OLD_CALLS"] ?? 400);
const ownerId = newId<"call-owner">();
const workspaces = Array.from({ length: 4 }, () => newId<"workspace">());

let db: TestDatabase;
let empty: string;

before(async () => {
  empty = await mkdtemp(join(tmpdir(), "atelier-migrations-"));
  db = await testDatabase({ migrations: empty });
  await migrate({ connection: db.url, directory: migrationsDirectory, upTo: 34 });
  await writeOldCalls(db, { workspaces, ownerId, callCount });
});
after(async () => {
  await db.close();
  await rm(empty, { recursive: true, force: true });
});

const oldCalls = () => findOldCalls(db);

const wallets = () => Promise.all(workspaces.map((id) => findWallet(db, id)));

async function requireInvariants(): Promise<void> {
  for (const { name, statement } of callInvariants) assert.deepEqual(await db.query(statement), [], name);
}

const endingOf = ({ id, workspaceId }: OldCall): CallEnding => ({
  call: { id, workspaceId, fence: 1 },
  state: "finished",
  outcome: "succeeded",
  charge: 4n,
  answer: { status: 200, headers: {}, body: Buffer.from("{}") },
  usage: { requestId: null, apiKeyId: null, subject: "model:old/one", status: 200, totalMs: 1, providerMs: 1 },
});

test("the old ledger, with open calls, stays consistent through the migration, and every key answers as before", async () => {
  assert.deepEqual(await brokenOldInvariants(db), []);
  const [owned, calls] = [await wallets(), await oldCalls()];
  await migrate({ connection: db.url, directory: migrationsDirectory });
  await requireInvariants();
  assert.deepEqual(await wallets(), owned);

  // A server of the previous version is refused entirely: neither its begin nor its finish can be planned any more.
  const ofBefore = ["select answered_at from call_keys", "update call_keys set answered_at = now()"];
  for (const statement of ofBefore) await assert.rejects(db.execute(sqlText(statement)), { code: "42703" });

  const expected = ["join", "", "join", "replay", "replay", "begun", "replay", "", "begun", "replay"];
  const keyed = calls.filter(({ key }) => key !== null).slice(0, 200);
  const openings = keyed.map(({ workspaceId, key }) => ({
    ...opening(workspaceId, { idempotencyKey: key, fingerprint: oldFingerprint }),
    id: newId<"call">(),
  }));
  const verdicts = await beginCalls(db, openings, newId<"call-owner">() as OwnerId);
  assert.deepEqual(
    verdicts.map(({ kind }) => kind),
    keyed.map(({ story }) => expected[story]),
  );
  const other = openings.map((call) => ({ ...call, id: newId<"call">(), fingerprint: Buffer.alloc(32, 2) }));
  assert.deepEqual(new Set((await beginCalls(db, other, ownerId)).map(({ kind }) => kind)), new Set(["mismatch"]));
  await requireInvariants();
});

test("calls open under the old ledger end under the new one, charged once and exactly", async () => {
  const open = (await oldCalls()).filter(({ story }) => story < 3);
  const earlier = await wallets();
  for (let at = 0; at < open.length; at += 100) {
    const some = open.slice(at, at + 100);
    assert.equal((await finishCalls(db, some.map(endingOf))).size, some.length);
    assert.equal((await finishCalls(db, some.map(endingOf))).size, 0);
  }
  await requireInvariants();
  for (const [index, wallet] of (await wallets()).entries()) {
    const ended = open.filter(({ workspaceId, story }) => workspaceId === workspaces[index] && story < 2).length;
    assert.equal(wallet.held, (earlier[index]?.held ?? 0n) - 10n * BigInt(ended));
    assert.equal(wallet.available, (earlier[index]?.available ?? 0n) + 6n * BigInt(ended));
  }
  const one = open.find(({ story }) => story === 0) ?? assert.fail();
  const lines = await findCreditLines(db, { workspaceId: one.workspaceId, transactionId: one.id });
  assert.deepEqual(lines.map(({ kind, amount }) => `${kind} ${amount}`).sort(), ["hold 10", "release 10", "settle 4"]);
});
