// The invariants of money and of running once: none of these queries may ever return a row. Tests, `doctor`, restores and a
// metric run them by name. Sums start at the last closed month, so they stay cheap however long the journal is.
import { type Invariant, sql } from "../../foundation/database/index.ts";
import { sumsAreRows } from "./usage/usage-sums-store.ts";

// For the invariants of other capabilities whose rows belong to a call or a reservation.
export const callFacts = sql`select id, workspace_id, state, settled, hold, takes_slot, context from calls`;
export const moveFacts = sql`select transaction_id, workspace_id, kind, amount from journal where kind in ('fund', 'withdraw')`;
export const openReservationFacts = sql`select holder_id from reservations where settled is null`;

const sinceClosing = sql`
  closing as (
    select distinct on (workspace_id) workspace_id, available, held, revenue, (month + interval '1 month') at time zone 'UTC' as since
    from journal_closings order by workspace_id, month desc
  ), booked as (
    select j.workspace_id,
      sum(case when credit = 'available' then amount when debit = 'available' then -amount else 0 end) as available,
      sum(case when credit = 'held' then amount when debit = 'held' then -amount else 0 end) as held
    from journal j left join closing on closing.workspace_id = j.workspace_id
    where closing.since is null or j.at >= closing.since
    group by j.workspace_id
  )`;

export const callInvariants: readonly Invariant[] = [
  {
    name: "I1 a wallet equals its journal and its open calls",
    statement: sql`
      with ${sinceClosing}, opened as (
        select workspace_id, sum(hold) as hold from calls where state = 'open' group by workspace_id
      )
      select w.workspace_id from wallets w
        left join closing using (workspace_id) left join booked using (workspace_id) left join opened using (workspace_id)
      where w.available <> coalesce(closing.available, 0) + coalesce(booked.available, 0) - coalesce(opened.hold, 0)
         or w.held <> coalesce(closing.held, 0) + coalesce(booked.held, 0) + coalesce(opened.hold, 0)`,
  },
  {
    name: "I2 what is held equals the open calls and reservations, and the slots equal the calls",
    statement: sql`
      select w.workspace_id from wallets w left join (
        select workspace_id, sum(hold) as hold, count(*) filter (where takes_slot) as slots,
               count(*) filter (where is_costly) as costly
        from calls where state = 'open' group by workspace_id
      ) c using (workspace_id) left join (
        select workspace_id, sum(amount) as hold from reservations where settled is null group by workspace_id
      ) r using (workspace_id)
      where w.held <> coalesce(c.hold, 0) + coalesce(r.hold, 0) or w.in_flight <> coalesce(c.slots, 0) or w.costly_in_flight <> coalesce(c.costly, 0)`,
  },
  {
    // Calls that began before migration 0035 have a journal line for their hold.
    name: "I3 no call leaves anything held in the journal, open or ended",
    statement: sql`
      select c.id from calls c
      where (c.state = 'open' or c.finished_at > now() - interval '2 days') and 0 <> (
        select coalesce(sum(case when j.credit = 'held' then j.amount when j.debit = 'held' then -j.amount end), 0)
        from journal j where j.transaction_id = c.id)`,
  },
  {
    // A call's lines are written the moment it ends, so older lines need not be read.
    name: "I4 the settle line says what the call was charged, and the suspense line what an unknown end may have cost us",
    statement: sql`
      select c.id from calls c
        left join journal s on s.transaction_id = c.id and s.kind = 'settle' and s.at > now() - interval '2 days'
        left join journal u on u.transaction_id = c.id and u.kind = 'suspense' and u.at > now() - interval '2 days'
      where (c.state = 'open' or c.finished_at > now() - interval '2 days') and (
        coalesce(s.amount, 0) <> coalesce(c.settled, 0)
        or coalesce(u.amount, 0) <> case when c.state = 'unknown' then c.hold else 0 end)`,
  },
  {
    name: "I5 nothing is charged under a key without a recorded answer",
    statement: sql`
      select c.id from calls c join call_keys k on k.call_id = c.id
      where c.settled > 0 and c.finished_at > now() - interval '23 hours'
        and not exists (select 1 from call_answers a where a.call_id = c.id)`,
  },
  {
    name: "I6 no balance is negative",
    statement: sql`select workspace_id from wallets where available < 0 or held < 0`,
  },
  {
    name: "I7 what has ended has no owner, and what is open has one",
    // Two queries, each on its own index. As one query it would read every call.
    statement: sql`
      select id from calls where state = 'open' and owner_id is null
      union all
      select id from calls where state <> 'open' and finished_at > now() - interval '2 days' and owner_id is not null`,
  },
  {
    name: "I8 nothing is open beyond its longest run and the quarantine unless somebody follows it",
    statement: sql`
      select id from calls
      where state = 'open' and begun_at < now() - (longest_run_seconds + 32 * 60) * interval '1 second'
        and (look_again_at is null or look_again_at < now() - interval '10 minutes')`,
  },
  {
    name: "I9 no open call belongs to an owner that has been silent for two leases",
    statement: sql`
      select c.id from calls c left join call_owners o on o.id = c.owner_id
      where c.state = 'open' and coalesce(o.heartbeat_at, c.begun_at) < now() - interval '3 minutes'`,
  },
  {
    name: "I10 a live key names its call, the call names the key, and an open call has its key",
    statement: sql`
      select k.call_id from call_keys k left join calls c on c.id = k.call_id and c.workspace_id = k.workspace_id
      where c.id is null or c.idempotency_key is distinct from k.idempotency_key
      union all
      select c.id from calls c
        left join call_keys k on k.workspace_id = c.workspace_id and k.idempotency_key = c.idempotency_key
      where c.state = 'open' and c.idempotency_key is not null and k.call_id is distinct from c.id`,
  },
  {
    name: "I11 revenue equals what was settled, less what was refunded",
    statement: sql`
      with since as (
        select coalesce((max(month) + interval '1 month') at time zone 'UTC', '-infinity'::timestamptz) as at from journal_closings
      )
      select 1 as broken from since where
        (select coalesce(sum(case when credit = 'revenue' then amount else -amount end), 0) from journal
         where 'revenue' in (debit, credit) and journal.at >= since.at)
        <> (select coalesce(sum(settled), 0) from calls where finished_at >= since.at)
           + (select coalesce(sum(settled), 0) from reservations where ended_at >= since.at)
           - (select coalesce(sum(amount), 0) from journal where kind = 'refund' and journal.at >= since.at)`,
  },
  {
    name: "I12 a charge has a usage row of the same size",
    statement: sql`
      with used as (
        select call_id, sum(credits) as credits from usage
        where at > now() - interval '2 days' and not is_replay and call_id is not null group by call_id
      )
      select c.id from calls c left join used on used.call_id = c.id
      where c.settled > 0 and c.finished_at > now() - interval '2 days' and c.settled is distinct from used.credits`,
  },
  {
    name: "every line of the journal is of a kind that there is, between the accounts of that kind",
    statement: sql`
      select transaction_id from journal
      where at > now() - interval '2 days' and (kind, debit, credit) not in (
        ('fund', 'funding', 'available'), ('withdraw', 'available', 'funding'), ('refund', 'revenue', 'available'),
        ('hold', 'available', 'held'), ('release', 'held', 'available'), ('suspense', 'provider_cost', 'suspense'),
        ('settle', 'available', 'revenue'), ('settle', 'held', 'revenue'))`,
  },
  {
    name: "an ended reservation is settled and released to the last micro-credit, an open one only held",
    statement: sql`
      select r.id from reservations r
      where (r.settled is null or r.ended_at > now() - interval '2 days') and (
        r.amount <> (select coalesce(sum(amount), 0) from journal j where j.transaction_id = r.id and j.kind = 'hold')
        or coalesce(r.settled, 0) <> (
          select coalesce(sum(amount), 0) from journal j where j.transaction_id = r.id and j.kind = 'settle')
        or case when r.settled is null then 0 else r.amount - r.settled end <> (
          select coalesce(sum(amount), 0) from journal j where j.transaction_id = r.id and j.kind = 'release'))`,
  },
  {
    name: "a budget's row holds at least what the calls that count against it hold",
    statement: sql`
      select b.id from budgets b
      where b.held < (select coalesce(sum(k.hold), 0) from budget_calls k where k.budget_id = b.id)`,
  },
  { name: "the sums of usage are its rows", statement: sumsAreRows },
];
