// Invariants of the database, as queries that return the rows that break them. The bytes on disk are checked by collect
// and scrub.
import { type Invariant, type Statement, sql } from "../../foundation/database/index.ts";

// Which holders hold which bytes, for the invariants of modules that hold some: only a single statement can see whether
// row and reference agree.
export const blobReferenceFacts: Statement = sql`(select hash, holder_kind, holder_id from blob_references)`;

export const blobInvariants: readonly Invariant[] = [
  {
    name: "I20 every reference is to a live blob whose bytes were committed",
    statement: sql`
      select reference.hash, reference.holder_kind, reference.holder_id from blob_references as reference
      left join blobs on blobs.hash = reference.hash and blobs.state = 'live' and blobs.kept_at is not null
      where blobs.hash is null`,
  },
  {
    name: "I20 no blob that is being deleted has a reference or a pin",
    statement: sql`
      select blobs.hash from blobs
      where blobs.state = 'deleting' and (
        exists (select from blob_references as reference where reference.hash = blobs.hash)
        or exists (select from blob_pins as pin where pin.hash = blobs.hash))`,
  },
  {
    // A day of grace, and a day for the collector to run.
    name: "I20 every live blob past its grace has a reference or a pin",
    statement: sql`
      select blobs.hash from blobs
      where blobs.state = 'live' and blobs.touched_at < now() - interval '48 hours'
        and not exists (select from blob_references as reference where reference.hash = blobs.hash)
        and not exists (select from blob_pins as pin where pin.hash = blobs.hash)`,
  },
];
