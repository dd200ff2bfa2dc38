// A workspace's payments leave with its export. Like the journal they survive its deletion: invoices are the seller's books.
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const sellingHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "payments",
      rows: (id, after, count) => sql`
        select id::text as position, id, provider, reference, paid_at, amount_minor::text as amount_minor,
          refunded_minor::text as refunded_minor, currency, document, granted_at, credits::text as credits,
          taken_back::text as taken_back, expired::text as expired, period_from, expires_at
        from payments where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
      restore: "the books stay with the server where the money was",
    },
  ],
};
