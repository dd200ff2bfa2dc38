// Fills a registry with generated nodes and their versions, in portions. A registry that is already full stays as it is.
import type { Queryable } from "../packages/server/src/foundation/database/index.ts";
import { sql } from "../packages/server/src/foundation/database/sql.ts";
import { type MadeNode, madeNode } from "./registry-data.ts";

const portion = 500;
const publishers = 200;
const publisherOf = (number: number) => `made-${number % publishers}`;

export interface Filled {
  readonly nodes: number;
  readonly versions: number;
}

export async function fillRegistry(
  db: Queryable,
  options: { nodes: number; versionsPerNode: number; say?: (line: string) => void },
): Promise<Filled> {
  await putPublishers(db);
  for (let from = 0; from < options.nodes; from += portion) {
    const count = Math.min(portion, options.nodes - from);
    const nodes = Array.from({ length: count }, (_, at) => madeNode(from + at, publisherOf(from + at)));
    await putNodes(db, nodes);
    await putVersions(db, nodes, options.versionsPerNode);
    if ((from + count) % 5_000 === 0) options.say?.(`${from + count} nodes`);
  }
  // One at a time, each within the statement time limit.
  await db.execute(sql`analyze nodes`);
  await db.execute(sql`analyze node_versions`);
  await db.execute(sql`analyze registry_words`);
  const [row] = await db.query<Filled>(sql`
    select (select count(*)::int from nodes) as nodes, (select count(*)::int from node_versions) as versions`);
  return row ?? { nodes: 0, versions: 0 };
}

async function putPublishers(db: Queryable): Promise<void> {
  await db.execute(sql`
    insert into workspaces (id, name, created_at)
    values ('0196f000-0000-7000-8000-000000000001', 'Made nodes', now()) on conflict do nothing`);
  await db.execute(sql`
    insert into publishers (id, workspace_id, name, status, visibility, created_at)
    select 'made-' || n, '0196f000-0000-7000-8000-000000000001', 'Made publisher ' || n, 'PublisherStatusActive', 'public',
      now() from generate_series(0, ${publishers - 1}::int) as n
    on conflict do nothing`);
}

// Row ids come from the number, so a second run finds the rows of the first.
async function putNodes(db: Queryable, nodes: readonly MadeNode[]): Promise<void> {
  const rows = JSON.stringify(nodes.map(({ row }) => row));
  await db.execute(sql`
    insert into nodes (id, node_id, node_id_folded, publisher_id, name, description, author, repository, license, tags,
      supported_os, downloads, status, search_document, created_at)
    select ('0196f000-0000-7000-9000-' || lpad(to_hex(made.number), 12, '0'))::uuid, made.node_id, lower(made.node_id),
      made.publisher_id, made.name, made.description, made.author, made.repository, 'LICENSE', made.tags,
      made.supported_os, made.downloads, 'NodeStatusActive', made.search_document::tsvector,
      timestamptz '2025-01-01' + make_interval(mins => made.number)
    from jsonb_to_recordset(${rows}::jsonb) as made (number int, node_id text, publisher_id text, name text,
      description text, author text, repository text, tags text[], supported_os text[], downloads bigint,
      search_document text)
    on conflict do nothing`);
  await db.execute(sql`
    insert into registry_words (word) select distinct word
    from unnest(${[...new Set(nodes.flatMap(({ words }) => words))]}::text[]) as word on conflict do nothing`);
}

// 1.1.0 to 1.10.0 and so on: the last is the highest version, but not the last in text order.
async function putVersions(db: Queryable, nodes: readonly MadeNode[], perNode: number): Promise<void> {
  const numbers = nodes.map(({ number }) => number);
  await db.execute(sql`
    insert into node_versions (id, node_id, version, status, changelog, dependencies, extract_status, created_at)
    select ('0196f000-0000-7000-a' || lpad(to_hex(version), 3, '0') || '-' || lpad(to_hex(number), 12, '0'))::uuid,
      ('0196f000-0000-7000-9000-' || lpad(to_hex(number), 12, '0'))::uuid, '1.' || version || '.0',
      'NodeVersionStatusActive', 'Better in many small ways.', array['numpy'], 'success',
      timestamptz '2025-02-01' + make_interval(mins => number, hours => version)
    from unnest(${numbers}::int[]) as number, generate_series(1, ${perNode}::int) as version
    on conflict do nothing`);
  await db.execute(sql`
    update nodes set latest_version_id
      = ('0196f000-0000-7000-a' || lpad(to_hex(${perNode}::int), 3, '0') || '-' || substr(id::text, 25))::uuid
    where id = any(select ('0196f000-0000-7000-9000-' || lpad(to_hex(number), 12, '0'))::uuid
      from unnest(${numbers}::int[]) as number) and latest_version_id is null`);
}

// The database's own processes that work for us.
export async function backendPids(db: Queryable): Promise<number[]> {
  const rows = await db.query<{ pid: number }>(sql`
    select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`);
  return rows.map(({ pid }) => pid);
}
