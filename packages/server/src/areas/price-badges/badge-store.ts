// The stored badges. Every change begins with `advanceRevision`, which serialises writers and lets other processes notice.
import { fromRow, joinSql, type Queryable, type RowOf, type Statement, sql } from "../../foundation/database/index.ts";
import type { BadgeRow, BadgeRowId, Platform } from "./badge-row.ts";

export interface BadgeSnapshot {
  // Grows with every change; "0" if nothing was ever written.
  readonly revision: string;
  readonly rows: readonly BadgeRow[];
}

export interface BadgeFilter {
  readonly nodeId: string | null;
  readonly platform: Platform | null;
  readonly ended: boolean | null;
  // The last row of the previous page.
  readonly after: BadgeRowId | null;
  readonly count: number;
}

// The row lock is held until the transaction ends: no other writer can change what this one reads after this call.
export async function advanceRevision(db: Queryable): Promise<string> {
  const [row] = await db.query<{ revision: string }>(sql`
    insert into price_badge_revision (revision) values (1)
    on conflict (singleton) do update set revision = price_badge_revision.revision + 1
    returning revision`);
  return String(row?.revision);
}

export async function findRevision(db: Queryable): Promise<string> {
  const [row] = await db.query<{ revision: string }>(sql`select revision from price_badge_revision`);
  return String(row?.revision ?? "0");
}

// Rows and revision of one moment, in one statement, so that a map never has another map's revision. The join keeps the
// revision even if there is no row. For ended rows we read only that they exist: their nodes belong to the operator.
export async function findSnapshot(db: Queryable): Promise<BadgeSnapshot> {
  const found = await db.query<(StoredRow | { id: null }) & { revision: string }>(sql`
    select coalesce((select revision from price_badge_revision), 0) as revision, id, node_id, platforms, from_version,
      until_version, case when ended then '' else badge end as badge_text, ended, price_record, created_at, updated_at
    from (select) as always left join price_badge_rows on true`);
  return {
    revision: String(found[0]?.revision ?? "0"),
    rows: found.flatMap(({ revision: _revision, ...row }) => (row.id === null ? [] : [toBadgeRow(row)])),
  };
}

export async function findBadgeRow(db: Queryable, id: BadgeRowId): Promise<BadgeRow | null> {
  const [row] = await db.query<StoredRow>(sql`select ${columns} from price_badge_rows where id = ${id}`);
  return row ? toBadgeRow(row) : null;
}

export async function listLiveRows(db: Queryable, nodeId: string): Promise<readonly BadgeRow[]> {
  const rows = await db.query<StoredRow>(sql`
    select ${columns} from price_badge_rows
    where node_id = ${nodeId} and not ended order by from_version, id`);
  return rows.map(toBadgeRow);
}

// All rows, including ended ones.
export async function listRowsOfNodes(db: Queryable, nodeIds: readonly string[]): Promise<readonly BadgeRow[]> {
  const rows = await db.query<StoredRow>(sql`
    select ${columns} from price_badge_rows where node_id = any (${nodeIds}) order by node_id collate "C", id`);
  return rows.map(toBadgeRow);
}

export async function listBadgeRowsBy(db: Queryable, filter: BadgeFilter): Promise<readonly BadgeRow[]> {
  const conditions: Statement[] = [sql`true`];
  if (filter.nodeId !== null) conditions.push(sql`node_id = ${filter.nodeId}`);
  if (filter.platform !== null) conditions.push(sql`${filter.platform} = any (platforms)`);
  if (filter.ended !== null) conditions.push(sql`ended = ${filter.ended}`);
  if (filter.after !== null) {
    conditions.push(sql`(node_id collate "C", from_version, id) >
      (select node_id, from_version, id from price_badge_rows where id = ${filter.after})`);
  }
  const rows = await db.query<StoredRow>(sql`
    select ${columns} from price_badge_rows where ${joinSql(conditions, sql` and `)}
    order by node_id collate "C", from_version, id limit ${filter.count}`);
  return rows.map(toBadgeRow);
}

// The database also refuses a row whose range overlaps another's, for every writer.
export async function insertBadgeRow(db: Queryable, row: BadgeRow): Promise<void> {
  await db.execute(sql`
    insert into price_badge_rows (id, node_id, platforms, from_version, until_version, badge, ended, price_record,
      created_at, updated_at)
    values (${row.id}, ${row.nodeId}, ${row.platforms}, ${row.fromVersion}, ${row.untilVersion}, ${row.badgeText},
      ${row.ended}, ${row.priceRecord}, ${row.createdAt}, ${row.updatedAt})`);
}

export async function updateBadgeRow(db: Queryable, row: BadgeRow): Promise<void> {
  await db.execute(sql`
    update price_badge_rows set node_id = ${row.nodeId}, platforms = ${row.platforms},
      from_version = ${row.fromVersion}, until_version = ${row.untilVersion}, badge = ${row.badgeText},
      ended = ${row.ended}, price_record = ${row.priceRecord}, updated_at = ${row.updatedAt}
    where id = ${row.id}`);
}

export async function removeBadgeRow(db: Queryable, id: BadgeRowId): Promise<void> {
  await db.execute(sql`delete from price_badge_rows where id = ${id}`);
}

const columns = sql`id, node_id, platforms, from_version, until_version, badge as badge_text, ended, price_record,
  created_at, updated_at`;

type StoredRow = RowOf<BadgeRow>;

const toBadgeRow = fromRow<BadgeRow>;
