// How far the primary has written, and whether a standby has caught up. A WAL position is meaningful only on one timeline of
// one system: after a failover, or on another installation's standby, the same number means different data.
import type { Queryable } from "./queryable.ts";
import { sql } from "./sql.ts";

export interface WrittenUpTo {
  // Past every acknowledged commit: the flush position or, if commits do not wait for a flush, the write position. In the
  // second case the standby gets the rest only with the next flush, which may take a while.
  readonly lsn: string;
  readonly timeline: number;
  readonly system: string;
}

export async function findWritten(db: Queryable): Promise<WrittenUpTo | null> {
  const [row] = await db.query<WrittenUpTo>(sql`
    select lsn::text as lsn, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int as timeline,
           (select system_identifier::text from pg_control_system()) as system
    from (select case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
                 else pg_current_wal_flush_lsn() end as lsn) as reached`);
  return row ?? null;
}

export interface StandbyState {
  readonly isStandby: boolean;
  // Replayed, and therefore visible to every statement that starts from now on.
  readonly hasAll: boolean;
  readonly timeline: number;
  readonly system: string;
}

export async function findReplayed(db: Queryable, lsn: string): Promise<StandbyState | null> {
  const [row] = await db.query<StandbyState>(sql`
    select pg_is_in_recovery() as "isStandby", coalesce(pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn, false) as "hasAll",
           (select min_recovery_end_timeline from pg_control_recovery()) as timeline,
           (select system_identifier::text from pg_control_system()) as system`);
  return row ?? null;
}
