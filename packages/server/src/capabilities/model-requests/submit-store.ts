// Inserts the rows of a batch and counts how many waited before them, in the transaction that begins the calls. The wallets
// of these workspaces are locked by then, so the count is exact.
import { joinBytes, type Queryable, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { ModelRequestId } from "./model-request.ts";

export interface NewRequest {
  readonly id: ModelRequestId;
  readonly workspaceId: WorkspaceId;
  readonly model: string;
  readonly isCostly: boolean;
  readonly hold: bigint;
  readonly longestRunSeconds: number;
  readonly webhookUrl: string | null;
  readonly body: Buffer | null;
  readonly bodyBlob: string | null;
}

// Returns how many waited in each workspace before these.
export async function insertRequests(
  tx: Queryable,
  requests: readonly NewRequest[],
): Promise<Map<WorkspaceId, number>> {
  const { bodies, offsets } = joinBytes(requests.map(({ body }) => body ?? emptyBody));
  const rows = await tx.query<{ workspace_id: WorkspaceId; waiting: string }>(sql`
    with added as (
      insert into model_requests (id, workspace_id, model, is_costly, hold, longest_run_seconds, webhook_url, body, body_blob)
      select id, workspace_id, model, is_costly, hold, longest_run_seconds, webhook_url,
             case when body_blob is null then substring(${bodies}::bytea from body_from for body_bytes) end, body_blob
      from unnest(
        ${requests.map(({ id }) => id)}::uuid[],
        ${requests.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${requests.map(({ model }) => model)}::text[],
        ${requests.map(({ isCostly }) => isCostly)}::boolean[],
        ${requests.map(({ hold }) => String(hold))}::bigint[],
        ${requests.map(({ longestRunSeconds }) => longestRunSeconds)}::int[],
        ${requests.map(({ webhookUrl }) => webhookUrl)}::text[],
        ${offsets.map(({ from }) => from)}::int[],
        ${offsets.map(({ length }) => length)}::int[],
        ${requests.map(({ bodyBlob }) => bodyBlob)}::text[]
      ) as given (id, workspace_id, model, is_costly, hold, longest_run_seconds, webhook_url, body_from, body_bytes, body_blob)
    )
    select given.workspace_id, (
      select count(*) from model_requests r where r.workspace_id = given.workspace_id and r.state = 'queued') as waiting
    from unnest(${[...new Set(requests.map(({ workspaceId }) => workspaceId))]}::uuid[]) as given (workspace_id)`);
  return new Map(rows.map((row) => [row.workspace_id, Number(row.waiting)]));
}

const emptyBody = Buffer.alloc(0);
