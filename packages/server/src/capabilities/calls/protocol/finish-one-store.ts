// Finish, an ending that travels alone, the common one: it is known what happened, and the answer stays under its key. It
// does what finish-store.ts does, for one; without lists to take apart, sums and what is rare, PostgreSQL needs two thirds of
// the time.
import type { Queryable } from "../../../foundation/database/database.ts";
import { preparedSql } from "../../../foundation/database/sql.ts";
import { newId } from "../../../foundation/ids.ts";
import type { CallEnding, RecordedAnswer } from "../call/call-opening.ts";

export interface OneEnding extends CallEnding {
  readonly state: "finished";
  readonly answer: RecordedAnswer;
}

export function isCommonEnding(ending: CallEnding): ending is OneEnding {
  return ending.state === "finished" && ending.answer !== null;
}

// True: it was the call's first and only ending.
export async function finishOneCall(db: Queryable, ending: OneEnding): Promise<boolean> {
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
      returning c.id, c.workspace_id, c.idempotency_key, c.hold, c.settled, c.takes_slot, c.is_costly, c.outcome
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
                         total_ms, provider_ms, refused_account)
      select ${() => newId()}::uuid, workspace_id, ${({ usage }) => usage.requestId}::uuid, id,
             ${({ usage }) => usage.apiKeyId}::uuid, ${({ usage }) => usage.subject}::text, outcome,
             ${({ usage }) => usage.status}::int, settled, false, ${({ usage }) => Math.round(usage.totalMs)}::int,
             ${({ usage }) => (usage.providerMs === null ? null : Math.round(usage.providerMs))}::int,
             ${({ usage }) => (usage.refusedAccount ? JSON.stringify(usage.refusedAccount) : null)}::jsonb
      from ended
    )
    select id from ended`;
