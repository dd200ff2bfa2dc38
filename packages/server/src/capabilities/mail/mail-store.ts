// Messages that wait, and those that were sent. Several processes may claim at once; each message is in one claim.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import type { Id, PersonId, WorkspaceId } from "../../foundation/ids.ts";
import { alertReaders } from "../identity/shared-sql.ts";

export type MailId = Id<"mail">;

export interface MailRow {
  readonly id: MailId;
  readonly workspaceId: WorkspaceId;
  readonly type: string;
  readonly subjectId: string;
  readonly sequence: number;
  readonly subject: string;
  readonly body: string;
  // Besides the workspace's own people.
  readonly further: readonly string[];
}

export const perEventMax = 50;
export const perDayMax = 200;
export const tooManyText = `Not sent: a workspace has at most ${perDayMax} mails a day.`;

// One message for each address: of the workspace's owners and billing people who did not opt out, and those named. The id of each
// follows from the event and the address, so the same event never makes a second one.
export async function insertMails(
  tx: Queryable,
  rows: readonly MailRow[],
  { at, addressPattern }: { readonly at: Date; readonly addressPattern: string },
): Promise<number> {
  return tx.execute(sql`
    with given as (
      select * from unnest(
        ${rows.map(({ id }) => id)}::uuid[],
        ${rows.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${rows.map(({ type }) => type)}::text[],
        ${rows.map(({ subjectId }) => subjectId)}::text[],
        ${rows.map(({ sequence }) => sequence)}::int[],
        ${rows.map(({ subject }) => subject)}::text[],
        ${rows.map(({ body }) => body)}::text[],
        ${rows.map(({ further }) => JSON.stringify(further))}::jsonb[]
      ) as g (id, workspace_id, type, subject_id, sequence, subject, body, further)
    ), wanted as (
      select given.id, reader.person_id, reader.email
      from given join ${alertReaders} as reader on reader.workspace_id = given.workspace_id
      where not exists (
        select from mail_opt_outs o where o.workspace_id = reader.workspace_id and o.person_id = reader.person_id)
      union all
      select given.id, null, named.email from given cross join jsonb_array_elements_text(given.further) as named (email)
    ), addressed as (
      select distinct on (id, lower(email)) id, person_id, email
      from wanted where char_length(email) <= 254 and email ~ ${addressPattern}
      order by id, lower(email), person_id nulls last
    ), counted as (
      select given.*, addressed.person_id, addressed.email, hash.of as hash,
             row_number() over (partition by given.id order by addressed.person_id nulls first, addressed.email) as in_event,
             row_number() over (partition by given.workspace_id order by given.id, addressed.email) + today.count as in_day
      from addressed join given on given.id = addressed.id
        cross join lateral (select md5(given.id::text || lower(addressed.email)) as of) as hash
        cross join lateral (
          select count(*) as count from mails m
          where m.workspace_id = given.workspace_id and m.created_at > ${at}::timestamptz - interval '1 day') as today
    )
    insert into mails (id, workspace_id, person_id, type, subject_id, sequence, recipient, subject, body, status, due_at,
                       last_answer, created_at)
    select (left(id::text, 20) || left(hash, 3) || '-' || substr(hash, 4, 12))::uuid, workspace_id, person_id, type, subject_id,
           sequence, email, subject, body, case when in_day <= ${perDayMax} then 'waiting' else 'failed' end,
           case when in_day <= ${perDayMax} then ${at}::timestamptz end,
           case when in_day > ${perDayMax} then ${tooManyText} end, ${at}
    from counted where in_event <= ${perEventMax}
    on conflict do nothing`);
}

export interface ClaimedMail extends Pick<SeenMail, "id" | "recipient" | "subject" | "attempts" | "createdAt"> {
  readonly claimId: string;
  readonly body: string;
}

export async function claimMails(
  db: Queryable,
  claim: { readonly claimId: string; readonly now: Date; readonly leaseSeconds: number; readonly count: number },
): Promise<ClaimedMail[]> {
  const rows = await db.query<Omit<ClaimedMail, "claimId">>(sql`
    update mails set due_at = ${claim.now}::timestamptz + ${claim.leaseSeconds} * interval '1 second', claim_id = ${claim.claimId}
    where id in (
      select id from mails where status = 'waiting' and due_at <= ${claim.now} order by due_at limit ${claim.count}
      for update skip locked)
    returning id, recipient, subject, body, attempts, created_at as "createdAt"`);
  return rows.map((row) => ({ ...row, claimId: claim.claimId }));
}

export interface MailSettlement {
  readonly mail: Pick<ClaimedMail, "id" | "claimId">;
  readonly status: "waiting" | "sent" | "failed";
  readonly isAttempt: boolean;
  readonly answer: string;
  readonly dueAt: Date | null;
  readonly now: Date;
}

// A sent one is written even if its claim ended meanwhile: the mail server has it, so no process may send it again.
export async function settleMail(db: Queryable, { mail, status, isAttempt, answer, dueAt, now }: MailSettlement) {
  await db.execute(sql`
    update mails
    set status = ${status}, due_at = ${dueAt}, claim_id = null, last_answer = ${answer},
        attempts = attempts + ${isAttempt ? 1 : 0}, sent_at = ${status === "sent" ? now : null}
    where id = ${mail.id} and status <> 'sent' and (claim_id = ${mail.claimId} or ${status === "sent"})`);
}

// Puts them back without an attempt.
export async function releaseMails(
  db: Queryable,
  { mails, dueAt }: { readonly mails: readonly Pick<ClaimedMail, "id" | "claimId">[]; readonly dueAt: Date },
): Promise<void> {
  await db.execute(sql`
    update mails m set due_at = ${dueAt}, claim_id = null
    from unnest(${mails.map(({ id }) => id)}::uuid[], ${mails.map(({ claimId }) => claimId)}::uuid[]) as g (id, claim_id)
    where m.id = g.id and m.claim_id = g.claim_id and m.status = 'waiting'`);
}

// What waited too long ends.
export async function endOldMails(
  db: Queryable,
  { now, before, answer }: { readonly now: Date; readonly before: Date; readonly answer: string },
): Promise<number> {
  return db.execute(sql`
    update mails set status = 'failed', due_at = null, claim_id = null, last_answer = coalesce(last_answer || ' ', '') || ${answer}
    where status = 'waiting' and due_at <= ${now} and created_at < ${before}`);
}

export async function forgetMails(db: Queryable, before: Date): Promise<number> {
  return db.execute(sql`delete from mails where created_at < ${before} and status <> 'waiting'`);
}

export interface SeenMail {
  readonly id: MailId;
  readonly type: string;
  readonly recipient: string;
  readonly subject: string;
  readonly status: "waiting" | "sent" | "failed";
  readonly attempts: number;
  readonly dueAt: Date | null;
  readonly lastAnswer: string | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
}

// Newest first.
export async function listMails(db: Queryable, workspaceId: WorkspaceId, count: number): Promise<SeenMail[]> {
  return db.query<SeenMail>(sql`
    select id, type, recipient, subject, status, attempts, due_at as "dueAt", last_answer as "lastAnswer",
           created_at as "createdAt", sent_at as "sentAt"
    from mails where workspace_id = ${workspaceId} order by created_at desc, id desc limit ${count}`);
}

export async function findWaiting(db: Queryable): Promise<{ waiting: number; oldest: Date | null }> {
  const [row] = await db.query<{ waiting: number; oldest: Date | null }>(sql`
    select count(*)::int as waiting, min(created_at) as oldest from mails where status = 'waiting'`);
  return row ?? { waiting: 0, oldest: null };
}

export async function isOptedOut(db: Queryable, workspaceId: WorkspaceId, personId: PersonId): Promise<boolean> {
  const rows = await db.query(sql`
    select from mail_opt_outs where workspace_id = ${workspaceId} and person_id = ${personId}`);
  return rows.length > 0;
}

export async function setOptOut(
  db: Queryable,
  { workspaceId, personId, isOut }: { workspaceId: WorkspaceId; personId: PersonId; isOut: boolean },
): Promise<void> {
  await db.execute(
    isOut
      ? sql`insert into mail_opt_outs (workspace_id, person_id) values (${workspaceId}, ${personId}) on conflict do nothing`
      : sql`delete from mail_opt_outs where workspace_id = ${workspaceId} and person_id = ${personId}`,
  );
}
