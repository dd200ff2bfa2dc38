// A workspace's usage and journal. Both survive its deletion: the journal is append-only and names only the workspace's id,
// which is a pseudonym once the name is gone (decisions, section 8).
import { sql } from "../../foundation/database/index.ts";
import type { PersonHoldings } from "../../foundation/database/person-holdings.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";
import { movedAnswers } from "./answers/moved-answers-store.ts";

const staysWithMoney = "the books stay with the server where the money was";

export const callHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "budgets",
      rows: (id, after, count) => sql`
        select name as position, id, name, scope, subject, period, amount::text as amount, at_limit, webhook_url, emails,
          created_at, period_start, spent::text as spent, alerted, alert_count
        from budgets where workspace_id = ${id} and name > ${after} order by name limit ${count}`,
      restore: {
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into budgets (id, workspace_id, name, scope, subject, period, amount, at_limit, webhook_url, emails,
              created_at, period_start, spent, alerted, alert_count)
            select id, ${workspaceId}::uuid, name, scope, subject, period, amount, at_limit, webhook_url, emails, created_at,
              period_start, spent, alerted, alert_count
            from jsonb_to_recordset(${json}::jsonb) as r (id uuid, name text, scope text, subject text, period text,
              amount bigint, at_limit text, webhook_url text, emails text[], created_at timestamptz, period_start date,
              spent bigint, alerted smallint, alert_count int)`),
      },
    },
    {
      name: "budget-alerts",
      rows: (id, after, count) => sql`
        select id::text as position, id, budget_id, sequence, threshold, period_start, amount::text as amount, spent::text as spent,
          held::text as held, at
        from budget_alerts where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
      // Sent or not, they stay marked as sent: the server where they arose sends what is left.
      restore: {
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into budget_alerts (id, workspace_id, budget_id, sequence, threshold, period_start, amount, spent, held, at,
              handed_on_at)
            select r.id, ${workspaceId}::uuid, b.id, r.sequence, r.threshold, r.period_start, r.amount, r.spent, r.held, r.at, r.at
            from jsonb_to_recordset(${json}::jsonb) as r (id uuid, budget_id uuid, sequence int, threshold smallint,
              period_start date, amount bigint, spent bigint, held bigint, at timestamptz)
            join budgets b on b.id = r.budget_id and b.workspace_id = ${workspaceId}`),
      },
    },
    {
      name: "spending-alerts",
      rows: (id, after, count) => sql`
        select hour::text as position, hour, sequence, spent::text as spent, average::text as average,
          highest::text as highest, weeks, at
        from spending_alerts where workspace_id = ${id} and hour::text > ${after} order by hour::text limit ${count}`,
      restore: {
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into spending_alerts (workspace_id, hour, sequence, spent, average, highest, weeks, at)
            select ${workspaceId}::uuid, hour, sequence, spent, average, highest, weeks, at
            from jsonb_to_recordset(${json}::jsonb) as r (hour timestamptz, sequence int, spent bigint, average bigint,
              highest bigint, weeks int, at timestamptz)`),
      },
    },
    {
      name: "spending-watch",
      rows: (id, after, count) => sql`
        select workspace_id::text as position, is_on, at_least::text as at_least, alert_count from spending_watches
        where workspace_id = ${id} and workspace_id::text > ${after} limit ${count}`,
      restore: {
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into spending_watches (workspace_id, is_on, at_least, alert_count)
            select ${workspaceId}::uuid, is_on, at_least, alert_count
            from jsonb_to_recordset(${json}::jsonb) as r (is_on boolean, at_least bigint, alert_count int)`),
      },
    },
    {
      name: "call-limits",
      rows: (id, after, count) => sql`
        select subject as position, scope, subject, per_minute, concurrency from call_limits
        where workspace_id = ${id} and subject > ${after} order by subject limit ${count}`,
      restore: "limits of keys: set them for the new keys",
    },
    movedAnswers,
    {
      name: "usage",
      rowsPerRead: 20_000,
      rows: (id, after, count) => sql`
        select id::text as position, id, request_id, call_id, api_key_id, subject, outcome, status, credits::text as credits,
          is_replay, at, total_ms, provider_ms, refused_account, attempts, tags, end_user
        from usage where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
      restore: staysWithMoney,
    },
    {
      name: "journal",
      rowsPerRead: 20_000,
      rows: (id, after, count) => sql`
        select transaction_id || ' ' || kind as position, transaction_id, kind, debit, credit, amount::text as amount, at
        from journal where workspace_id = ${id} and transaction_id || ' ' || kind > ${after}
        order by transaction_id || ' ' || kind limit ${count}`,
      restore: staysWithMoney,
    },
  ],
  // The lines themselves are the books. What callers wrote on them is not.
  aged: [
    {
      kind: "history",
      name: "tags and end users of requests",
      async count(db, { workspaceId, before }) {
        const [row] = await db.query<{ things: number }>(sql`
          select count(*)::int as things from (${labelledBefore(workspaceId, before)}) as labelled`);
        return { things: row?.things ?? 0, bytes: 0 };
      },
      remove: (tx, { workspaceId, before, count }) =>
        tx.execute(sql`
          update usage set tags = null, end_user = null
          where ctid = any(array(${labelledBefore(workspaceId, before)} limit ${count}))`),
    },
  ],
  async release(tx, id) {
    await tx.execute(sql`delete from budget_alerts where workspace_id = ${id}`);
    await tx.execute(sql`delete from call_limits where workspace_id = ${id}`);
    await tx.execute(sql`delete from spending_alerts where workspace_id = ${id}`);
    await tx.execute(sql`delete from spending_watches where workspace_id = ${id}`);
    const budgets = await tx.execute(sql`delete from budgets where workspace_id = ${id}`);
    return { budgets };
  },
  async countOpen(db, id) {
    const [row] = await db.query<{ calls: number }>(sql`
      select coalesce(sum(in_flight), 0)::int as calls from wallets where workspace_id = ${id}`);
    return { "call(s)": row?.calls ?? 0 };
  },
};

// Two indexes of the few lines that have any.
const labelledBefore = (workspaceId: WorkspaceId, before: Date) => sql`
  select ctid from usage where workspace_id = ${workspaceId} and tags is not null and at < ${before}
  union
  select ctid from usage where workspace_id = ${workspaceId} and end_user is not null and at < ${before}`;

// The requests that a person made with their keys. The books keep them under the key's id.
export const callPersonHoldings: PersonHoldings = {
  exports: [
    {
      name: "requests",
      rows: ({ keyIds }, count) => sql`
        select request_id, call_id, workspace_id, api_key_id, at, subject, outcome, status, credits::text as micro_credits
        from usage where api_key_id = any (${keyIds}::uuid[]) order by at desc limit ${count}`,
    },
  ],
};
