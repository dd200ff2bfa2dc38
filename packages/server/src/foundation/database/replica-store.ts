// How far the server that writes has written, and whether a standby has all of that. A number of bytes means something on one
// timeline of one system only: after a failover, or at another installation's standby, the same number is other data.
import type { Queryable } from "./queryable.ts";
import { sql } from "./sql.ts";

export interface WrittenUpTo {
  // Behind every commit that was acknowledged: what is flushed, or where commits do not wait for that, what is written at all. The
  // latter leaves for the standby only with the next flush, which may take a while.
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
  // Replayed, and so seen by every statement that begins from now on.
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
