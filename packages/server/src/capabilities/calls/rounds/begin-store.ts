// Begin: one statement for a batch of calls. It gives each a verdict in the decided precedence (replay, join, mismatch,
// invalid, no slot, no credit, begun) and writes key, hold, slot and intent together, only for calls that begin. The journal
// gets no line until the call ends: the open call explains what is held for it.
// Exact under any concurrency: the wallets of the batch are locked in id order first, and each workspace's credit is spent
// in batch order. An item that would have fitted had an earlier one not been in its way gets `again` and goes into the next
// batch, so no row of a batch can fail another.
import type { Queryable } from "../../../foundation/database/database.ts";
import { preparedSql, type Statement, sql } from "../../../foundation/database/sql.ts";
import type { CallId, CallOpening, OpenCall, OwnerId } from "../call/call-opening.ts";
import { tagsText } from "./begin-fresh-store.ts";
import type { BeginVerdict, SlotBounds } from "./begin-verdict.ts";

export async function beginCalls(
  db: Queryable,
  openings: readonly CallOpening[],
  ownerId: OwnerId,
): Promise<BeginVerdict[]> {
  return (await db.query<BeginRow>(beginStatement({ openings, ownerId }))).map(toVerdict);
}

interface Beginning {
  readonly openings: readonly CallOpening[];
  readonly ownerId: OwnerId;
}

// Each value has its own map: a map shared by all of them cost 5 microseconds a call (measured).
const beginStatement = preparedSql<Beginning>`
    with item as (
      select * from unnest(
        ${({ openings }) => openings.map((_, index) => index)}::int[],
        ${({ openings }) => openings.map((opening) => opening.id)}::uuid[],
        ${({ openings }) => openings.map((opening) => opening.workspaceId)}::uuid[],
        ${({ openings }) => openings.map((opening) => opening.subject)}::text[],
        ${({ openings }) => openings.map((opening) => opening.idempotencyKey)}::text[],
        ${({ openings }) => openings.map((opening) => opening.fingerprint)}::bytea[],
        ${({ openings }) => openings.map((opening) => opening.isValid)}::boolean[],
        ${({ openings }) => openings.map((opening) => String(opening.hold))}::bigint[],
        ${({ openings }) => openings.map((opening) => opening.priceRecordId)}::uuid[],
        ${({ openings }) => openings.map((opening) => (opening.pricedInput === undefined || opening.pricedInput === null ? null : JSON.stringify(opening.pricedInput)))}::jsonb[],
        ${({ openings }) => openings.map((opening) => opening.takesSlot)}::boolean[],
        ${({ openings }) => openings.map((opening) => opening.isCostly)}::boolean[],
        ${({ openings }) => openings.map((opening) => opening.slotsMax)}::int[],
        ${({ openings }) => openings.map((opening) => opening.costlySlotsMax)}::int[],
        ${({ openings }) => openings.map((opening) => opening.recovery)}::text[],
        ${({ openings }) => openings.map((opening) => opening.longestRunSeconds)}::int[],
        ${({ openings }) => openings.map((opening) => opening.apiKeyId ?? null)}::uuid[],
        ${({ openings }) => openings.map((opening) => opening.requestId ?? null)}::uuid[],
        ${({ openings }) => openings.map((opening) => opening.definitionVersion ?? null)}::int[],
        ${({ openings }) => openings.map((opening) => (opening.context === undefined || opening.context === null ? null : JSON.stringify(opening.context)))}::jsonb[],
        ${({ openings }) => openings.map((opening) => opening.isParked ?? false)}::boolean[],
        ${({ openings }) => openings.map((opening) => tagsText(opening))}::jsonb[],
        ${({ openings }) => openings.map((opening) => opening.labels?.endUser)}::text[]
      ) as given (n, id, workspace_id, subject, idempotency_key, fingerprint, is_valid, hold, price_record_id, priced_input,
                  takes_slot, is_costly, slots_max, costly_slots_max, recovery, longest_run_seconds,
                  api_key_id, request_id, definition_version, context, is_parked, tags, end_user)
    ), wallet as materialized (
      select w.workspace_id, w.available, w.held, w.in_flight, w.costly_in_flight
      from wallets w
      where w.workspace_id in (select item.workspace_id from item)
      order by w.workspace_id
      for update
    ), looked as (
      select item.*, k.call_id as known_call_id, k.fingerprint as known_fingerprint, k.answered_at,
             k.call_id is not null and (k.answered_at is null or k.answered_at > now() - interval '24 hours') as is_known,
             item.idempotency_key is not null
               and row_number() over (partition by item.workspace_id, item.idempotency_key order by item.n) > 1 as is_twin
      from item left join lateral (
        -- The limit keeps this a look-up per item: a plan made while the table was small must not scan it when it is large.
        select call_keys.call_id, named.fingerprint, named.finished_at as answered_at
        from call_keys cross join lateral (
          select fingerprint, finished_at from calls where calls.id = call_keys.call_id limit 1
        ) named
        where call_keys.workspace_id = item.workspace_id and call_keys.idempotency_key = item.idempotency_key limit 1
      ) k on true
    ), candidate as (
      select looked.*, wallet.available, wallet.in_flight, wallet.costly_in_flight,
             sum(hold) over so_far as hold_sum,
             count(*) filter (where takes_slot) over so_far as slot_sum,
             count(*) filter (where takes_slot and is_costly) over so_far as costly_sum
      from looked join wallet using (workspace_id)
      where not is_known and is_valid and not is_twin
      window so_far as (partition by looked.workspace_id order by n rows unbounded preceding)
    ), judged as (
      select *, bool_and(
          hold_sum <= available
          and (not takes_slot or slot_sum <= slots_max - in_flight)
          and (not takes_slot or not is_costly or costly_sum <= costly_slots_max - costly_in_flight)
        ) over (partition by workspace_id order by n rows unbounded preceding) as fits
      from candidate
    ), taken as (
      insert into call_keys (workspace_id, idempotency_key, call_id)
      select workspace_id, idempotency_key, id from judged where fits and idempotency_key is not null
      on conflict (workspace_id, idempotency_key) do update set call_id = excluded.call_id
        -- A call that began after this statement's snapshot is not seen, and so keeps its key.
        where (select finished_at from calls where calls.id = call_keys.call_id) <= now() - interval '24 hours'
      returning call_id
    ), begun as (
      select * from judged where fits and (idempotency_key is null or id in (select call_id from taken))
    ), spent as (
      select workspace_id, sum(hold) as hold, count(*) filter (where takes_slot) as slots,
             count(*) filter (where takes_slot and is_costly) as costly_slots
      from begun group by workspace_id
    ), paid as (
      -- By the locked row's values, not by those of this statement's snapshot: an older version could break a check of
      -- the table before PostgreSQL notices that it is old.
      update wallets w
      set available = wallet.available - spent.hold, held = wallet.held + spent.hold,
          in_flight = wallet.in_flight + spent.slots, costly_in_flight = wallet.costly_in_flight + spent.costly_slots
      from spent join wallet using (workspace_id) where w.workspace_id = spent.workspace_id
    ), opened as (
      insert into calls (id, workspace_id, subject, idempotency_key, fingerprint, owner_id, takes_slot, is_costly, hold,
                         price_record_id, priced_input, recovery, longest_run_seconds, api_key_id, request_id,
                         definition_version, context, adopted_at, tags, end_user)
      select id, workspace_id, subject, idempotency_key, fingerprint, ${({ ownerId }) => ownerId}::uuid, takes_slot, takes_slot and is_costly,
             hold, price_record_id, priced_input, recovery, longest_run_seconds, api_key_id, request_id, definition_version,
             context, case when is_parked then now() end, tags, end_user
      from begun
    )
    select looked.n,
      case
        when wallet.workspace_id is null then 'no_wallet'
        -- Empty: a call that moved here, which does not say what its request was.
        when looked.is_known and looked.known_fingerprint <> looked.fingerprint and looked.known_fingerprint <> ''
          then 'mismatch'
        when looked.is_known and looked.answered_at is not null then 'replay'
        when looked.is_known then 'join'
        when looked.is_twin then 'again'
        when not looked.is_valid then 'invalid'
        when begun.id is not null then 'begun'
        when judged.fits then 'again'
        when looked.takes_slot and wallet.in_flight + coalesce(spent.slots, 0) >= looked.slots_max then 'no_slot'
        when looked.takes_slot and looked.is_costly
             and wallet.costly_in_flight + coalesce(spent.costly_slots, 0) >= looked.costly_slots_max then 'no_slot'
        when looked.hold > wallet.available - coalesce(spent.hold, 0) then 'no_credit'
        else 'again'
      end as verdict,
      looked.known_call_id, looked.answered_at,
      wallet.available - coalesce(spent.hold, 0) as available,
      case when begun.id is not null then wallet.in_flight + judged.slot_sum
           else wallet.in_flight + coalesce(spent.slots, 0) end as in_flight
    from looked
      left join wallet using (workspace_id)
      left join judged on judged.n = looked.n
      left join begun on begun.n = looked.n
      left join spent on spent.workspace_id = looked.workspace_id
    order by looked.n`;

// Wallets are created when first needed.
export async function ensureWallets(db: Queryable, workspaceIds: readonly string[]): Promise<void> {
  await db.execute(sql`
    insert into wallets (workspace_id) select distinct unnest(${workspaceIds}::uuid[]) order by 1 on conflict do nothing`);
}

// For calls that begin before they have a slot. These are two parts of the statement run by the capability that keeps
// waiting calls, so slots and calls at providers agree in every commit. The first part returns the free slots and locks the
// wallets in id order.
export function lockingSlots(bounds: readonly SlotBounds[]): Statement {
  return sql`
    select w.workspace_id, w.in_flight, w.costly_in_flight,
           greatest(0, least(given.slots_max - w.in_flight, given.count)) as slots,
           greatest(0, least(given.costly_slots_max - w.costly_in_flight, given.slots_max - w.in_flight, given.count)) as costly_slots
    from wallets w join unnest(
      ${bounds.map(({ workspaceId }) => workspaceId)}::uuid[],
      ${bounds.map(({ slotsMax }) => slotsMax)}::int[],
      ${bounds.map(({ costlySlotsMax }) => costlySlotsMax)}::int[],
      ${bounds.map(({ count }) => count)}::int[]
    ) as given (workspace_id, slots_max, costly_slots_max, count) on given.workspace_id = w.workspace_id
    order by w.workspace_id
    for update of w`;
}

// The second part, after `free` (the first) and `claimed` (id, is_costly, longest_run_seconds): these calls take their slots
// and belong to this process from now on. The fence stops whatever an earlier owner still writes. The quarantine restarts,
// because this is the intent to send. Defines `slotted`.
export function takingSlots(ownerId: OwnerId): Statement {
  return sql`
    slotted as (
      update calls c
      set takes_slot = true, is_costly = claimed.is_costly, owner_id = ${ownerId}::uuid, fence = c.fence + 1,
          begun_at = now(), longest_run_seconds = claimed.longest_run_seconds, look_again_at = null, not_found_times = 0,
          sender_died_at = null
      from claimed where c.id = claimed.id and c.state = 'open' and not c.takes_slot
      returning c.id, c.workspace_id, c.is_costly, c.fence, c.api_key_id, c.request_id, c.price_record_id,
                c.definition_version, c.context, c.tags, c.end_user
    ), taken_slots as (
      select workspace_id, count(*) as slots, count(*) filter (where is_costly) as costly_slots
      from slotted group by workspace_id
    ), counted as (
      update wallets w
      set in_flight = free.in_flight + taken_slots.slots, costly_in_flight = free.costly_in_flight + taken_slots.costly_slots
      from taken_slots join free using (workspace_id) where w.workspace_id = taken_slots.workspace_id
    )`;
}

// Puts calls that were never sent back to waiting: open, held, without a slot. Fenced. Returns the ids of those that moved.
export async function freeSlots(
  tx: Queryable,
  calls: readonly OpenCall[],
  longestRunSeconds: number,
): Promise<Set<CallId>> {
  const rows = await tx.query<{ id: CallId }>(sql`
    with item as (
      select * from unnest(${calls.map(({ id }) => id)}::uuid[], ${calls.map(({ fence }) => fence)}::int[]) as given (id, fence)
    ), wallet as materialized (
      select workspace_id, in_flight, costly_in_flight from wallets
      where workspace_id = any(${calls.map(({ workspaceId }) => workspaceId)}::uuid[])
      order by workspace_id for update
    ), before as materialized (
      select c.id, c.workspace_id, c.is_costly, c.fence from calls c join item on item.id = c.id and item.fence = c.fence
      where c.state = 'open' and c.takes_slot
    ), freed as (
      update calls c
      set takes_slot = false, is_costly = false, handle = null, look_again_at = null, not_found_times = 0, begun_at = now(),
          sender_died_at = null, longest_run_seconds = ${longestRunSeconds}
      from before join wallet using (workspace_id)
      where c.id = before.id and c.fence = before.fence and c.state = 'open' and c.takes_slot
      returning c.id, before.workspace_id, before.is_costly
    ), sum as (
      select workspace_id, count(*) as slots, count(*) filter (where is_costly) as costly_slots from freed group by workspace_id
    ), counted as (
      update wallets w
      set in_flight = wallet.in_flight - sum.slots, costly_in_flight = wallet.costly_in_flight - sum.costly_slots
      from sum join wallet using (workspace_id) where w.workspace_id = sum.workspace_id
    )
    select id from freed`);
  return new Set(rows.map(({ id }) => id));
}

// The call runs on without its slot. Fenced: false if it has none, or if another process owns it.
export async function leaveSlot(db: Queryable, call: OpenCall): Promise<boolean> {
  const changed = await db.execute(sql`
    with wallet as materialized (
      select workspace_id, in_flight, costly_in_flight from wallets where workspace_id = ${call.workspaceId} for update
    ), before as materialized (
      select id, is_costly from calls
      where id = ${call.id} and workspace_id = ${call.workspaceId} and fence = ${call.fence} and state = 'open' and takes_slot
    ), left_slot as (
      update calls c set takes_slot = false, is_costly = false
      from before, wallet where c.id = before.id and c.fence = ${call.fence} and c.state = 'open' and c.takes_slot
      returning before.is_costly
    )
    update wallets w
    set in_flight = wallet.in_flight - 1, costly_in_flight = wallet.costly_in_flight - left_slot.is_costly::int
    from wallet, left_slot where w.workspace_id = wallet.workspace_id`);
  return changed === 1;
}

interface BeginRow {
  readonly verdict:
    | "begun"
    | "replay"
    | "join"
    | "mismatch"
    | "invalid"
    | "no_slot"
    | "no_credit"
    | "again"
    | "no_wallet";
  readonly known_call_id: CallId | null;
  readonly answered_at: Date | null;
  readonly available: string;
  readonly in_flight: number | string;
}

function toVerdict(row: BeginRow): BeginVerdict {
  switch (row.verdict) {
    case "begun":
    case "no_slot":
      return { kind: row.verdict, inFlight: Number(row.in_flight) };
    case "no_credit":
      return { kind: "no_credit", available: BigInt(row.available) };
    case "replay":
      return { kind: "replay", callId: row.known_call_id as CallId, answeredAt: row.answered_at as Date };
    case "join":
      return { kind: "join", callId: row.known_call_id as CallId };
    default:
      return { kind: row.verdict };
  }
}
