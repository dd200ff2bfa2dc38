// Reading nodes. The database builds the wire form, each node with its latest version and its publisher. A node of the
// upstream registry is shown as upstream sent it.
import {
  fromRow,
  joinSql,
  type Queryable,
  type RowOf,
  type Statement,
  sql,
} from "../../../foundation/database/index.ts";
import { publisherWire, wireMoment } from "../publishers/publisher-store.ts";
import type { Reader } from "../readers/reader.ts";
import { acceptsAppVersion } from "./app-versions.ts";
import type { NodeFilter, NodeSort, NodeSortColumn, NodeWindow } from "./node-filter.ts";
import type { NodeRowId, StoredNode } from "./stored-node.ts";

// Spec, Node version. The archive's address is added later.
const versionWire = sql`json_build_object(
  'id', version.id, 'node_id', node.node_id, 'version', version.version, 'changelog', version.changelog,
  'createdAt', ${wireMoment(sql`version.created_at`)}, 'dependencies', version.dependencies,
  'deprecated', version.deprecated, 'deprecated_at', ${wireMoment(sql`version.deprecated_at`)},
  'sunset_at', ${wireMoment(sql`version.sunset_at`)}, 'status', version.status,
  'archive_hash', 'blake3:' || encode(version.archive_hash, 'hex'), 'archive_size', version.archive_size,
  'svc_node_extract_status', version.extract_status, 'capabilities', version.capabilities,
  'supported_accelerators', version.supported_accelerators, 'supported_os', version.supported_os,
  'supported_app_version', version.supported_app_version,
  'supported_app_frontend_version', version.supported_app_frontend_version, 'tags', nullif(version.tags, '{}'),
  'readme', version.readme_file)`;

const nodeWire = sql`case when node.upstream is not null
  then (node.upstream || jsonb_build_object('status', node.status))::json else
  json_strip_nulls(json_build_object(
  'id', node.node_id, 'name', node.name, 'description', node.description, 'author', node.author,
  'category', node.category, 'license', node.license, 'repository', node.repository, 'icon', node.icon,
  'banner_url', node.banner_url, 'supported_accelerators', node.supported_accelerators,
  'supported_os', node.supported_os, 'supported_app_version', node.supported_app_version,
  'supported_app_frontend_version', node.supported_app_frontend_version, 'tags', node.tags,
  'created_at', ${wireMoment(sql`node.created_at`)}, 'downloads', node.downloads,
  'github_stars', node.github_stars, 'rating', round(node.rating, 2), 'search_ranking', node.search_ranking,
  'status', node.status, 'status_detail', node.status_detail,
  'preempted_svc_node_names', nullif(node.preempted_svc_node_names, '{}'),
  'latest_version', case when version.id is null then null else ${versionWire} end,
  'publisher', case when publisher.id is null then null else ${publisherWire} end)) end`;

export const isOwn = (reader: Reader) =>
  reader.isAdmin
    ? sql`true`
    : sql`coalesce(case when ${reader.personId}::uuid is null then publisher.workspace_id = ${reader.workspaceId}::uuid
      else exists (select from publisher_members as own
        where own.publisher_id = node.publisher_id and own.person_id = ${reader.personId}::uuid) end, false)`;

const nodeColumns = (reader: Reader) => sql`node.id, node.node_id, node.status, node.publisher_id,
  publisher.workspace_id as publisher_workspace_id, node.visible_to, node.tags_admin, node.changed_at,
  node.upstream is not null as is_upstream, ${isOwn(reader)} as is_own, ${reader.isAdmin}::boolean as is_for_admin,
  case when version.archive_hash is not null then version.id end as latest_archive_id, ${nodeWire} as wire`;

const nodeTables = sql`nodes as node
  left join publishers as publisher on publisher.id = node.publisher_id
  left join node_versions as version on version.id = node.latest_version_id`;

// A node that readers are not allowed to see does not exist for them.
export function visibleNodes(reader: Reader): Statement {
  if (reader.isAdmin) return sql`true`;
  if (reader.workspaceId === null) return sql`node.visible_to is null`;
  return sql`(node.visible_to is null or node.visible_to = ${reader.workspaceId}
    or exists (select from publisher_members as own
      where own.publisher_id = node.publisher_id and own.person_id = ${reader.personId}::uuid))`;
}

// In any status; the caller decides what banned or deleted means.
export async function findNode(db: Queryable, folded: string, reader: Reader): Promise<StoredNode | null> {
  const [row] = await db.query<NodeRow>(sql`
    select ${nodeColumns(reader)} from ${nodeTables}
    where node.node_id_folded = ${folded} and ${visibleNodes(reader)}`);
  return row === undefined ? null : toNode(row);
}

// Ranges are parsed here and not in SQL: there are far fewer distinct ranges than nodes.
export async function withRanges(db: Queryable, filter: NodeFilter): Promise<NodeFilter> {
  const { appVersion } = filter;
  if (appVersion === undefined) return filter;
  const rows = await db.query<{ range: string }>(sql`
    select distinct supported_app_version as range from nodes where supported_app_version is not null`);
  const rangesLeftOut = rows.map(({ range }) => range).filter((range) => !acceptsAppVersion(range, appVersion));
  return { ...filter, rangesLeftOut };
}

// A property that is not declared does not restrict: a node that names no operating system runs on all of them.
export function filterNodes(filter: NodeFilter): Statement {
  const conditions = [sql`node.status = any(${filter.statuses})`, visibleNodes(filter.reader)];
  if (filter.nodeIds) conditions.push(sql`node.node_id_folded = any(${filter.nodeIds})`);
  if (filter.os !== undefined) conditions.push(declares(sql`node.supported_os`, filter.os));
  if (filter.accelerator !== undefined) {
    conditions.push(declares(sql`node.supported_accelerators`, filter.accelerator));
  }
  if (filter.rangesLeftOut !== undefined && filter.rangesLeftOut.length > 0) {
    conditions.push(
      sql`(node.supported_app_version is null or node.supported_app_version <> all(${filter.rangesLeftOut}))`,
    );
  }
  if (filter.since) conditions.push(sql`node.changed_at >= ${filter.since}`);
  if (filter.publisherId !== undefined) conditions.push(sql`node.publisher_id = ${filter.publisherId}`);
  if (filter.repositoryPart !== undefined) {
    conditions.push(sql`node.repository ilike ${likePart(filter.repositoryPart)}`);
  }
  if (filter.descriptorPart !== undefined) {
    conditions.push(providesClass(sql`descriptor.name ilike ${likePart(filter.descriptorPart)}`));
  }
  return joinSql(conditions, sql` and `);
}

// A node provides the classes of its highest active version whose classes are known. The latest version may still be
// waiting for an extractor, or never get one; publishing it must not make classes disappear from searches by name.
const providesClass = (isWanted: Statement) => sql`exists (
  select from node_descriptors as descriptor
    join node_versions as described on described.id = descriptor.version_id
  where described.node_id = node.id and ${isWanted} and described.id = (
    select known.id from node_versions as known
    where known.node_id = node.id and known.status = 'NodeVersionStatusActive'
      and (known.extract_status in ('success', 'partial')
        or exists (select from node_descriptors as any_class where any_class.version_id = known.id))
    order by known.id = node.latest_version_id desc,
      string_to_array(substring(known.version from '^[0-9.]+'), '.')::numeric[] desc,
      known.version like '%-%', known.version desc
    limit 1))`;

const declares = (column: Statement, value: string) =>
  sql`(${column} is null or exists (select from unnest(${column}) as one where lower(one) = lower(${value})))`;
const likePart = (text: string) => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;

const sortColumns: Readonly<Record<NodeSortColumn, Statement>> = {
  id: sql`node.node_id_folded`,
  name: sql`lower(node.name)`,
  created_at: sql`node.created_at`,
  changed_at: sql`node.changed_at`,
  downloads: sql`node.downloads`,
  github_stars: sql`node.github_stars`,
  rating: sql`node.rating`,
  search_ranking: sql`nullif(node.search_ranking, 0)`,
};

// Newest first by default: a reader who pages through the list meanwhile may see a node twice but misses none.
function orderOf(sorts: readonly NodeSort[]): Statement {
  const wanted = sorts.map(({ column, descending }) =>
    descending ? sql`${sortColumns[column]} desc nulls last` : sql`${sortColumns[column]} asc nulls last`,
  );
  const fallback = [sql`node.created_at desc`, sql`node.id desc`];
  return joinSql([...wanted, ...fallback], sql`, `);
}

export async function listNodes(
  db: Queryable,
  filter: NodeFilter,
  window: NodeWindow,
  sorts: readonly NodeSort[] = [],
): Promise<{ nodes: StoredNode[]; total: number }> {
  const condition = filterNodes(filter);
  const [rows, [counted]] = await Promise.all([
    db.query<NodeRow>(sql`select ${nodeColumns(filter.reader)} from ${nodeTables} where ${condition}
      order by ${orderOf(sorts)} limit ${window.limit} offset ${window.offset}`),
    db.query<{ total: number }>(sql`select count(*)::int as total from nodes as node where ${condition}`),
  ]);
  return { nodes: rows.map(toNode), total: counted?.total ?? 0 };
}

// The next nodes of a walk over all of them, by row id.
export async function nextNodes(
  db: Queryable,
  filter: NodeFilter,
  after: NodeRowId | null,
  limit: number,
): Promise<StoredNode[]> {
  const rows = await db.query<NodeRow>(sql`
    select ${nodeColumns(filter.reader)} from ${nodeTables}
    where ${filterNodes(filter)} and (${after}::uuid is null or node.id > ${after}::uuid)
    order by node.id limit ${limit}`);
  return rows.map(toNode);
}

export async function findNodesByRowId(
  db: Queryable,
  ids: readonly NodeRowId[],
  reader: Reader,
): Promise<StoredNode[]> {
  const rows = await db.query<NodeRow>(sql`
    select ${nodeColumns(reader)} from ${nodeTables} where node.id = any(${ids})`);
  const byId = new Map(rows.map((row) => [row.id, toNode(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

// Which node owns a class: first a node that lists the name as its own, then lower search ranking, then more installs.
export async function findStoredNodeByClass(
  db: Queryable,
  className: string,
  reader: Reader,
): Promise<StoredNode | null> {
  const [row] = await db.query<NodeRow>(sql`
    select ${nodeColumns(reader)} from ${nodeTables}
    where node.status = 'NodeStatusActive' and ${visibleNodes(reader)}
      and (node.preempted_svc_node_names @> ${[className]} or ${providesClass(sql`descriptor.name = ${className}`)})
    order by (node.preempted_svc_node_names @> ${[className]}) desc, nullif(node.search_ranking, 0) asc nulls last,
      node.downloads desc, node.node_id_folded limit 1`);
  return row === undefined ? null : toNode(row);
}

export interface NodeChange {
  readonly folded: string;
  readonly stamp: string;
}

// Changes since a moment, and the moment of this query. Without a moment it finds nothing and starts from now.
export async function findChanges(db: Queryable, since: Date | null): Promise<{ until: Date; changed: NodeChange[] }> {
  const [row] = await db.query<{ until: Date }>(sql`select now() as until`);
  const changed =
    since === null
      ? []
      : await db.query<NodeChange>(sql`
          select node_id_folded as folded, changed_at::text as stamp from nodes where changed_at >= ${since}`);
  return { until: row?.until ?? new Date(0), changed };
}

export async function findTranslations(db: Queryable, id: NodeRowId): Promise<Record<string, Record<string, unknown>>> {
  const rows = await db.query<{ language: string; texts: Record<string, unknown> }>(sql`
    select language, texts from node_translations where node_id = ${id} order by language`);
  return Object.fromEntries(rows.map(({ language, texts }) => [language, texts]));
}

type NodeRow = RowOf<StoredNode>;

const toNode = fromRow<StoredNode>;
