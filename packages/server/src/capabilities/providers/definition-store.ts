// Stored definitions and release states. Writers are serialized by `lockDefinitions` and do not block readers. Every
// change by an operator advances the revision, which tells other processes about it.
import type { Queryable } from "../../foundation/database/index.ts";
import { fromRow, type RowOf, sql } from "../../foundation/database/index.ts";
import type { StoredMarks } from "./model-marks.ts";

export interface StoredDefinition {
  readonly provider: string;
  readonly version: number;
  // As written; validated again by checkDefinition. Null if removed.
  readonly definition: unknown;
  readonly digest: string;
  readonly createdAt: Date;
  readonly createdBy: string;
}

export interface ProviderSnapshot {
  readonly revision: string;
  // The newest version of each provider that an operator wrote and did not remove.
  readonly definitions: readonly StoredDefinition[];
  readonly releases: ReadonlyMap<string, boolean>;
  readonly marks: ReadonlyMap<string, StoredMarks>;
}

export async function lockDefinitions(tx: Queryable): Promise<void> {
  await tx.execute(sql`lock table provider_definitions in share row exclusive mode`);
}

export async function advanceProviderRevision(tx: Queryable): Promise<void> {
  await tx.execute(sql`
    insert into provider_revision (revision) values (1)
    on conflict (singleton) do update set revision = provider_revision.revision + 1`);
}

export async function findProviderRevision(db: Queryable): Promise<string> {
  const [row] = await db.query<{ revision: string }>(sql`select revision from provider_revision`);
  return String(row?.revision ?? "0");
}

// Reads the revision first, so rows newer than it are read again next time and never missed.
export async function findProviderSnapshot(db: Queryable): Promise<ProviderSnapshot> {
  const revision = await findProviderRevision(db);
  const rows = await db.query<StoredRow>(sql`
    select distinct on (provider) ${columns} from provider_definitions where source = 'admin'
    order by provider, version desc`);
  const releases = await db.query<{ model_id: string; released: boolean }>(
    sql`select model_id, released from model_releases`,
  );
  const marks = await db.query<RowOf<StoredMarks & { readonly modelId: string }>>(
    sql`select model_id, deprecated_at, sunset_at, verified_at, verified_digest from model_marks`,
  );
  return {
    revision,
    definitions: rows.filter((row) => row.definition !== null).map(toStored),
    releases: new Map(releases.map((row) => [row.model_id, row.released])),
    marks: new Map(marks.map((row) => [row.model_id, toMarks(row)])),
  };
}

// What an operator wrote last, including a removal.
export async function findStoredDefinition(db: Queryable, provider: string): Promise<StoredDefinition | null> {
  const [row] = await db.query<StoredRow>(sql`
    select ${columns} from provider_definitions where provider = ${provider} and source = 'admin'
    order by version desc limit 1`);
  return row ? toStored(row) : null;
}

export async function findDefinitionVersion(
  db: Queryable,
  provider: string,
  version: number,
): Promise<StoredDefinition | null> {
  const [row] = await db.query<StoredRow>(sql`
    select ${columns} from provider_definitions where provider = ${provider} and version = ${version}`);
  return row ? toStored(row) : null;
}

export async function findFileVersion(db: Queryable, provider: string, digest: string): Promise<number | null> {
  const [row] = await db.query<{ version: number }>(sql`
    select version from provider_definitions
    where provider = ${provider} and source = 'file' and digest = ${digest} order by version desc limit 1`);
  return row?.version ?? null;
}

export interface NewVersion {
  readonly provider: string;
  readonly source: "admin" | "file";
  // JSON text. Null removes it.
  readonly text: string | null;
  readonly digest: string;
  readonly createdBy: string;
}

// Safe under lockDefinitions: no other transaction can take the number.
export async function insertDefinition(tx: Queryable, request: NewVersion): Promise<StoredDefinition> {
  const [row] = await tx.query<StoredRow>(sql`
    insert into provider_definitions (provider, version, source, definition, digest, created_by)
    select ${request.provider}::text, coalesce(max(version), 0) + 1, ${request.source}::text, ${request.text}::json,
      ${request.digest}::text, ${request.createdBy}::text
    from provider_definitions where provider = ${request.provider}
    returning ${columns}`);
  if (!row) throw new Error(`The definition of ${request.provider} was written but could not be found afterwards.`);
  return toStored(row);
}

// Returns the previous state. Null if there was none.
export async function replaceRelease(
  tx: Queryable,
  modelId: string,
  released: boolean | null,
): Promise<boolean | null> {
  const [before] = await tx.query<{ released: boolean }>(
    sql`select released from model_releases where model_id = ${modelId} for update`,
  );
  if (released === null) await tx.execute(sql`delete from model_releases where model_id = ${modelId}`);
  else
    await tx.execute(sql`
      insert into model_releases (model_id, released) values (${modelId}, ${released})
      on conflict (model_id) do update set released = excluded.released, updated_at = now()`);
  return before?.released ?? null;
}

export async function replaceRetirement(
  tx: Queryable,
  modelId: string,
  { deprecatedAt, sunsetAt }: Pick<StoredMarks, "deprecatedAt" | "sunsetAt">,
): Promise<void> {
  await tx.execute(sql`
    insert into model_marks (model_id, deprecated_at, sunset_at) values (${modelId}, ${deprecatedAt}, ${sunsetAt})
    on conflict (model_id) do update set deprecated_at = excluded.deprecated_at, sunset_at = excluded.sunset_at`);
}

export async function recordVerification(
  tx: Queryable,
  modelId: string,
  { verifiedAt, digest }: { readonly verifiedAt: Date; readonly digest: string },
): Promise<void> {
  await tx.execute(sql`
    insert into model_marks (model_id, verified_at, verified_digest) values (${modelId}, ${verifiedAt}, ${digest})
    on conflict (model_id) do update set verified_at = excluded.verified_at, verified_digest = excluded.verified_digest`);
}

const toMarks = fromRow<StoredMarks>;

const columns = sql`provider, version, definition, digest, created_at, created_by`;

type StoredRow = RowOf<StoredDefinition>;

const toStored = fromRow<StoredDefinition>;
