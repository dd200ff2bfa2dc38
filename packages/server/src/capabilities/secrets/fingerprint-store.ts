import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { KeyMark } from "./fingerprint.ts";

// Serializes announcements: if two servers with different rings start together on an empty database, one is first and the
// other one differs. Held until the transaction ends.
export async function lockFingerprints(tx: Queryable): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('atelier secrets_fingerprints'))`);
}

export async function listFingerprints(db: Queryable): Promise<KeyMark[]> {
  const rows = await db.query<RowOf<KeyMark>>(sql`
    select key_id as id, purpose, encode(fingerprint, 'hex') as mark, sign_from, verify_until
    from secrets_fingerprints order by key_id`);
  return rows.map(fromRow<KeyMark>);
}

// Once announced, an end is never postponed.
export async function announceFingerprint(db: Queryable, key: KeyMark): Promise<void> {
  await db.execute(sql`
    insert into secrets_fingerprints as known (key_id, purpose, fingerprint, sign_from, verify_until)
    values (${key.id}, ${key.purpose}, decode(${key.mark}, 'hex'), ${key.signFrom}, ${key.verifyUntil})
    on conflict (key_id) do update set verify_until = least(known.verify_until, excluded.verify_until)`);
}

// Keys that ended long ago are no longer compared, so their rows can go.
export async function forgetEndedFingerprints(db: Queryable): Promise<number> {
  return db.execute(sql`delete from secrets_fingerprints where verify_until < now() - interval '30 days'`);
}

export async function forgetAllFingerprints(db: Queryable): Promise<number> {
  return db.execute(sql`delete from secrets_fingerprints`);
}
