// The invariants of queued model calls: none of these queries may return a row. Tests, `doctor`, restores and a metric run
// them.
import { type Invariant, sql } from "../../foundation/database/index.ts";
import { callFacts } from "../calls/shared-sql.ts";
import { deliveryFacts } from "../webhooks/shared-sql.ts";

export const requestInvariants: readonly Invariant[] = [
  {
    name: "a queued model call that has not completed has an open call that holds its credits, and a slot while it runs unless it is a work",
    statement: sql`
      select r.id from model_requests r left join (${callFacts}) c on c.id = r.id and c.workspace_id = r.workspace_id
      where r.state <> 'completed' and (c.state is distinct from 'open' or c.hold <> r.hold
        or c.takes_slot and r.state = 'queued' or not c.takes_slot and r.state = 'running' and r.model not like 'w.%')`,
  },
  {
    // A workspace that moved here left the charge in the other server's books.
    name: "a queued model call that has completed has an ended call, charged what it says",
    statement: sql`
      select r.id from model_requests r left join (${callFacts}) c on c.id = r.id and c.workspace_id = r.workspace_id
      where r.state = 'completed' and (c.state is null or c.state = 'open' or c.settled is distinct from r.credits_used and c.context ->> 'moved' is null)`,
  },
  {
    name: "an open call of a queued model call has its request",
    statement: sql`
      select c.id from (${callFacts}) c left join model_requests r on r.id = c.id and r.workspace_id = c.workspace_id
      where c.state = 'open' and c.context ->> 'request' = 'true' and (r.id is null or r.state = 'completed')`,
  },
  {
    name: "the end of a queued model call with a webhook was told once",
    statement: sql`
      select r.id from model_requests r
      where r.webhook_url is not null and r.created_at > now() - interval '2 days'
        and (r.state = 'completed')::int <> (
          select count(*) from (${deliveryFacts}) d where d.workspace_id = r.workspace_id and d.subject_id = r.id::text)`,
  },
];
