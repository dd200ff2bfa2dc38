// Endpoints, and what a change of one does to the deliveries that wait for it. Every statement names the workspace.
import type { Queryable } from "../../../foundation/database/database.ts";
import { fromRow, type RowOf } from "../../../foundation/database/rows.ts";
import { type Statement, sql } from "../../../foundation/database/sql.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { EndpointId } from "../delivery.ts";
import type { Endpoint, EndpointRule } from "./endpoint.ts";

export interface NamedEndpoint {
  readonly workspaceId: WorkspaceId;
  readonly id: EndpointId;
}

// The types that some endpoint of a workspace asks for; null if it has no endpoint. One probe of an index, to be put into the
// statement that locks or changes a subject, so that a workspace without endpoints costs no round trip and renders nothing.
export const endpointTypes = (workspaceId: Statement): Statement =>
  sql`(select array_agg(distinct asked.type) from webhook_endpoints e cross join unnest(e.types) as asked (type)
    where e.workspace_id = ${workspaceId})`;

const columns = sql`
  e.id, e.workspace_id, e.url, e.receiver, e.description, e.types,
  json_build_object('tag', e.filter_tag, 'model', e.filter_model, 'deployment', e.filter_deployment) as filter,
  e.created_at, e.paused_at, r.resting_until, r.disabled_at, d.id as delivery_id, d.type as delivery_type,
  d.status as delivery_status, d.created_at as delivery_at`;

const withState = sql`
  webhook_endpoints e left join webhook_receivers r on r.workspace_id = e.workspace_id and r.receiver = e.receiver
  left join lateral (
    select d.id, d.type, d.status, d.created_at from webhook_deliveries d
    where d.workspace_id = e.workspace_id and d.endpoint_id = e.id order by d.id desc limit 1) d on true`;

// Oldest first.
export async function listEndpoints(db: Queryable, workspaceId: WorkspaceId): Promise<Endpoint[]> {
  const rows = await db.query<EndpointRow>(sql`
    select ${columns} from ${withState} where e.workspace_id = ${workspaceId} order by e.id limit 1000`);
  return rows.map(toEndpoint);
}

export async function findEndpoint(db: Queryable, { workspaceId, id }: NamedEndpoint): Promise<Endpoint | null> {
  const [row] = await db.query<EndpointRow>(sql`
    select ${columns} from ${withState} where e.workspace_id = ${workspaceId} and e.id = ${id}`);
  return row === undefined ? null : toEndpoint(row);
}

export async function insertEndpoint(
  tx: Queryable,
  made: NamedEndpoint & { readonly rule: EndpointRule; readonly receiver: string; readonly at: Date },
): Promise<void> {
  const { url, description, types, filter } = made.rule;
  await tx.execute(sql`
    insert into webhook_endpoints (id, workspace_id, url, receiver, description, types, filter_tag, filter_model,
                                   filter_deployment, created_at)
    values (${made.id}, ${made.workspaceId}, ${url}, ${made.receiver}, ${description}, ${types},
            ${filter.tag === null ? null : JSON.stringify(filter.tag)}::jsonb, ${filter.model}, ${filter.deployment},
            ${made.at})`);
}

export async function writeEndpoint(
  tx: Queryable,
  { workspaceId, id, rule, receiver }: NamedEndpoint & { readonly rule: EndpointRule; readonly receiver: string },
): Promise<void> {
  const { url, description, types, filter } = rule;
  await tx.execute(sql`
    update webhook_endpoints
    set url = ${url}, receiver = ${receiver}, description = ${description}, types = ${types},
        filter_tag = ${filter.tag === null ? null : JSON.stringify(filter.tag)}::jsonb, filter_model = ${filter.model},
        filter_deployment = ${filter.deployment}
    where workspace_id = ${workspaceId} and id = ${id}`);
}

// What waits goes to the new address; what is on its way still goes to the old one.
export async function moveWaiting(
  tx: Queryable,
  { workspaceId, id, url, receiver }: NamedEndpoint & { readonly url: string; readonly receiver: string },
): Promise<void> {
  await tx.execute(sql`
    with moved as (
      update webhook_deliveries d set url = ${url}, receiver = ${receiver}
      where d.workspace_id = ${workspaceId} and d.endpoint_id = ${id} and exists (
        select from webhook_queue q where q.delivery_id = d.id and q.workspace_id = d.workspace_id)
      returning d.id
    )
    update webhook_queue q set receiver = ${receiver}
    from moved where q.workspace_id = ${workspaceId} and q.delivery_id = moved.id`);
}

export async function pauseEndpoint(tx: Queryable, { workspaceId, id }: NamedEndpoint, at: Date): Promise<void> {
  await tx.execute(sql`
    update webhook_endpoints set paused_at = coalesce(paused_at, ${at})
    where workspace_id = ${workspaceId} and id = ${id}`);
}

// Its receiver starts afresh, as after a success.
export async function resumeEndpoint(tx: Queryable, { workspaceId, id }: NamedEndpoint): Promise<void> {
  await tx.execute(sql`
    with resumed as (
      update webhook_endpoints set paused_at = null where workspace_id = ${workspaceId} and id = ${id}
      returning receiver
    )
    delete from webhook_receivers r using resumed
    where r.workspace_id = ${workspaceId} and r.receiver = resumed.receiver`);
}

export async function deleteEndpoint(tx: Queryable, { workspaceId, id }: NamedEndpoint): Promise<void> {
  await tx.execute(sql`delete from webhook_endpoints where workspace_id = ${workspaceId} and id = ${id}`);
}

// Deliveries that wait become dead. One that is being sent ends by itself, and is not tried again.
export async function endWaiting(
  tx: Queryable,
  { workspaceId, id, now, error }: NamedEndpoint & { readonly now: Date; readonly error: string },
): Promise<void> {
  await tx.execute(sql`
    with ended as (
      delete from webhook_queue q using webhook_deliveries d
      where d.workspace_id = ${workspaceId} and d.endpoint_id = ${id} and d.status = 'pending'
        and q.delivery_id = d.id and q.workspace_id = d.workspace_id
        and (q.claim_id is null or q.due_at <= ${now}) and not q.is_manual
      returning q.delivery_id
    )
    update webhook_deliveries d set status = 'dead', next_attempt_at = null, last_error = ${error}
    from ended where d.workspace_id = ${workspaceId} and d.id = ended.delivery_id`);
}

type EndpointRow = Omit<RowOf<Endpoint>, "last_delivery"> & {
  readonly delivery_id: string | null;
  readonly delivery_type: string;
  readonly delivery_status: string;
  readonly delivery_at: Date;
};

function toEndpoint(row: EndpointRow): Endpoint {
  const { delivery_id, delivery_type, delivery_status, delivery_at, ...own } = row;
  const last =
    delivery_id === null
      ? null
      : { id: delivery_id, type: delivery_type, status: delivery_status, createdAt: delivery_at };
  return fromRow<Endpoint>({ ...own, last_delivery: last } as RowOf<Endpoint>);
}
