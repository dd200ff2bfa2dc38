// Descriptors: what the node classes of a version look like, and where they may run.
import type { NodeDescriptor, NodePolicy, UpdateDescriptor } from "@atelier/contract";
import { joinSql, type Queryable, sql } from "../../../foundation/database/index.ts";
import { visibleNodes } from "../nodes/node-store.ts";
import type { NodeRowId } from "../nodes/stored-node.ts";
import type { Reader } from "../readers/reader.ts";
import type { VersionId } from "../versions/stored-version.ts";

export type DescriptorFields = Omit<UpdateDescriptor, "policy">;

export interface StoredDescriptor {
  readonly name: string;
  readonly fields: DescriptorFields;
  readonly policy: NodePolicy;
}

export function presentDescriptor({ name, fields, policy }: StoredDescriptor): NodeDescriptor {
  return { ...fields, policy, svc_node_name: name };
}

export async function findDescriptor(
  db: Queryable,
  versionId: VersionId,
  name: string,
  { locked }: { readonly locked: boolean } = { locked: false },
): Promise<StoredDescriptor | null> {
  const [row] = await db.query<StoredDescriptor>(sql`
    select name, fields, policy from node_descriptors where version_id = ${versionId} and name = ${name}
    ${locked ? sql`for update` : sql``}`);
  return row ?? null;
}

// Merges: members that are absent keep their value.
export async function putDescriptor(
  tx: Queryable,
  versionId: VersionId,
  { name, fields, policy }: StoredDescriptor,
): Promise<void> {
  await tx.execute(sql`
    insert into node_descriptors (version_id, name, fields, policy)
    values (${versionId}, ${name}, ${JSON.stringify(fields)}::jsonb, ${policy})
    on conflict (version_id, name) do update set fields = node_descriptors.fields || excluded.fields,
      changed_at = now()`);
}

// Sets it in every version of the node, because a policy is about the class.
export async function setPolicy(
  tx: Queryable,
  nodeRowId: NodeRowId,
  { name, policy }: { readonly name: string; readonly policy: NodePolicy },
): Promise<void> {
  await tx.execute(sql`
    update node_descriptors as descriptor set policy = ${policy}, changed_at = now()
    from node_versions as version
    where version.id = descriptor.version_id and version.node_id = ${nodeRowId}
      and descriptor.name = ${name} and descriptor.policy <> ${policy}`);
}

// The policies these classes already have in the node's versions.
export async function findEarlierPolicies(
  tx: Queryable,
  nodeRowId: NodeRowId,
  names: readonly string[],
): Promise<ReadonlyMap<string, NodePolicy>> {
  const rows = await tx.query<{ name: string; policy: NodePolicy }>(sql`
    select distinct on (descriptor.name) descriptor.name, descriptor.policy
    from node_descriptors as descriptor join node_versions as version on version.id = descriptor.version_id
    where version.node_id = ${nodeRowId} and descriptor.name = any(${names})
    order by descriptor.name, descriptor.changed_at desc, descriptor.version_id desc`);
  return new Map(rows.map(({ name, policy }) => [name, policy]));
}

export async function listDescriptors(
  db: Queryable,
  versionId: VersionId,
  window: { readonly limit: number; readonly offset: number },
): Promise<{ readonly descriptors: readonly StoredDescriptor[]; readonly total: number }> {
  const [rows, [counted]] = await Promise.all([
    db.query<StoredDescriptor>(sql`
      select name, fields, policy from node_descriptors where version_id = ${versionId}
      order by name limit ${window.limit} offset ${window.offset}`),
    db.query<{ total: number }>(sql`
      select count(*)::int as total from node_descriptors where version_id = ${versionId}`),
  ]);
  return { descriptors: rows, total: counted?.total ?? 0 };
}

export interface DescriptorFilter {
  // Folded.
  readonly nodeId?: string | undefined;
  readonly version?: string | undefined;
  readonly name?: string | undefined;
}

// Searches all nodes, limited to versions the reader may see and install.
export async function searchDescriptors(
  db: Queryable,
  filter: DescriptorFilter,
  reader: Reader,
  window: { readonly limit: number; readonly offset: number },
): Promise<{ readonly descriptors: readonly StoredDescriptor[]; readonly total: number }> {
  const conditions = [
    visibleNodes(reader),
    sql`node.status = 'NodeStatusActive'`,
    sql`version.archive_hash is not null`,
  ];
  if (!reader.isAdmin) conditions.push(sql`version.status in ('NodeVersionStatusActive', 'NodeVersionStatusPending')`);
  if (filter.nodeId !== undefined) conditions.push(sql`node.node_id_folded = ${filter.nodeId}`);
  if (filter.version !== undefined) conditions.push(sql`version.version = ${filter.version}`);
  if (filter.name !== undefined) conditions.push(sql`descriptor.name = ${filter.name}`);
  const from = sql`from node_descriptors as descriptor
    join node_versions as version on version.id = descriptor.version_id
    join nodes as node on node.id = version.node_id where ${joinSql(conditions, sql` and `)}`;
  const [rows, [counted]] = await Promise.all([
    db.query<StoredDescriptor>(sql`select descriptor.name, descriptor.fields, descriptor.policy ${from}
      order by descriptor.name, node.node_id_folded, version.created_at desc
      limit ${window.limit} offset ${window.offset}`),
    db.query<{ total: number }>(sql`select count(*)::int as total ${from}`),
  ]);
  return { descriptors: rows, total: counted?.total ?? 0 };
}

// Whether an operator has stored the classes of this version. What the registry read itself can still be completed.
export async function isExtractedByOperator(tx: Queryable, versionId: VersionId): Promise<boolean> {
  const [row] = await tx.query<{ is_stored: boolean }>(sql`
    select coalesce(extracted_by = 'operator' and extract_status = 'success', false) as is_stored
    from node_versions where id = ${versionId} for update`);
  return row?.is_stored ?? false;
}

export async function setOperatorsExtraction(
  tx: Queryable,
  versionId: VersionId,
  { status, reason }: { readonly status: "success" | "failed"; readonly reason: string | null },
): Promise<void> {
  await tx.execute(sql`
    update node_versions set extract_status = ${status}, extract_reasons = ${reason === null ? [] : [reason]},
      extracted_by = 'operator', changed_at = now()
    where id = ${versionId}`);
}

// Puts failed extractions back in the queue, newest first; the registry reads them again.
export async function retryExtractions(db: Queryable, nodesMax: number): Promise<number> {
  return db.execute(sql`
    update node_versions set extract_status = 'pending', extract_reasons = '{}', extracted_by = null, reader = 0,
      changed_at = now()
    where id in (
      select latest_version_id from nodes join node_versions as version on version.id = nodes.latest_version_id
      where version.extract_status = 'failed' order by version.created_at desc limit ${nodesMax})`);
}
