// State of the mirror: upstream's nodes among ours, cached answers, and how far we have read.
import type { NodeStatus, RegistryNode } from "@atelier/contract";
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import { keepWords } from "../nodes/node-write-store.ts";
import type { SearchDocument } from "../nodes/search-words.ts";
import type { NodeRowId } from "../nodes/stored-node.ts";

export interface UpstreamNodeRow {
  readonly id: NodeRowId;
  readonly node: RegistryNode;
  readonly search: SearchDocument;
}

// True if readers now see a change. Never touches one of our own nodes, and a ban by our operators stays.
export async function putUpstreamNode(db: Queryable, { id, node, search }: UpstreamNodeRow): Promise<boolean> {
  const rows = await db.execute(sql`
    insert into nodes (id, node_id, node_id_folded, name, description, author, category, license, repository, icon,
      banner_url, tags, supported_accelerators, supported_os, supported_app_version, supported_app_frontend_version,
      status, status_detail, downloads, github_stars, rating, search_ranking, preempted_svc_node_names, upstream,
      search_document, created_at)
    values (${id}, ${node.id}, ${node.id.toLowerCase()}, ${node.name}, ${node.description}, ${node.author ?? null},
      ${node.category ?? null}, ${node.license ?? null}, ${node.repository ?? null}, ${node.icon ?? null},
      ${node.banner_url ?? null}, ${node.tags}, ${node.supported_accelerators ?? null}, ${node.supported_os ?? null},
      ${node.supported_app_version ?? null}, ${node.supported_app_frontend_version ?? null}, ${node.status},
      ${node.status_detail ?? null}, ${node.downloads}, ${node.github_stars ?? null}, ${node.rating ?? null},
      ${node.search_ranking ?? null}, ${node.preempted_svc_node_names ?? []}, ${JSON.stringify(node)}::jsonb,
      ${search.document}::tsvector, ${node.created_at})
    on conflict (node_id_folded) do update set node_id = excluded.node_id, name = excluded.name,
      description = excluded.description, author = excluded.author, category = excluded.category,
      license = excluded.license, repository = excluded.repository, icon = excluded.icon,
      banner_url = excluded.banner_url, tags = excluded.tags,
      supported_accelerators = excluded.supported_accelerators, supported_os = excluded.supported_os,
      supported_app_version = excluded.supported_app_version,
      supported_app_frontend_version = excluded.supported_app_frontend_version,
      status = case when nodes.status = 'NodeStatusBanned' and nodes.upstream ->> 'status' <> 'NodeStatusBanned'
        then nodes.status else excluded.status end,
      downloads = excluded.downloads, github_stars = excluded.github_stars, rating = excluded.rating,
      upstream = excluded.upstream, search_document = excluded.search_document, changed_at = clock_timestamp()
    where nodes.upstream is not null and nodes.upstream is distinct from excluded.upstream`);
  if (rows === 1) await keepWords(db, search.words);
  return rows === 1;
}

export interface UpstreamState {
  // As upstream spells it.
  readonly nodeId: string;
  // Our operators' status if they set one, else upstream's.
  readonly status: NodeStatus;
  // As upstream sent it. Undefined if there is none.
  readonly latest: unknown;
}

// Null if we have no such node.
export async function findUpstreamState(db: Queryable, folded: string): Promise<"own" | UpstreamState | null> {
  const [row] = await db.query<RowOf<UpstreamState> & { is_upstream: boolean }>(sql`
    select node_id, status, upstream is not null as is_upstream, upstream -> 'latest_version' as latest
    from nodes where node_id_folded = ${folded}`);
  if (row === undefined) return null;
  return row.is_upstream ? { nodeId: row.node_id, status: row.status, latest: row.latest ?? undefined } : "own";
}

export async function findSyncedTo(db: Queryable, url: string): Promise<Date | null> {
  const [row] = await db.query<{ synced_to: Date }>(sql`
    select synced_to from registry_upstream_state where url = ${url}`);
  return row?.synced_to ?? null;
}

export async function putSyncedTo(db: Queryable, url: string, syncedTo: Date): Promise<void> {
  await db.execute(sql`
    insert into registry_upstream_state (url, synced_to) values (${url}, ${syncedTo})
    on conflict (url) do update set synced_to = excluded.synced_to`);
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly etag: string | null;
  readonly body: Buffer;
  readonly readAt: Date;
}

export async function findUpstreamAnswer(db: Queryable, path: string): Promise<UpstreamAnswer | null> {
  const [row] = await db.query<RowOf<UpstreamAnswer>>(sql`
    select status, etag, body, read_at from registry_upstream_answers where path = ${path}`);
  return row === undefined ? null : fromRow<UpstreamAnswer>(row);
}

export async function putUpstreamAnswer(db: Queryable, path: string, answer: UpstreamAnswer): Promise<void> {
  await db.execute(sql`
    insert into registry_upstream_answers (path, status, etag, body, read_at)
    values (${path}, ${answer.status}, ${answer.etag}, ${answer.body}, ${answer.readAt})
    on conflict (path) do update set status = excluded.status, etag = excluded.etag, body = excluded.body,
      read_at = excluded.read_at`);
}

// Keeps the table bounded: removes answers not read for long, and the oldest above the count.
export async function forgetUpstreamAnswers(db: Queryable, before: Date, countMax: number): Promise<void> {
  await db.execute(sql`delete from registry_upstream_answers where read_at < ${before}`);
  await db.execute(sql`
    delete from registry_upstream_answers where path in (
      select path from registry_upstream_answers order by read_at desc offset ${countMax})`);
}
