// Migration 0035: the books of a server that wrote three lines for a call, and its keys, go on where they were.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { migrationsDirectory, type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { migrate, sql, sqlText } from "../../../foundation/database/index.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { CallEnding, CallId, OwnerId } from "../call/call-opening.ts";
import { callInvariants } from "../call-invariants-store.ts";
import { findCreditLines } from "../credits/credits-store.ts";
import { findWallet } from "../ledger/ledger-store.ts";
import { beginCalls } from "./begin-store.ts";
import { opening } from "./calls.fixture.ts";
import { finishCalls } from "./finish-store.ts";

// `npm run` proofs of a larger size say so; each call has one of ten stories.
const callCount = Number(process.env["ATELIER_TEST_OLD_CALLS"] ?? 400);
const ownerId = newId<"call-owner">();
const workspaces = Array.from({ length: 4 }, () => newId<"workspace">());
const fingerprint = Buffer.alloc(32, 1);

let db: TestDatabase;
let empty: string;

before(async () => {
  empty = await mkdtemp(join(tmpdir(), "atelier-migrations-"));
  db = await testDatabase({ migrations: empty });
  await migrate({ connection: db.url, directory: migrationsDirectory, upTo: 34 });
  await writeOldCalls();
});
after(async () => {
  await db.close();
  await rm(empty, { recursive: true, force: true });
});

interface OldCall {
  readonly id: CallId;
  readonly workspaceId: WorkspaceId;
  readonly story: number;
  readonly key: string | null;
}

// 0 open under a key · 1 open without one · 2 open and free · 3 charged in part · 4 charged in full · 5 given back, its key
// free · 6 unknown · 7 charged without a key · 8 charged, 26 hours ago · 9 free
async function writeOldCalls(): Promise<void> {
  await db.execute(sql`insert into call_owners (id) values (${ownerId})`);
  await db.execute(sql`
    insert into workspaces (id, name, created_at) select id, 'old', now() from unnest(${workspaces}::uuid[]) as given (id)`);
  await db.execute(sql`
    create table old_calls as
    select rpad(lpad(to_hex((extract(epoch from now()) * 1000)::bigint - ${callCount}::bigint + n), 12, '0') || '7', 32, '0')::uuid as id,
           (${workspaces}::uuid[])[1 + n % 4] as workspace_id, n % 10 as story,
           case when n % 10 not in (1, 7) then 'key-' || n end as key,
           case when n % 10 in (2, 9) then 0 else 10 end as hold,
           case n % 10 when 3 then 4 when 4 then 10 when 7 then 1 when 8 then 3 when 5 then 0 when 6 then 0 when 9 then 0 end as settled,
           case when n % 10 > 2 then now() - case when n % 10 = 8 then interval '26 hours' else interval '1 hour' end end as ended
    from generate_series(1, ${callCount}) n`);
  await db.execute(sql`
    insert into calls (id, workspace_id, subject, idempotency_key, fingerprint, state, owner_id, takes_slot, is_costly, hold, settled,
                       recovery, longest_run_seconds, begun_at, finished_at, outcome)
    select id, workspace_id, 'model:old/one', key, ${fingerprint},
           case when ended is null then 'open' when story = 6 then 'unknown' else 'finished' end,
           case when ended is null then ${ownerId}::uuid end, true, story = 0, hold, settled, 'ask', 600,
           coalesce(ended, now()), ended, case when ended is not null then 'succeeded' end
    from old_calls`);
  await db.execute(sql`
    insert into call_keys (workspace_id, idempotency_key, call_id, fingerprint, answered_at)
    select workspace_id, key, id, ${fingerprint}, ended from old_calls where key is not null and story <> 5`);
  await db.execute(sql`
    insert into call_answers (call_id, answered_at, status, headers, body, body_bytes)
    select id, ended, 200, '{}', '\\x7b7d', 2 from old_calls where ended is not null and key is not null and story <> 5`);
  await db.execute(sql`
    insert into usage (id, workspace_id, call_id, subject, outcome, status, credits, is_replay, at, total_ms)
    select id, workspace_id, id, 'model:old/one', 'succeeded', 200, settled, false, ended, 1 from old_calls where ended is not null`);
  await db.execute(sql`
    insert into journal (transaction_id, kind, workspace_id, debit, credit, amount, at)
    select id, 'fund', id, 'funding', 'available', 1000000, now() - interval '1 day' from unnest(${workspaces}::uuid[]) as given (id)
    union all select id, 'hold', workspace_id, 'available', 'held', hold, coalesce(ended, now()) from old_calls where hold > 0
    union all select id, 'settle', workspace_id, 'held', 'revenue', settled, ended from old_calls where settled > 0
    union all select id, 'release', workspace_id, 'held', 'available', hold - settled, ended from old_calls where hold > settled
    union all select id, 'suspense', workspace_id, 'provider_cost', 'suspense', hold, ended from old_calls where story = 6`);
  await db.execute(sql`
    insert into wallets (workspace_id, available, held, in_flight, costly_in_flight)
    select workspace_id, 1000000 - coalesce(sum(settled), 0) - sum(hold) filter (where ended is null),
           sum(hold) filter (where ended is null), count(*) filter (where ended is null), count(*) filter (where story = 0)
    from old_calls group by workspace_id`);
}

const oldCalls = () =>
  db.query<OldCall>(sql`select id, workspace_id as "workspaceId", story, key from old_calls order by id`);

const wallets = () => Promise.all(workspaces.map((id) => findWallet(db, id)));

// As they were stated for the old shape: each wallet is its journal, to the line, and an ended call holds nothing.
async function requireOldInvariants(): Promise<void> {
  assert.deepEqual(
    await db.query(sql`
      select w.workspace_id from wallets w join (
        select workspace_id,
          sum(case when credit = 'available' then amount when debit = 'available' then -amount else 0 end) as available,
          sum(case when credit = 'held' then amount when debit = 'held' then -amount else 0 end) as held
        from journal group by workspace_id) j using (workspace_id)
      where w.available <> j.available or w.held <> j.held`),
    [],
  );
  assert.deepEqual(
    await db.query(sql`
      select k.call_id from call_keys k left join calls c on c.id = k.call_id
      where c.id is null or (k.answered_at is null) <> (c.state = 'open')`),
    [],
  );
}

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

test("old books, open calls among them, are whole before and after, and every key says what it said", async () => {
  await requireOldInvariants();
  const [owned, calls] = [await wallets(), await oldCalls()];
  await migrate({ connection: db.url, directory: migrationsDirectory });
  await requireInvariants();
  assert.deepEqual(await wallets(), owned);

  // A server of the version before is refused whole: neither its begin nor its finish can be planned any more.
  const ofBefore = ["select answered_at from call_keys", "update call_keys set answered_at = now()"];
  for (const statement of ofBefore) await assert.rejects(db.execute(sqlText(statement)), { code: "42703" });

  const told = ["join", "", "join", "replay", "replay", "begun", "replay", "", "begun", "replay"];
  const keyed = calls.filter(({ key }) => key !== null).slice(0, 200);
  const openings = keyed.map(({ workspaceId, key }) => ({
    ...opening(workspaceId, { idempotencyKey: key, fingerprint }),
    id: newId<"call">(),
  }));
  const verdicts = await beginCalls(db, openings, newId<"call-owner">() as OwnerId);
  assert.deepEqual(
    verdicts.map(({ kind }) => kind),
    keyed.map(({ story }) => told[story]),
  );
  const other = openings.map((call) => ({ ...call, id: newId<"call">(), fingerprint: Buffer.alloc(32, 2) }));
  assert.deepEqual(new Set((await beginCalls(db, other, ownerId)).map(({ kind }) => kind)), new Set(["mismatch"]));
  await requireInvariants();
});

test("what was open under the old books ends under the new ones, charged once and to the last micro-credit", async () => {
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
