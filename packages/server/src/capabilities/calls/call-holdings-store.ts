// A workspace's usage and journal. Both survive its deletion: the journal is append-only and names only the workspace's id,
// which is a pseudonym once the name is gone (decisions, section 8).
import { sql } from "../../foundation/database/index.ts";
import type { PersonHoldings } from "../../foundation/database/person-holdings.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const callHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "budgets",
      rows: (id, after, count) => sql`
        select name as position, name, scope, subject, period, amount::text as amount, at_limit, webhook_url, emails,
          created_at, period_start, spent::text as spent
        from budgets where workspace_id = ${id} and name > ${after} order by name limit ${count}`,
    },
    {
      name: "budget-alerts",
      rows: (id, after, count) => sql`
        select id::text as position, budget_id, sequence, threshold, period_start, amount::text as amount, spent::text as spent,
          held::text as held, at
        from budget_alerts where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
    },
    {
      name: "spending-alerts",
      rows: (id, after, count) => sql`
        select hour::text as position, hour, sequence, spent::text as spent, average::text as average,
          highest::text as highest, weeks, at
        from spending_alerts where workspace_id = ${id} and hour::text > ${after} order by hour::text limit ${count}`,
    },
    {
      name: "usage",
      rows: (id, after, count) => sql`
        select id::text as position, id, request_id, call_id, api_key_id, subject, outcome, status, credits::text as credits,
          is_replay, at, total_ms, provider_ms, refused_account, attempts, tags, end_user
        from usage where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
    },
    {
      name: "journal",
      rows: (id, after, count) => sql`
        select transaction_id || ' ' || kind as position, transaction_id, kind, debit, credit, amount::text as amount, at
        from journal where workspace_id = ${id} and transaction_id || ' ' || kind > ${after}
        order by transaction_id || ' ' || kind limit ${count}`,
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
