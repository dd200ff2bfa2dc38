// Finish: one statement for a batch of endings. It writes effect, proof and money together: the call's end, the settled part
// to revenue and the rest back to the wallet, the recorded answer, the slot and the usage row. A key's 24 hours count from
// its call's end, so a kept key is not written again.
// Fenced: an ending whose fence is not the call's changes nothing, and its number is missing from the result.
import type { Queryable } from "../../../foundation/database/database.ts";
import { type JoinedBytes, joinBytes } from "../../../foundation/database/joined-bytes.ts";
import { preparedPart, preparedSql } from "../../../foundation/database/sql.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import { type CallEnding, type RecordedAnswer, recordedAnswerOf } from "../call/call-opening.ts";
import {
  type Fresh,
  type FreshAnswer,
  type FreshCalls,
  type FreshRow,
  knownKeys,
  openingCalls,
  sumOf,
  toAnswer,
} from "./begin-fresh-store.ts";

// The positions of the endings that took effect: each was its call's first and only one.
export async function finishCalls(db: Queryable, endings: readonly CallEnding[]): Promise<Set<number>> {
  const [first] = endings;
  if (endings.length === 1 && first && isCommonEnding(first))
    return new Set((await finishOneCall(db, first)) ? [0] : []);
  return finishEvery(db, endings);
}

// The same for any number of endings of any kind.
export async function finishEvery(db: Queryable, endings: readonly CallEnding[]): Promise<Set<number>> {
  const rows = await db.query<{ n: number }>(finishStatement(finishingOf(endings)));
  return new Set(rows.map((row) => row.n));
}

// A batch of endings as the statements take it.
interface Finishing extends JoinedBytes {
  readonly endings: readonly CallEnding[];
  readonly answers: readonly (RecordedAnswer | null)[];
  // The wallets to lock, in id order.
  readonly workspaceIds: readonly WorkspaceId[];
}

function finishingOf(endings: readonly CallEnding[]): Finishing {
  const answers = endings.map(recordedAnswerOf);
  const workspaceIds = [...new Set(endings.map(({ call }) => call.workspaceId))];
  return { endings, answers, workspaceIds, ...joinBytes(answers.map((answer) => answer?.body ?? emptyBody)) };
}

const emptyBody = Buffer.alloc(0);

// Defines `item`, `wallet` and `ended`, and what each wallet gets back (`back`).
// Each value has its own map: a map shared by all of them cost 5 microseconds a call (measured).
const endingCalls = preparedPart<Finishing>`
    item as (
      select * from unnest(
        ${({ endings }) => endings.map((_, index) => index)}::int[],
        ${({ endings }) => endings.map((ending) => ending.call.id)}::uuid[],
        ${({ endings }) => endings.map((ending) => ending.call.workspaceId)}::uuid[],
        ${({ endings }) => endings.map((ending) => ending.call.fence)}::int[],
        ${({ endings }) => endings.map((ending) => ending.state)}::text[],
        ${({ endings }) => endings.map((ending) => ending.outcome)}::text[],
        ${({ endings }) => endings.map((ending) => ending.charge)}::bigint[],
        ${({ endings }) => endings.map((ending) => ending.answer !== null)}::boolean[],
        ${({ endings }) => endings.map((ending) => ending.isKept ?? false)}::boolean[],
        ${({ answers }) => answers.map((answer) => answer?.status ?? null)}::int[],
        ${({ answers }) => answers.map((answer) => (answer ? JSON.stringify(answer.headers) : null))}::jsonb[],
        ${({ offsets }) => offsets.map((offset) => offset.from)}::int[],
        ${({ offsets }) => offsets.map((offset) => offset.length)}::int[],
        ${({ answers }) => answers.map((answer) => answer?.blob?.hash ?? null)}::text[],
        ${({ answers }) => answers.map((answer) => answer?.blob?.bytes ?? 0)}::bigint[],
        ${({ endings }) => endings.map(() => newId())}::uuid[],
        ${({ endings }) => endings.map((ending) => ending.usage.requestId)}::uuid[],
        ${({ endings }) => endings.map((ending) => ending.usage.apiKeyId)}::uuid[],
        ${({ endings }) => endings.map((ending) => ending.usage.subject)}::text[],
        ${({ endings }) => endings.map(({ usage }) => usage.seen?.status ?? usage.status)}::int[],
        ${({ endings }) => endings.map((ending) => Math.round(ending.usage.totalMs))}::int[],
        ${({ endings }) => endings.map((ending) => (ending.usage.providerMs === null ? null : Math.round(ending.usage.providerMs)))}::int[],
        ${({ endings }) => endings.map(({ usage }) => (usage.refusedAccount ? JSON.stringify(usage.refusedAccount) : null))}::jsonb[],
        ${({ endings }) => endings.map(({ usage }) => (usage.attempts ? JSON.stringify(usage.attempts) : null))}::jsonb[],
        ${({ endings }) => endings.map(({ usage }) => usage.seen?.outcome ?? null)}::text[]
      ) as given (n, id, workspace_id, fence, state, outcome, charge, keeps_key, is_kept, status, headers, body_from, body_bytes,
                  blob_hash, blob_bytes, usage_id, request_id,
                  api_key_id, subject, usage_status, total_ms, provider_ms, refused_account, attempts, seen_outcome)
    ), wallet as materialized (
      select w.workspace_id, w.available, w.held, w.in_flight, w.costly_in_flight from wallets w
      where w.workspace_id = any(${({ workspaceIds }) => workspaceIds}::uuid[])
      order by w.workspace_id
      for update
    ), ended as (
      update calls c
      set state = item.state, outcome = item.outcome, settled = least(item.charge, c.hold), finished_at = now(),
          owner_id = null, look_again_at = null, context = null
      from item join wallet using (workspace_id)
      where c.id = item.id and c.workspace_id = item.workspace_id and c.fence = item.fence and c.settled is null
      returning c.id, c.workspace_id, c.idempotency_key, c.hold, c.settled, c.takes_slot, c.is_costly, c.tags, c.end_user, item.n, item.keeps_key, item.is_kept, item.status,
                item.headers, item.body_from, item.body_bytes, item.blob_hash, item.blob_bytes, item.state, item.outcome, item.usage_id, item.request_id, item.api_key_id, item.subject,
                item.usage_status, item.total_ms, item.provider_ms, item.refused_account, item.attempts, item.seen_outcome
    ), back as (
      select workspace_id, sum(hold)::bigint as hold, sum(hold - settled)::bigint as released,
             count(*) filter (where takes_slot)::int as slots, count(*) filter (where is_costly)::int as costly_slots
      from ended group by workspace_id
    )`;

// The rows that go with `ended`.
const writingEnds = preparedPart<Finishing>`
    noted as (
      insert into journal (transaction_id, kind, workspace_id, debit, credit, amount)
      -- What was held had no line of its own, so giving the rest back needs none.
      select id, 'settle', workspace_id, 'available', 'revenue', settled from ended where settled > 0
      union all
      -- What it may have cost us: ours, not the customer's.
      select id, 'suspense', workspace_id, 'provider_cost', 'suspense', hold from ended where state = 'unknown' and hold > 0
    ), recorded as (
      insert into call_answers (call_id, answered_at, status, headers, body, blob_hash, body_bytes)
      select id, now(), status, headers,
             case when blob_hash is null then substring(${({ bodies }) => bodies}::bytea from body_from for body_bytes) end,
             blob_hash, body_bytes + blob_bytes
      from ended
      where status is not null and (idempotency_key is not null or is_kept)
    ), freed as (
      delete from call_keys k using ended
      where not ended.keeps_key and k.workspace_id = ended.workspace_id
        and k.idempotency_key = ended.idempotency_key and k.call_id = ended.id
    ), used as (
      insert into usage (id, workspace_id, request_id, call_id, api_key_id, subject, outcome, status, credits, is_replay,
                         total_ms, provider_ms, refused_account, attempts, tags, end_user)
      select usage_id, workspace_id, request_id, id, api_key_id, subject, coalesce(seen_outcome, outcome), usage_status,
             settled, false, total_ms, provider_ms, refused_account, attempts, tags, end_user
      from ended
    )`;

const finishStatement = preparedSql<Finishing>`
    with ${endingCalls}, paid as (
      update wallets w
      set held = wallet.held - back.hold, available = wallet.available + back.released,
          in_flight = wallet.in_flight - back.slots, costly_in_flight = wallet.costly_in_flight - back.costly_slots
      from back join wallet using (workspace_id) where w.workspace_id = back.workspace_id
    ), ${writingEnds}
    select n from ended`;

// A single ending of the common kind: we know what happened, and the answer stays under its key. Without arrays to unpack,
// sums and rare cases PostgreSQL needs two thirds of the time.
interface OneEnding extends CallEnding {
  readonly state: "finished";
  readonly answer: RecordedAnswer;
}

function isCommonEnding(ending: CallEnding): ending is OneEnding {
  return ending.state === "finished" && ending.answer !== null;
}

// True if it was the call's first and only ending.
async function finishOneCall(db: Queryable, ending: OneEnding): Promise<boolean> {
  return (await db.query(finishOne(ending))).length === 1;
}

const finishOne = preparedSql<OneEnding>`
    with wallet as materialized (
      select workspace_id, available, held, in_flight, costly_in_flight from wallets
      where workspace_id = ${({ call }) => call.workspaceId}::uuid for update
    ), ended as (
      update calls c
      set state = 'finished', outcome = ${({ outcome }) => outcome}::text,
          settled = least(${({ charge }) => charge}::bigint, c.hold), finished_at = now(),
          owner_id = null, look_again_at = null, context = null
      from wallet
      where c.id = ${({ call }) => call.id}::uuid and c.workspace_id = wallet.workspace_id
        and c.fence = ${({ call }) => call.fence}::int and c.settled is null
      returning c.id, c.workspace_id, c.idempotency_key, c.hold, c.settled, c.takes_slot, c.is_costly, c.outcome, c.tags, c.end_user
    ), paid as (
      update wallets w
      set held = wallet.held - ended.hold, available = wallet.available + ended.hold - ended.settled,
          in_flight = wallet.in_flight - ended.takes_slot::int, costly_in_flight = wallet.costly_in_flight - ended.is_costly::int
      from ended join wallet using (workspace_id) where w.workspace_id = ended.workspace_id
    ), noted as (
      insert into journal (transaction_id, kind, workspace_id, debit, credit, amount)
      select id, 'settle', workspace_id, 'available', 'revenue', settled from ended where settled > 0
    ), recorded as (
      insert into call_answers (call_id, answered_at, status, headers, body, blob_hash, body_bytes)
      select id, now(), ${({ answer }) => answer.status}::int, ${({ answer }) => JSON.stringify(answer.headers)}::jsonb,
             ${({ answer }) => (answer.blob ? null : answer.body)}::bytea, ${({ answer }) => answer.blob?.hash}::text,
             ${({ answer }) => answer.blob?.bytes ?? answer.body.byteLength}::bigint
      from ended where idempotency_key is not null or ${({ isKept }) => isKept ?? false}::boolean
    ), used as (
      insert into usage (id, workspace_id, request_id, call_id, api_key_id, subject, outcome, status, credits, is_replay,
                         total_ms, provider_ms, refused_account, attempts, tags, end_user)
      select ${() => newId()}::uuid, workspace_id, ${({ usage }) => usage.requestId}::uuid, id,
             ${({ usage }) => usage.apiKeyId}::uuid, ${({ usage }) => usage.subject}::text,
             coalesce(${({ usage }) => usage.seen?.outcome}::text, outcome),
             ${({ usage }) => usage.seen?.status ?? usage.status}::int, settled, false, ${({ usage }) => Math.round(usage.totalMs)}::int,
             ${({ usage }) => (usage.providerMs === null ? null : Math.round(usage.providerMs))}::int,
             ${({ usage }) => (usage.refusedAccount ? JSON.stringify(usage.refusedAccount) : null)}::jsonb,
             ${({ usage }) => (usage.attempts ? JSON.stringify(usage.attempts) : null)}::jsonb, tags, end_user
      from ended
    )
    select id from ended`;

// Ends and begins calls in one statement: under steady load both wait in the same line. They lock the wallet once and share
// one commit. The two halves do not depend on each other: calls end even if none can begin, and a beginning call may use
// credits that just came back. This has only the common begin of begin-fresh-store.ts: one workspace, unknown keys, all or
// nothing.
export interface RoundAnswer {
  // The positions of the endings that took effect: each was its call's first and only one.
  readonly ended: ReadonlySet<number>;
  readonly begun: FreshAnswer;
}

export async function finishAndBegin(
  db: Queryable,
  endings: readonly CallEnding[],
  calls: FreshCalls,
): Promise<RoundAnswer> {
  const finishing = finishingOf(endings);
  const workspaceIds = [...new Set([...finishing.workspaceIds, calls.workspaceId])];
  const rows = await db.query<EndedRow | (FreshRow & { readonly n: null })>(
    roundStatement({ ...calls, ...finishing, workspaceIds, sum: sumOf(calls.openings) }),
  );
  const ended = new Set<number>();
  const others: FreshRow[] = [];
  for (const row of rows) {
    if (row.n === null) others.push(row);
    else ended.add(row.n);
  }
  return { ended, begun: toAnswer(others) };
}

interface EndedRow {
  readonly n: number;
}

const roundStatement = preparedSql<Fresh & Finishing>`
    with ${knownKeys}, ${endingCalls}, begins as materialized (
      select workspace_id, ${({ sum }) => sum.hold}::bigint as hold, ${({ sum }) => sum.slots}::int as slots,
             ${({ sum }) => sum.costlySlots}::int as costly_slots,
             wallet.in_flight - coalesce(back.slots, 0) + ${({ sum }) => sum.slots}::int as in_flight
      from wallet left join back using (workspace_id)
      where workspace_id = ${({ workspaceId }) => workspaceId}::uuid and ${({ openings }) => openings.length}::int > 0
        and wallet.available + coalesce(back.released, 0) >= ${({ sum }) => sum.hold}::bigint
        and wallet.in_flight - coalesce(back.slots, 0) <= ${({ sum }) => sum.slotsMax - sum.slots}::int
        and wallet.costly_in_flight - coalesce(back.costly_slots, 0) <= ${({ sum }) => sum.costlySlotsMax - sum.costlySlots}::int
        and not exists (select from known)
    ), paid as (
      update wallets w
      set held = wallet.held - coalesce(back.hold, 0) + coalesce(begins.hold, 0),
          available = wallet.available + coalesce(back.released, 0) - coalesce(begins.hold, 0),
          in_flight = wallet.in_flight - coalesce(back.slots, 0) + coalesce(begins.slots, 0),
          costly_in_flight = wallet.costly_in_flight - coalesce(back.costly_slots, 0) + coalesce(begins.costly_slots, 0)
      from wallet left join back using (workspace_id) left join begins using (workspace_id)
      where w.workspace_id = wallet.workspace_id and coalesce(back.workspace_id, begins.workspace_id) is not null
    ), ${writingEnds}, ${openingCalls}
    select n, null::int as in_flight, null::text as idempotency_key, null::uuid as call_id, null::bytea as fingerprint,
           null::timestamptz as answered_at, null::boolean as is_over
    from ended
    union all
    select null, in_flight, null, null, null, null, null from begins
    union all
    select null, null, idempotency_key, call_id, fingerprint, answered_at, is_over from known`;
