// Begin, a call that travels alone: what begin-fresh-store.ts does, for one. Without lists to take apart PostgreSQL needs two
// thirds of the time, and where little happens at once this is the call that somebody waits for.
import type { Queryable } from "../../../foundation/database/database.ts";
import { preparedSql } from "../../../foundation/database/sql.ts";
import type { CallId, CallOpening, OwnerId } from "../call/call-opening.ts";

export interface OneOpening {
  readonly opening: CallOpening;
  readonly ownerId: OwnerId;
}

// What stands in its way under its key; or the workspace's slots in use with it; or neither, and nothing was written.
export type OneRow =
  | { readonly in_flight: number }
  | {
      readonly in_flight: null;
      readonly call_id: CallId;
      readonly fingerprint: Buffer;
      readonly answered_at: Date | null;
      readonly is_over: boolean;
    };

export async function beginOneCall(db: Queryable, one: OneOpening): Promise<OneRow | null> {
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
                         definition_version, context, adopted_at)
      select ${({ opening }) => opening.id}::uuid, ${({ opening }) => opening.workspaceId}::uuid,
             ${({ opening }) => opening.subject}::text, ${({ opening }) => opening.idempotencyKey}::text,
             ${({ opening }) => opening.fingerprint}::bytea, ${({ ownerId }) => ownerId}::uuid,
             ${({ opening }) => opening.takesSlot}::boolean, ${({ opening }) => isCostly(opening)}::boolean,
             ${({ opening }) => opening.hold}::bigint, ${({ opening }) => opening.priceRecordId}::uuid,
             ${({ opening }) => jsonOf(opening.pricedInput)}::jsonb, ${({ opening }) => opening.recovery}::text,
             ${({ opening }) => opening.longestRunSeconds}::int, ${({ opening }) => opening.apiKeyId}::uuid,
             ${({ opening }) => opening.requestId}::uuid, ${({ opening }) => opening.definitionVersion}::int,
             ${({ opening }) => jsonOf(opening.context)}::jsonb,
             case when ${({ opening }) => opening.isParked ?? false}::boolean then now() end
      from paid
    )
    select in_flight, null::uuid as call_id, null::bytea as fingerprint, null::timestamptz as answered_at,
           null::boolean as is_over
    from paid
    union all
    select null, call_id, fingerprint, answered_at, is_over from known`;

const anyNumber = 2_147_483_647;

function isCostly({ takesSlot, isCostly: isOfCostly }: CallOpening): boolean {
  return takesSlot && isOfCostly;
}

export function jsonOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
