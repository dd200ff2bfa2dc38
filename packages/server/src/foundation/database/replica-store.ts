// How far the server that writes has written, and whether a standby has all of that. A number of bytes means something on one
// timeline of one system only: after a failover, or at another installation's standby, the same number is other data.
import type { Queryable } from "./queryable.ts";
import { sql } from "./sql.ts";

export interface WrittenUpTo {
  // Not what was flushed but what was begun to be written: it is behind every commit that anyone was told of.
  readonly lsn: string;
  readonly timeline: number;
  readonly system: string;
}

export async function findWritten(db: Queryable): Promise<WrittenUpTo | null> {
  const [row] = await db.query<WrittenUpTo>(sql`
    select lsn::text as lsn, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int as timeline,
           (select system_identifier::text from pg_control_system()) as system
    from pg_current_wal_insert_lsn() as lsn`);
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
