// The deliveries, receivers, endpoints and secrets of one workspace. Secrets are not exported.
import { type Queryable, type Statement, sql } from "../../foundation/database/index.ts";
import type { ExportRow, RestoreBatch, WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";
import { receiverOf } from "./delivery.ts";

// As one row for each address.
function receiversOf(rows: readonly ExportRow[]): Statement {
  const urls = [...new Set(rows.map(({ url }) => String(url)))];
  return sql`unnest(${urls}::text[], ${urls.map(receiverOf)}::text[]) as receivers (url, of)`;
}

// A log of past deliveries: none is sent again without a request.
function restoreDeliveries(tx: Queryable, { workspaceId, json, rows }: RestoreBatch): Promise<number> {
  return tx.execute(sql`
    insert into webhook_deliveries (id, workspace_id, subject_id, sequence, type, url, receiver, body, status, attempts,
      last_status, last_error, created_at, delivered_at, endpoint_id)
    select id, ${workspaceId}::uuid, subject_id, sequence, type, r.url, receivers.of, convert_to(body, 'UTF8'), status, attempts,
      last_status, last_error, created_at, delivered_at, endpoint_id
    from jsonb_to_recordset(${json}::jsonb) as r (id uuid, subject_id text, sequence int, type text, url text, body text,
      status text, attempts int, last_status int, last_error text, created_at timestamptz, delivered_at timestamptz,
      endpoint_id uuid)
    join ${receiversOf(rows)} on receivers.url = r.url`);
}

export const webhookHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "webhook-deliveries",
      rows: (id, after, count) => sql`
        select id::text as position, id, subject_id, sequence, type, url, endpoint_id, status, attempts, last_status, last_error,
          created_at, delivered_at, convert_from(body, 'UTF8') as body
        from webhook_deliveries where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
      restore: {
        stays: { why: "the server where they began delivers them", test: ({ status }) => status === "pending" },
        read: restoreDeliveries,
      },
    },
    {
      name: "webhook-endpoints",
      rows: (id, after, count) => sql`
        select id::text as position, id, url, description, types, filter_tag, filter_model, filter_deployment, created_at,
          paused_at
        from webhook_endpoints where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
      // They are paused: their receivers must learn of a new secret first.
      restore: {
        read: (tx, { workspaceId, now, json, rows }) =>
          tx.execute(sql`
            insert into webhook_endpoints (id, workspace_id, url, receiver, description, types, filter_tag, filter_model,
              filter_deployment, created_at, paused_at)
            select id, ${workspaceId}::uuid, r.url, receivers.of, description, types, filter_tag, filter_model, filter_deployment,
              created_at, coalesce(paused_at, ${now})
            from jsonb_to_recordset(${json}::jsonb) as r (id uuid, url text, description text, types text[], filter_tag jsonb,
              filter_model text, filter_deployment uuid, created_at timestamptz, paused_at timestamptz)
            join ${receiversOf(rows)} on receivers.url = r.url`),
      },
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
