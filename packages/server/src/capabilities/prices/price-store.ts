import { fromRow, joinSql, type Queryable, type RowOf, type Statement, sql } from "../../foundation/database/index.ts";
import type { Id } from "../../foundation/ids.ts";
import { compileSchema } from "../../foundation/json/schema.ts";
import { type Price, priceOf } from "./price.ts";
import { PriceDefinition } from "./price-definition.ts";
import { parseSubject, type Subject } from "./subject.ts";

export type PriceRecordId = Id<"price-record">;

export interface PriceRecord {
  readonly id: PriceRecordId;
  readonly subject: Subject;
  readonly version: number;
  readonly price: Price;
  readonly createdAt: Date;
  // Who wrote it: an actor, or the definition file it came from.
  readonly createdBy: string;
}

export interface NewPrice {
  readonly id: PriceRecordId;
  readonly subject: Subject;
  readonly price: Pick<Price, "definition" | "creditsPerUsd">;
  readonly createdBy: string;
}

export interface PriceFilter {
  // Only subjects with this prefix, such as `model:` or `partner:partner-a/`.
  readonly prefix: string;
  // The last subject of the previous page.
  readonly after: Subject | null;
  readonly count: number;
}

// Writers wait for each other until their transactions end; readers are not blocked. A second lock could deadlock, so this
// one covers all subjects: prices change rarely.
export async function lockPrices(tx: Queryable): Promise<void> {
  await tx.execute(sql`lock table price_records in share row exclusive mode`);
}

// Adds the next version. Under lockPrices no other transaction can take its number.
export async function insertPrice(tx: Queryable, request: NewPrice): Promise<void> {
  await tx.execute(sql`
    insert into price_records (id, subject, version, price, created_by)
    select ${request.id}::uuid, ${request.subject}::text, coalesce(max(version), 0) + 1, ${storedText(request.price)}::jsonb,
      ${request.createdBy}::text
    from price_records where subject = ${request.subject}`);
}

// Whether the subject's current price is exactly this one. Compared as JSON, so the order of keys does not matter.
export async function isCurrentPrice(db: Queryable, request: Pick<NewPrice, "subject" | "price">): Promise<boolean> {
  const [row] = await db.query<{ same: boolean }>(sql`
    select price = ${storedText(request.price)}::jsonb as same from price_records
    where subject = ${request.subject} order by version desc limit 1`);
  return row?.same ?? false;
}

export async function findCurrentPrice(db: Queryable, subject: Subject): Promise<PriceRecord | null> {
  const [row] = await db.query<PriceRow>(sql`
    select ${columns} from price_records where subject = ${subject} order by version desc limit 1`);
  return row ? toRecord(row) : null;
}

export async function findPrice(db: Queryable, id: PriceRecordId): Promise<PriceRecord | null> {
  const [row] = await db.query<PriceRow>(sql`select ${columns} from price_records where id = ${id}`);
  return row ? toRecord(row) : null;
}

// The current price of every subject, in bytewise order.
export async function listCurrentPrices(db: Queryable, filter: PriceFilter): Promise<readonly PriceRecord[]> {
  const conditions: Statement[] = [sql`starts_with(subject, ${filter.prefix})`];
  if (filter.after !== null) conditions.push(sql`subject > ${filter.after}`);
  const rows = await db.query<PriceRow>(sql`
    select distinct on (subject) ${columns} from price_records where ${joinSql(conditions, sql` and `)}
    order by subject, version desc limit ${filter.count}`);
  return rows.map(toRecord);
}

// Newest first.
export async function listPriceHistory(
  db: Queryable,
  query: { subject: Subject; beforeVersion: number | null; count: number },
): Promise<readonly PriceRecord[]> {
  const before = query.beforeVersion === null ? sql`` : sql`and version < ${query.beforeVersion}`;
  const rows = await db.query<PriceRow>(sql`
    select ${columns} from price_records where subject = ${query.subject} ${before}
    order by version desc limit ${query.count}`);
  return rows.map(toRecord);
}

const columns = sql`id, subject, version, price, created_at, created_by`;

function storedText({ definition, creditsPerUsd }: NewPrice["price"]): string {
  return JSON.stringify({ definition, credits_per_usd: creditsPerUsd });
}

interface PriceRow extends Omit<RowOf<PriceRecord>, "subject" | "price"> {
  readonly subject: string;
  readonly price: { readonly definition: unknown; readonly credits_per_usd: number };
}

// A record that only a newer version can read must never be treated as free.
function toRecord(row: PriceRow): PriceRecord {
  const subject = parseSubject(row.subject);
  const { definition, credits_per_usd } = row.price;
  if (!subject || !compileSchema(PriceDefinition).accepts(definition)) {
    throw new Error(`This version cannot read price record ${row.id} of ${row.subject}.`);
  }
  return fromRow<PriceRecord>({ ...row, subject, price: priceOf(definition, credits_per_usd) });
}
