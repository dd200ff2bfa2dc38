// Begin, the common case: calls of one workspace, no two under one key, no key known, and all of them fit. Nothing has to be
// weighed call by call then, and a statement with a third of the plan does what the one in begin-store.ts does (measured:
// about 0.6 of its time in PostgreSQL). All or nothing: if a key is known or the wallet does not cover everything, nothing
// is written, and the answer lists the known keys. A key that appears in the meantime fails the insert and with it the whole
// statement.
import type { Queryable } from "../../../foundation/database/database.ts";
import { preparedPart, preparedSql } from "../../../foundation/database/sql.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { CallId, CallOpening, OwnerId } from "../call/call-opening.ts";

export interface FreshCalls {
  readonly workspaceId: WorkspaceId;
  // Every key to look up, including those of calls that may not begin.
  readonly keys: readonly string[];
  readonly openings: readonly CallOpening[];
  readonly ownerId: OwnerId;
}

export interface FreshAnswer {
  // The workspace's slots in use, including these calls. Null if none began.
  readonly inFlight: number | null;
  readonly known: readonly KnownKey[];
}

export interface KnownKey {
  readonly key: string;
  readonly callId: CallId;
  readonly fingerprint: Buffer;
  readonly answeredAt: Date | null;
  // Its 24 hours have passed, so the key may be taken again.
  readonly isOver: boolean;
}

const anyNumber = 2_147_483_647;

export async function beginFreshCalls(db: Queryable, calls: FreshCalls): Promise<FreshAnswer> {
  const [first] = calls.openings;
  // One opening, and no key but its own.
  if (first && calls.openings.length === 1 && calls.keys.length === (first.idempotencyKey === null ? 0 : 1))
    return oneAnswer(first, await beginOneCall(db, { opening: first, ownerId: calls.ownerId }));
  return beginSeveral(db, calls);
}

function oneAnswer({ idempotencyKey }: CallOpening, row: OneRow | null): FreshAnswer {
  if (row === null) return { inFlight: null, known: [] };
  if (row.in_flight !== null) return { inFlight: row.in_flight, known: [] };
  const { call_id: callId, fingerprint, answered_at: answeredAt, is_over: isOver } = row;
  return { inFlight: null, known: [{ key: idempotencyKey ?? "", callId, fingerprint, answeredAt, isOver }] };
}

async function beginSeveral(db: Queryable, calls: FreshCalls): Promise<FreshAnswer> {
  return toAnswer(await db.query<FreshRow>(beginSeveralStatement({ ...calls, sum: sumOf(calls.openings) })));
}

// The input of the statements: the calls, and what they take together.
export interface Fresh extends FreshCalls {
  readonly sum: OpeningSum;
}

// What already exists under their keys. Defines `known`.
export const knownKeys = preparedPart<Fresh>`
    known as materialized (
      select idempotency_key, call_id, named.fingerprint, named.finished_at as answered_at,
             coalesce(named.finished_at <= now() - interval '24 hours', false) as is_over
      from call_keys cross join lateral (
        select fingerprint, finished_at from calls where calls.id = call_keys.call_id limit 1
      ) named
      where workspace_id = ${({ workspaceId }) => workspaceId}::uuid and idempotency_key = any(${({ keys }) => keys}::text[])
    )`;

// The rows to write, if `begins` has a row.
export const openingCalls = preparedPart<Fresh>`
    opening as materialized (
      select n::int as n, id,
             (${({ openings }) => openings.map((opening) => opening.idempotencyKey)}::text[])[n::int] as idempotency_key,
             (${({ openings }) => openings.map((opening) => opening.fingerprint)}::bytea[])[n::int] as fingerprint
      from begins, unnest(${({ openings }) => openings.map((opening) => opening.id)}::uuid[]) with ordinality as given (id, n)
    ), taken as (
      insert into call_keys (workspace_id, idempotency_key, call_id)
      select ${({ workspaceId }) => workspaceId}::uuid, idempotency_key, id from opening where idempotency_key is not null
    ), opened as (
      insert into calls (id, workspace_id, subject, idempotency_key, fingerprint, owner_id, takes_slot, is_costly, hold,
                         price_record_id, priced_input, recovery, longest_run_seconds, api_key_id, request_id,
                         definition_version, context, adopted_at, tags, end_user)
      select id, ${({ workspaceId }) => workspaceId}::uuid, (${({ openings }) => openings.map((opening) => opening.subject)}::text[])[n],
             idempotency_key, fingerprint, ${({ ownerId }) => ownerId}::uuid,
             (${({ openings }) => openings.map((opening) => opening.takesSlot)}::boolean[])[n],
             (${({ openings }) => openings.map(isCostly)}::boolean[])[n],
             (${({ openings }) => openings.map((opening) => opening.hold)}::bigint[])[n],
             (${({ openings }) => openings.map((opening) => opening.priceRecordId)}::uuid[])[n],
             (${({ openings }) => openings.map((opening) => jsonOf(opening.pricedInput))}::jsonb[])[n],
             (${({ openings }) => openings.map((opening) => opening.recovery)}::text[])[n],
             (${({ openings }) => openings.map((opening) => opening.longestRunSeconds)}::int[])[n],
             (${({ openings }) => openings.map((opening) => opening.apiKeyId)}::uuid[])[n],
             (${({ openings }) => openings.map((opening) => opening.requestId)}::uuid[])[n],
             (${({ openings }) => openings.map((opening) => opening.definitionVersion)}::int[])[n],
             (${({ openings }) => openings.map((opening) => jsonOf(opening.context))}::jsonb[])[n],
             case when (${({ openings }) => openings.map((opening) => opening.isParked ?? false)}::boolean[])[n] then now() end,
             (${({ openings }) => openings.map(tagsText)}::jsonb[])[n],
             (${({ openings }) => openings.map((opening) => opening.labels?.endUser)}::text[])[n]
      from opening
    )`;

// Takes what the calls need from the wallet, if it covers all of them.
export const takingFromWallet = preparedPart<Fresh>`
      -- What is compared is what is changed, so that an older version of the row breaks no check of the table: where
      -- somebody else has changed it meanwhile, PostgreSQL compares and computes again.
      update wallets
      set available = available - ${({ sum }) => sum.hold}::bigint, held = held + ${({ sum }) => sum.hold}::bigint,
          in_flight = in_flight + ${({ sum }) => sum.slots}::int,
          costly_in_flight = costly_in_flight + ${({ sum }) => sum.costlySlots}::int
      where workspace_id = ${({ workspaceId }) => workspaceId}::uuid and ${({ openings }) => openings.length}::int > 0
        and available >= ${({ sum }) => sum.hold}::bigint
        and in_flight <= ${({ sum }) => sum.slotsMax - sum.slots}::int
        and costly_in_flight <= ${({ sum }) => sum.costlySlotsMax - sum.costlySlots}::int
        and not exists (select from known)`;

const beginSeveralStatement = preparedSql<Fresh>`
    with ${knownKeys}, begins as (${takingFromWallet} returning in_flight), ${openingCalls}
    select in_flight, null::text as idempotency_key, null::uuid as call_id, null::bytea as fingerprint,
           null::timestamptz as answered_at, null::boolean as is_over
    from begins
    union all
    select null, idempotency_key, call_id, fingerprint, answered_at, is_over from known`;

// The tightest limits of all calls. If the sum stays within them, each call fits after the ones before it.
export interface OpeningSum {
  readonly hold: bigint;
  readonly slots: number;
  readonly costlySlots: number;
  readonly slotsMax: number;
  readonly costlySlotsMax: number;
}

export function sumOf(openings: readonly CallOpening[]): OpeningSum {
  const sum = { hold: 0n, slots: 0, costlySlots: 0, slotsMax: anyNumber, costlySlotsMax: anyNumber };
  for (const opening of openings) {
    sum.hold += opening.hold;
    if (!opening.takesSlot) continue;
    sum.slots += 1;
    sum.slotsMax = Math.min(sum.slotsMax, opening.slotsMax);
    if (!opening.isCostly) continue;
    sum.costlySlots += 1;
    sum.costlySlotsMax = Math.min(sum.costlySlotsMax, opening.costlySlotsMax);
  }
  return sum;
}

export type FreshRow =
  | { readonly in_flight: number }
  | {
      readonly in_flight: null;
      readonly idempotency_key: string;
      readonly call_id: CallId;
      readonly fingerprint: Buffer;
      readonly answered_at: Date | null;
      readonly is_over: boolean;
    };

export function toAnswer(rows: readonly FreshRow[]): FreshAnswer {
  const known: KnownKey[] = [];
  let inFlight: number | null = null;
  for (const row of rows) {
    if (row.in_flight !== null) inFlight = row.in_flight;
    else
      known.push({
        key: row.idempotency_key,
        callId: row.call_id,
        fingerprint: row.fingerprint,
        answeredAt: row.answered_at,
        isOver: row.is_over,
      });
  }
  return { inFlight, known };
}

// A single call, the usual case under light load. Without arrays to unpack PostgreSQL needs two thirds of the time.
interface OneOpening {
  readonly opening: CallOpening;
  readonly ownerId: OwnerId;
}

// Either the row its key collided with, or the workspace's slots in use including this call. No row if nothing was written
// for any other reason.
type OneRow =
  | { readonly in_flight: number }
  | {
      readonly in_flight: null;
      readonly call_id: CallId;
      readonly fingerprint: Buffer;
      readonly answered_at: Date | null;
      readonly is_over: boolean;
    };

async function beginOneCall(db: Queryable, one: OneOpening): Promise<OneRow | null> {
  const [row] = await db.query<OneRow>(beginOne(one));
  return row ?? null;
}

const beginOne = preparedSql<OneOpening>`
    with known as materialized (
      select call_id, named.fingerprint, named.finished_at as answered_at,
             coalesce(named.finished_at <= now() - interval '24 hours', false) as is_over
      from call_keys cross join lateral (
        select fingerprint, finished_at from calls where calls.id = call_keys.call_id limit 1
      ) named
      where workspace_id = ${({ opening }) => opening.workspaceId}::uuid
        and idempotency_key = ${({ opening }) => opening.idempotencyKey}::text
    ), paid as (
      -- What is compared is what is changed: where somebody else has changed the row meanwhile, PostgreSQL compares and
      -- computes again.
      update wallets
      set available = available - ${({ opening }) => opening.hold}::bigint, held = held + ${({ opening }) => opening.hold}::bigint,
          in_flight = in_flight + ${({ opening }) => (opening.takesSlot ? 1 : 0)}::int,
          costly_in_flight = costly_in_flight + ${({ opening }) => (isCostly(opening) ? 1 : 0)}::int
      where workspace_id = ${({ opening }) => opening.workspaceId}::uuid
        and available >= ${({ opening }) => opening.hold}::bigint
        and in_flight < ${({ opening }) => (opening.takesSlot ? opening.slotsMax : anyNumber)}::int
        and costly_in_flight < ${({ opening }) => (isCostly(opening) ? opening.costlySlotsMax : anyNumber)}::int
        and not exists (select from known)
      returning in_flight
    ), taken as (
      insert into call_keys (workspace_id, idempotency_key, call_id)
      select ${({ opening }) => opening.workspaceId}::uuid, ${({ opening }) => opening.idempotencyKey}::text,
             ${({ opening }) => opening.id}::uuid
      from paid where ${({ opening }) => opening.idempotencyKey}::text is not null
    ), opened as (
      insert into calls (id, workspace_id, subject, idempotency_key, fingerprint, owner_id, takes_slot, is_costly, hold,
                         price_record_id, priced_input, recovery, longest_run_seconds, api_key_id, request_id,
                         definition_version, context, adopted_at, tags, end_user)
      select ${({ opening }) => opening.id}::uuid, ${({ opening }) => opening.workspaceId}::uuid,
             ${({ opening }) => opening.subject}::text, ${({ opening }) => opening.idempotencyKey}::text,
             ${({ opening }) => opening.fingerprint}::bytea, ${({ ownerId }) => ownerId}::uuid,
             ${({ opening }) => opening.takesSlot}::boolean, ${({ opening }) => isCostly(opening)}::boolean,
             ${({ opening }) => opening.hold}::bigint, ${({ opening }) => opening.priceRecordId}::uuid,
             ${({ opening }) => jsonOf(opening.pricedInput)}::jsonb, ${({ opening }) => opening.recovery}::text,
             ${({ opening }) => opening.longestRunSeconds}::int, ${({ opening }) => opening.apiKeyId}::uuid,
             ${({ opening }) => opening.requestId}::uuid, ${({ opening }) => opening.definitionVersion}::int,
             ${({ opening }) => jsonOf(opening.context)}::jsonb,
             case when ${({ opening }) => opening.isParked ?? false}::boolean then now() end,
             ${({ opening }) => tagsText(opening)}::jsonb, ${({ opening }) => opening.labels?.endUser}::text
      from paid
    )
    select in_flight, null::uuid as call_id, null::bytea as fingerprint, null::timestamptz as answered_at,
           null::boolean as is_over
    from paid
    union all
    select null, call_id, fingerprint, answered_at, is_over from known`;

function isCostly({ takesSlot, isCostly: isOfCostly }: CallOpening): boolean {
  return takesSlot && isOfCostly;
}

export function tagsText({ labels }: CallOpening): string | null {
  return labels?.tags ? JSON.stringify(labels.tags) : null;
}

function jsonOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
