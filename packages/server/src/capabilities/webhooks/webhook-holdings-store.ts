// The deliveries, receivers, endpoints and secrets of one workspace. Secrets are not exported.
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const webhookHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "webhook-deliveries",
      rows: (id, after, count) => sql`
        select id::text as position, id, subject_id, sequence, type, url, endpoint_id, status, attempts, last_status, last_error,
          created_at, delivered_at, convert_from(body, 'UTF8') as body
        from webhook_deliveries where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
    },
    {
      name: "webhook-endpoints",
      rows: (id, after, count) => sql`
        select id::text as position, id, url, description, types, filter_tag, filter_model, filter_deployment, created_at,
          paused_at
        from webhook_endpoints where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
    },
  ],
  async release(tx, id) {
    await tx.execute(sql`delete from webhook_queue where workspace_id = ${id}`);
    await tx.execute(sql`delete from webhook_attempts where workspace_id = ${id}`);
    const deliveries = await tx.execute(sql`delete from webhook_deliveries where workspace_id = ${id}`);
    await tx.execute(sql`delete from webhook_receivers where workspace_id = ${id}`);
    await tx.execute(sql`delete from webhook_secrets where workspace_id = ${id}`);
    await tx.execute(sql`delete from webhook_endpoint_secrets where workspace_id = ${id}`);
    const endpoints = await tx.execute(sql`delete from webhook_endpoints where workspace_id = ${id}`);
    return { deliveries, webhook_endpoints: endpoints };
  },
};
