// Alerts by e-mail. Call `enqueue(tx, notices)` in the transaction of what is reported: each becomes one message for every owner and
// billing person of the workspace who did not opt out, and for the addresses that are named. Any process sends them, each under a
// lease. A message that the mail server accepted is never sent again; if the process dies between the server's word and our
// record of it, it is sent once more under the same Message-ID, by which receivers drop the copy.
// While the server takes nothing, one message a minute tries it and the others wait; what waited three days has failed.
import { mailAddressPattern } from "@atelier/contract";
import type { Background } from "../../foundation/background.ts";
import type { Queryable } from "../../foundation/database/index.ts";
import { newId, type PersonId, type WorkspaceId } from "../../foundation/ids.ts";
import { htmlOf, type MailText, plainText, subjectOf } from "./compose-mail.ts";
import type { MailRoundDeps } from "./mail-round.ts";
import { createMailRound } from "./mail-round.ts";
import { forgetMails, insertMails, isOptedOut, listMails, type SeenMail, setOptOut } from "./mail-store.ts";
import type { MailOutcome, SendMail } from "./send-mail.ts";

export interface MailNotice extends MailText {
  readonly workspaceId: WorkspaceId;
  readonly type: string;
  readonly subjectId: string;
  readonly sequence: number;
  // Besides the workspace's owners and billing people.
  readonly further?: readonly string[];
}

export interface Mail {
  // Whether this server sends mail at all.
  readonly isOn: boolean;
  // In the caller's transaction, one statement. Does nothing while the server sends no mail.
  enqueue(tx: Queryable, notices: readonly MailNotice[]): Promise<void>;
  // A hint, after the commit.
  wake(): void;
  // A test message, at once and without a record. Null: this server sends no mail.
  sendTest(to: string): Promise<MailOutcome | null>;
  list(workspaceId: WorkspaceId): Promise<readonly SeenMail[]>;
  // Whether the person gets alerts of this workspace, if they have an address and a role for it.
  wants(workspaceId: WorkspaceId, personId: PersonId): Promise<boolean>;
  setWanted(workspaceId: WorkspaceId, personId: PersonId, isWanted: boolean): Promise<void>;
  // Sends what is due.
  round(signal?: AbortSignal): Promise<void>;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export interface MailDeps extends Omit<MailRoundDeps, "send"> {
  // Null: this server sends no mail.
  readonly send: SendMail | null;
  readonly keepDays: number;
}

const name = "mail: send what is due";
const everyMs = 2_000;
const dayMs = 86_400_000;
const listed = 100;

export function createMail(deps: MailDeps): Mail {
  const { database, clock, send } = deps;
  const round = send === null ? async () => undefined : createMailRound({ ...deps, send });
  const forget = () => forgetMails(database, new Date(clock.now().getTime() - deps.keepDays * dayMs));
  let background: Background | null = null;
  return {
    isOn: send !== null,
    async enqueue(tx, notices) {
      if (send === null || notices.length === 0) return;
      const at = clock.now();
      const rows = notices.map((notice) => ({
        ...notice,
        id: newId<"mail">(at.getTime()),
        subject: subjectOf(notice),
        body: plainText(notice),
        further: notice.further ?? [],
      }));
      await insertMails(tx, rows, { at, addressPattern: mailAddressPattern });
    },
    wake: () => background?.wake(name),
    async sendTest(to) {
      const text = plainText(testText);
      const messageId = `test-${newId()}@${deps.domain}`;
      const date = clock.now();
      return send?.({ messageId, to, subject: subjectOf(testText), text, html: htmlOf(text), date }) ?? null;
    },
    list: (workspaceId) => listMails(database, workspaceId, listed),
    wants: async (workspaceId, personId) => !(await isOptedOut(database, workspaceId, personId)),
    setWanted: (workspaceId, personId, isWanted) => setOptOut(database, { workspaceId, personId, isOut: !isWanted }),
    round,
    async run(given, signal) {
      if (send === null) return;
      background = given;
      await Promise.all([
        given.run({ name, role: "background", everyMs, round }, signal),
        given.run({ name: "mail: forget old ones", role: "background", everyMs: 3_600_000, round: forget }, signal),
      ]);
    },
  };
}

const testText: MailText = {
  subject: "Test of the mail settings",
  lines: ["This server can send mail to you. Nothing else happened."],
  link: null,
  footer: "An operator of the server sent this with: atelier mail test",
};
