// Publishers and the people who act for them. The database builds the wire form; publisher-authority.ts and
// present-publisher.ts decide who sees which part of it.

import type { CreatePublisher, Publisher, UpdatePublisher } from "@atelier/contract";
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import type { PersonId, WorkspaceId } from "../../../foundation/ids.ts";
import { lockWorkspace } from "../../identity/shared-sql.ts";
import type { Reader } from "../readers/reader.ts";

export type PublisherVisibility = NonNullable<CreatePublisher["visibility"]>;

export interface StoredPublisher {
  readonly id: string;
  readonly workspaceId: WorkspaceId;
  readonly visibility: PublisherVisibility;
  readonly status: Publisher["status"];
  // Without members.
  readonly wire: Publisher;
}

// The format of timestamps in JSON: RFC 3339, UTC, milliseconds.
export const wireMoment = (column: ReturnType<typeof sql>) =>
  sql`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export const publisherWire = sql`json_strip_nulls(json_build_object(
  'id', publisher.id, 'name', publisher.name, 'description', publisher.description, 'logo', publisher.logo,
  'website', publisher.website, 'support', publisher.support, 'source_code_repo', publisher.source_code_repo,
  'createdAt', ${wireMoment(sql`publisher.created_at`)}, 'status', publisher.status))`;

const columns = sql`publisher.id, publisher.workspace_id, publisher.visibility, publisher.status,
  ${publisherWire} as wire`;

// What a reader may see: public publishers, those of their workspace, and those they are a member of.
function visiblePublishers(reader: Reader) {
  if (reader.isAdmin) return sql`true`;
  if (reader.workspaceId === null) return sql`publisher.visibility = 'public'`;
  return sql`(publisher.visibility = 'public' or publisher.workspace_id = ${reader.workspaceId}
    or exists (select from publisher_members as own
      where own.publisher_id = publisher.id and own.person_id = ${reader.personId}))`;
}

export async function findPublisher(db: Queryable, id: string, reader: Reader): Promise<StoredPublisher | null> {
  const [row] = await db.query<PublisherRow>(sql`
    select ${columns} from publishers as publisher
    where publisher.id = ${id} and publisher.deleted_at is null and ${visiblePublishers(reader)}`);
  return row === undefined ? null : toPublisher(row);
}

// Locks the publisher until the transaction ends.
export async function lockPublisher(db: Queryable, id: string): Promise<StoredPublisher | null> {
  const [row] = await db.query<PublisherRow>(sql`
    select ${columns} from publishers as publisher where publisher.id = ${id} and publisher.deleted_at is null
    for update`);
  return row === undefined ? null : toPublisher(row);
}

export async function listPublishers(db: Queryable, reader: Reader): Promise<StoredPublisher[]> {
  const rows = await db.query<PublisherRow>(sql`
    select ${columns} from publishers as publisher
    where publisher.deleted_at is null and ${visiblePublishers(reader)} order by publisher.id`);
  return rows.map(toPublisher);
}

// The publishers a caller acts for: a person for those they are a member of, a key for all of its workspace's.
export async function listOwnPublishers(db: Queryable, reader: Reader): Promise<StoredPublisher[]> {
  const rows = await db.query<PublisherRow>(sql`
    select ${columns} from publishers as publisher
    where publisher.deleted_at is null and (
      (${reader.personId}::uuid is null and publisher.workspace_id = ${reader.workspaceId})
      or exists (select from publisher_members as own
        where own.publisher_id = publisher.id and own.person_id = ${reader.personId}))
    order by publisher.id`);
  return rows.map(toPublisher);
}

// Deleted ones count too: their ids are never reused.
export async function isPublisherIdTaken(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query(sql`select id from publishers where id = ${id}`);
  return rows.length > 0;
}

// Counts under the workspace's row lock, so that two concurrent requests cannot both be the last that fits.
export async function countCreated(
  db: Queryable,
  by: { workspaceId: WorkspaceId; personId: PersonId | null },
): Promise<number> {
  await lockWorkspace(db, by.workspaceId);
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from publishers where deleted_at is null and (
      created_by = ${by.personId}
      or (${by.personId}::uuid is null and created_by is null and workspace_id = ${by.workspaceId}))`);
  return row?.count ?? 0;
}

export interface NewPublisher extends CreatePublisher {
  readonly workspaceId: WorkspaceId;
  readonly createdBy: PersonId | null;
  readonly now: Date;
}

// False if the id is taken.
export async function insertPublisher(db: Queryable, publisher: NewPublisher): Promise<boolean> {
  const { visibility = "public" } = publisher;
  const rows = await db.execute(sql`
    insert into publishers (id, workspace_id, name, description, logo, website, support, source_code_repo, status,
      visibility, created_by, created_at)
    values (${publisher.id}, ${publisher.workspaceId}, ${publisher.name}, ${publisher.description ?? null},
      ${publisher.logo ?? null}, ${publisher.website ?? null}, ${publisher.support ?? null},
      ${publisher.source_code_repo ?? null}, 'PublisherStatusActive', ${visibility}, ${publisher.createdBy},
      ${publisher.now})
    on conflict (id) do nothing`);
  return rows === 1;
}

// An empty text clears the field.
export async function updatePublisher(db: Queryable, id: string, change: UpdatePublisher): Promise<void> {
  await db.execute(sql`
    update publishers set name = coalesce(${change.name ?? null}, name),
      description = nullif(coalesce(${change.description ?? null}, description), ''),
      logo = nullif(coalesce(${change.logo ?? null}, logo), ''),
      website = nullif(coalesce(${change.website ?? null}, website), ''),
      support = nullif(coalesce(${change.support ?? null}, support), ''),
      source_code_repo = nullif(coalesce(${change.source_code_repo ?? null}, source_code_repo), ''),
      visibility = coalesce(${change.visibility ?? null}, visibility)
    where id = ${id}`);
}

export async function setPublisherStatus(db: Queryable, id: string, status: Publisher["status"]): Promise<void> {
  await db.execute(sql`update publishers set status = ${status} where id = ${id}`);
}

export async function markPublisherDeleted(db: Queryable, id: string, now: Date): Promise<void> {
  await db.execute(sql`update publishers set deleted_at = ${now} where id = ${id}`);
}

type PublisherRow = RowOf<StoredPublisher>;

const toPublisher = fromRow<StoredPublisher>;
