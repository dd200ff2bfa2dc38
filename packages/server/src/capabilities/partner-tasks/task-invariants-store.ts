// Invariants of tasks, as queries that must return no row. Used by tests, `doctor`, a restore and a metric.
import { type Invariant, sql } from "../../foundation/database/index.ts";
import { callFacts } from "../calls/shared-sql.ts";
import { deliveryFacts } from "../webhooks/shared-sql.ts";

export const taskInvariants: readonly Invariant[] = [
  {
    name: "an open task has an open call, and an ended task an ended one",
    statement: sql`
      select t.id from partner_tasks t left join (${callFacts}) c on c.id = t.id
      where (t.ended_at is null and c.state is distinct from 'open' and c.state is distinct from 'unknown')
         or (t.ended_at > now() - interval '2 days' and c.state = 'open')`,
  },
  {
    name: "a completed task was charged what its call held or less, a failed one nothing",
    statement: sql`
      select t.id from partner_tasks t join (${callFacts}) c on c.id = t.id
      where t.ended_at > now() - interval '2 days' and t.state = 'failed' and c.settled > 0`,
  },
  {
    name: "I18 every change of a task with a webhook was told",
    statement: sql`
      select t.id from partner_tasks t
      where t.webhook_url is not null and t.created_at > now() - interval '2 days' and t.sequence <> (
        select count(*) from (${deliveryFacts}) d where d.workspace_id = t.workspace_id and d.subject_id = t.id::text)`,
  },
];
