// Answers that can still be asked for, of a workspace that moves: the results of queued calls, and what a retry under its key gets.
// Without them, a client that missed its answer would run and pay the same call again at the other server.
import { type Queryable, sql } from "../../../foundation/database/index.ts";
import type { ExportedFile, ExportRow, ExportTable, RestoreBatch } from "../../../foundation/workspace-holdings.ts";
import { answerHolderKind } from "./recorded-answers.ts";

export const movedAnswers: ExportTable = {
  name: "model-answers",
  rows: (id, after, count) => sql`
    select c.id::text as position, c.id, c.subject, c.idempotency_key, c.outcome, c.begun_at, c.finished_at, a.status,
      a.headers::text as headers, encode(a.body, 'base64') as body_base64, a.blob_hash, a.body_bytes
    from calls c join call_answers a on a.call_id = c.id and a.answered_at = c.finished_at
    where c.workspace_id = ${id} and c.finished_at > now() - interval '24 hours' and c.id::text > ${after}
    order by c.id::text limit ${count}`,
  file: fileOf,
  restore: { read: restoreAnswers },
};

function fileOf({ id, blob_hash: hash }: ExportRow): ExportedFile | null {
  return typeof hash === "string" ? { name: String(id), hash } : null;
}

// The calls cost nothing here and ended there: the books that say what they cost stay where the money was. What their requests said
// is not exported, so nothing is compared under a key.
async function restoreAnswers(tx: Queryable, batch: RestoreBatch): Promise<number> {
  const { workspaceId, json, rows } = batch;
  const given = sql`jsonb_to_recordset(${json}::jsonb) as r (id uuid, subject text, idempotency_key text, outcome text,
    begun_at timestamptz, finished_at timestamptz, status int, headers text, body_base64 text, blob_hash text, body_bytes bigint)`;
  const count = await tx.execute(sql`
    insert into calls (id, workspace_id, subject, idempotency_key, fingerprint, state, takes_slot, is_costly, hold, settled,
      recovery, longest_run_seconds, begun_at, finished_at, outcome, context)
    select id, ${workspaceId}::uuid, subject, idempotency_key, ${unknownFingerprint}::bytea, 'finished', false, false, 0, 0,
      'none', 1, begun_at, finished_at, outcome, '{"moved": true}'
    from ${given}`);
  await tx.execute(sql`
    insert into call_answers (call_id, answered_at, status, headers, body, blob_hash, body_bytes)
    select id, finished_at, status, headers::jsonb, decode(body_base64, 'base64'), blob_hash, body_bytes from ${given}`);
  await tx.execute(sql`
    insert into call_keys (workspace_id, idempotency_key, call_id)
    select ${workspaceId}::uuid, idempotency_key, id from ${given} where idempotency_key is not null`);
  await batch.hold(
    tx,
    answerHolderKind,
    rows.flatMap((row) => fileOf(row) ?? []),
  );
  return count;
}

// Equal to none: see begin-batch.ts.
const unknownFingerprint = Buffer.alloc(0);
