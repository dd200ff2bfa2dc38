// Begins calls that count against budgets and reserve nothing else: the common begin of begin-fresh-store.ts, with the budgets in
// the same statement. All or nothing: if a budget does not cover the calls, if one of its alerts is due, or if its period is over,
// nothing is written and the calls are begun one by one instead.
// A budget's row never shows too little spending, because ended calls count at their holds until they are added up. So nothing
// begins here that the exact path would refuse.
import type { Queryable } from "../../../foundation/database/database.ts";
import { preparedSql } from "../../../foundation/database/sql.ts";
import type { CountedOpening } from "../call/call-opening.ts";
import {
  type Fresh,
  type FreshAnswer,
  type FreshCalls,
  type FreshRow,
  knownKeys,
  openingCalls,
  sumOf,
  takingFromWallet,
  toAnswer,
} from "./begin-fresh-store.ts";

export interface CountedCalls extends FreshCalls {
  readonly openings: readonly CountedOpening[];
}

interface Counting extends Fresh {
  // One for each call and budget.
  readonly counted: readonly { readonly callId: string; readonly budgetId: string; readonly hold: bigint }[];
  readonly budgetIds: readonly string[];
}

export async function beginCountedCalls(db: Queryable, calls: CountedCalls): Promise<FreshAnswer> {
  const { openings } = calls;
  const counted = openings.flatMap(({ id: callId, hold, budgetIds }) =>
    budgetIds.map((budgetId) => ({ callId, budgetId, hold })),
  );
  const budgetIds = [...new Set(counted.map(({ budgetId }) => budgetId))];
  return toAnswer(await db.query<FreshRow>(beginCounted({ ...calls, sum: sumOf(openings), counted, budgetIds })));
}

// Budgets are locked before the wallet, in id order, as everything that reserves locks them. A budget that is gone counts nothing.
const beginCounted = preparedSql<Counting>`
    with ${knownKeys}, counted as materialized (
      select * from unnest(
        ${({ counted }) => counted.map(({ callId }) => callId)}::uuid[],
        ${({ counted }) => counted.map(({ budgetId }) => budgetId)}::uuid[],
        ${({ counted }) => counted.map(({ hold }) => hold)}::bigint[]
      ) as given (call_id, budget_id, hold)
    ), asked as (
      select budget_id, sum(hold)::bigint as hold from counted group by budget_id
    ), budget as materialized (
      select id, period, period_start, amount, at_limit, spent, held, alerted from budgets
      where id = any(${({ budgetIds }) => budgetIds}::uuid[]) and workspace_id = ${({ workspaceId }) => workspaceId}::uuid
      order by id for update
    ), short as materialized (
      select count(*) as count from budget join asked on asked.budget_id = budget.id
      where budget.period_start < date_trunc(budget.period, clock_timestamp() at time zone 'UTC')::date
        or budget.at_limit = 'stop' and (
          budget.spent + budget.held + asked.hold > budget.amount
          or (budget.spent + budget.held + asked.hold) * 100.0
             >= budget.amount * (case budget.alerted when 0 then 50.0 when 50 then 80.0 when 80 then 100.0 end))
    ), begins as (${takingFromWallet} and (select count from short) = 0 returning in_flight), holding as (
      update budgets b set held = budget.held + asked.hold
      from begins, budget join asked on asked.budget_id = budget.id where b.id = budget.id
    ), noted as (
      insert into budget_calls (call_id, budget_id, hold)
      select call_id, budget_id, hold from counted join budget on budget.id = counted.budget_id, begins
    ), ${openingCalls}
    select in_flight, null::text as idempotency_key, null::uuid as call_id, null::bytea as fingerprint,
           null::timestamptz as answered_at, null::boolean as is_over
    from begins
    union all
    select null, idempotency_key, call_id, fingerprint, answered_at, is_over from known`;
