// Shared by the tests of mail; contains no test itself.

import { systemClock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { sql } from "../../foundation/database/index.ts";
import { type HandClock, handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId, type PersonId, type WorkspaceId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { createMail, type Mail, type MailNotice } from "./mail.ts";
import { silentMailMeter } from "./mail-metrics.ts";
import type { MailServer } from "./mail-server.ts";
import { createSendMail, type SendMail } from "./send-mail.ts";

export const from = { name: "Atelier", address: "alerts@studio.example" };

export const serverAt = (port: number, more: Partial<MailServer> = {}): MailServer => ({
  ...{ host: "127.0.0.1", port, isSecure: false, isHere: true, user: null, password: null },
  ...more,
});

export const senderTo = (port: number, attemptMsMax = 20_000): SendMail =>
  createSendMail({ server: serverAt(port), from, clock: systemClock, attemptMsMax });

export function aMail(
  database: Database,
  send: SendMail | null,
  clock = handClock(new Date()),
): Mail & { clock: HandClock } {
  const mail = createMail({
    ...{ database, clock, log: silentLog, send, domain: "studio.example", keepDays: 30, meter: silentMailMeter },
  });
  return { ...mail, clock };
}

export async function aWorkspace(db: Database): Promise<WorkspaceId> {
  const id: WorkspaceId = newId();
  await db.execute(sql`insert into workspaces (id, name, created_at) values (${id}, 'Studio', now())`);
  return id;
}

export async function aMember(
  db: Database,
  {
    workspaceId,
    email,
    role,
  }: { readonly workspaceId: WorkspaceId; readonly email: string | null; readonly role: string },
): Promise<PersonId> {
  const id: PersonId = newId();
  await db.execute(sql`insert into people (id, name, email, created_at) values (${id}, 'Ada', ${email}, now())`);
  await db.execute(sql`
    insert into members (workspace_id, person_id, role, created_at, accepted_at)
    values (${workspaceId}, ${id}, ${role}, now(), now())`);
  return id;
}

export const aNotice = (workspaceId: WorkspaceId, more: Partial<MailNotice> = {}): MailNotice => ({
  ...{ workspaceId, type: "budget.threshold", subjectId: newId(), sequence: 1 },
  ...{ subject: "Budget spring: 80 % reached", lines: ["It has reached 80 %."], link: null, footer: "Because." },
  ...more,
});
