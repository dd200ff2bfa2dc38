// Messages of a workspace, and of a person: what was sent to them, and that they opted out.
import { sql } from "../../foundation/database/index.ts";
import { erasedName, type PersonHoldings } from "../../foundation/database/person-holdings.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const mailHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "mails",
      rows: (id, after, count) => sql`
        select id::text as position, id, type, subject_id, sequence, recipient, subject, body, status, attempts, last_answer,
          created_at, sent_at
        from mails where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
      restore: "the server that sent them keeps them",
    },
    {
      name: "mail_opt_outs",
      rows: (id, after, count) => sql`
        select person_id::text as position, person_id from mail_opt_outs
        where workspace_id = ${id} and person_id::text > ${after} order by person_id::text limit ${count}`,
      restore: {
        people: ["person_id"],
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into mail_opt_outs (workspace_id, person_id)
            select ${workspaceId}::uuid, person_id from jsonb_to_recordset(${json}::jsonb) as r (person_id uuid)`),
      },
    },
  ],
  async release(tx, id) {
    await tx.execute(sql`delete from mail_opt_outs where workspace_id = ${id}`);
    return { mails: await tx.execute(sql`delete from mails where workspace_id = ${id}`) };
  },
};

export const mailPersonHoldings: PersonHoldings = {
  exports: [
    {
      name: "mails",
      rows: ({ id }, count) => sql`
        select id, workspace_id, type, recipient, subject, status, created_at, sent_at
        from mails where person_id = ${id} order by created_at desc limit ${count}`,
    },
    {
      name: "mails_not_wanted",
      rows: ({ id }, count) => sql`select workspace_id from mail_opt_outs where person_id = ${id} limit ${count}`,
    },
  ],
  async erase(tx, { id, email }) {
    await tx.execute(sql`delete from mail_opt_outs where person_id = ${id}`);
    await tx.execute(sql`delete from mails where person_id = ${id} and status = 'waiting'`);
    const mails = await tx.execute(sql`
      update mails set recipient = ${erasedName} || ' ' || id, person_id = null, last_answer = null
      where person_id = ${id} or (${email}::text is not null and lower(recipient) = lower(${email}))`);
    return { mails };
  },
};
