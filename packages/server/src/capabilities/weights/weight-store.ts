// Weights in the database: hundreds of rows, written by operators and by the work that brings their bytes.
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { Weight, WeightId } from "./weight.ts";

type Numbers = "bytes" | "bytesReceived";
type WeightRow = RowOf<Omit<Weight, Numbers>> & { readonly bytes: string; readonly bytes_received: string };

const columns = sql`id, path, blake3, bytes, sha256, state, bytes_received, problem, url, parts, licence, note,
  created_at, last_used_at`;

export async function insertWeight(db: Queryable, made: Weight): Promise<boolean> {
  const rows = await db.query(sql`
    insert into weights (id, path, blake3, bytes, state, url, parts, licence, note, created_at)
    values (${made.id}, ${made.path}, ${made.blake3}, ${made.bytes}, ${made.state}, ${made.url}, ${made.parts},
      ${made.licence}, ${made.note}, ${made.createdAt})
    on conflict (path, blake3) do nothing returning id`);
  return rows.length > 0;
}

// By path; `after` is the last one of the page before.
export async function findWeights(
  db: Queryable,
  page: { readonly after: readonly [path: string, id: string] | null; readonly count: number },
): Promise<Weight[]> {
  const [path, id] = page.after ?? ["", "00000000-0000-0000-0000-000000000000"];
  const rows = await db.query<WeightRow>(sql`
    select ${columns} from weights where (path, id) > (${path}, ${id}::uuid) order by path, id limit ${page.count}`);
  return rows.map(toWeight);
}

export async function findWeight(db: Queryable, id: WeightId): Promise<Weight | null> {
  const [row] = await db.query<WeightRow>(sql`select ${columns} from weights where id = ${id}`);
  return row === undefined ? null : toWeight(row);
}

// Keeps two writers of the same weight apart.
export async function lockWeightAt(tx: Queryable, path: string, blake3: string): Promise<Weight | null> {
  const [row] = await tx.query<WeightRow>(sql`
    select ${columns} from weights where path = ${path} and blake3 = ${blake3} for update`);
  return row === undefined ? null : toWeight(row);
}

export async function restartWeight(
  tx: Queryable,
  made: Pick<Weight, "id" | "url" | "parts" | "bytes">,
): Promise<void> {
  await tx.execute(sql`
    update weights set state = 'arriving', problem = null, bytes_received = 0, claimed_until = null,
      url = ${made.url}, parts = ${made.parts}, bytes = ${made.bytes}
    where id = ${made.id}`);
}

export async function changeNotes(
  tx: Queryable,
  { id, licence, note }: Pick<Weight, "id" | "licence" | "note">,
): Promise<void> {
  await tx.execute(sql`update weights set licence = ${licence}, note = ${note} where id = ${id}`);
}

export async function removeWeight(tx: Queryable, id: WeightId): Promise<Weight | null> {
  const [row] = await tx.query<WeightRow>(sql`delete from weights where id = ${id} returning ${columns}`);
  return row === undefined ? null : toWeight(row);
}

// The one that has waited longest and that no process is fetching.
export async function claimArriving(db: Queryable, now: Date, until: Date): Promise<Weight | null> {
  const [row] = await db.query<WeightRow>(sql`
    update weights set claimed_until = ${until}
    where id = (
      select id from weights where state = 'arriving' and (claimed_until is null or claimed_until < ${now})
      order by created_at limit 1 for update skip locked)
    returning ${columns}`);
  return row === undefined ? null : toWeight(row);
}

export async function noteReceived(db: Queryable, id: WeightId, bytes: number, until: Date): Promise<void> {
  await db.execute(sql`
    update weights set bytes_received = ${bytes}, claimed_until = ${until} where id = ${id} and state = 'arriving'`);
}

export interface ReadWeight {
  readonly sha256: string;
  readonly pieces: Buffer;
}

// False if it was removed meanwhile.
export async function markReady(tx: Queryable, id: WeightId, { sha256, pieces }: ReadWeight): Promise<boolean> {
  const rows = await tx.query(sql`
    update weights set state = 'ready', sha256 = ${sha256}, pieces = ${pieces}, bytes_received = bytes, parts = '{}',
      problem = null, claimed_until = null
    where id = ${id} and state = 'arriving' returning id`);
  return rows.length > 0;
}

export async function markFailed(tx: Queryable, id: WeightId, problem: string): Promise<void> {
  await tx.execute(sql`
    update weights set state = 'failed', problem = ${problem}, parts = '{}', claimed_until = null
    where id = ${id} and state = 'arriving'`);
}

export interface WeightPiecesRecord extends ReadWeight {
  readonly bytes: number;
}

export async function findPieces(db: Queryable, blake3: string): Promise<WeightPiecesRecord | null> {
  const [row] = await db.query<{ sha256: string; pieces: Buffer; bytes: string }>(sql`
    select sha256, pieces, bytes from weights where blake3 = ${blake3} and state = 'ready' limit 1`);
  return row === undefined ? null : { ...row, bytes: Number(row.bytes) };
}

// Null if there is none, or its bytes are not here.
export async function findReadyBytes(db: Queryable, blake3: string): Promise<number | null> {
  const [row] = await db.query<{ bytes: string }>(sql`
    select bytes from weights where blake3 = ${blake3} and state = 'ready' limit 1`);
  return row === undefined ? null : Number(row.bytes);
}

// Names as applications list them: the path below the kind's folder.
export async function noteUsed(db: Queryable, names: readonly string[], now: Date): Promise<void> {
  await db.execute(sql`
    update weights set last_used_at = ${now} where substr(path, strpos(path, '/') + 1) = any(${names}::text[])`);
}

function toWeight({ bytes, bytes_received, ...row }: WeightRow): Weight {
  return { ...fromRow<Omit<Weight, Numbers>>(row), bytes: Number(bytes), bytesReceived: Number(bytes_received) };
}
