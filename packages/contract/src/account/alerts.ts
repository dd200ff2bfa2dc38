// Who hears about a workspace's money by e-mail, and what was sent.
import { type Static, Type } from "typebox";
import { entity, MailAddress, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";

export const AlertSettings = entity("AlertSettings", "How alerts of this workspace reach people.", {
  sends_mail: Type.Boolean({ description: "Whether this server sends mail at all." }),
  mail_wanted: nullable(
    Type.Boolean(),
    "Whether the caller wants alerts by e-mail. Owners and billing people with an address get them unless they say no. Null for a key that acts for nobody.",
  ),
});
export type AlertSettings = Static<typeof AlertSettings>;

export const SetAlertMail = entity("SetAlertMail", "Whether the caller wants alerts by e-mail.", {
  wanted: Type.Boolean({ description: "False: no mail about this workspace to the caller's own address." }),
});
export type SetAlertMail = Static<typeof SetAlertMail>;

export const SentMail = entity("SentMail", "An e-mail about the workspace.", {
  id: Uuid,
  type: Type.String({ description: "What it reports: budget.threshold." }),
  to: Type.String({ description: "The address." }),
  subject: Type.String(),
  status: wordOf(["waiting", "sent", "failed"], {
    description:
      "sent: the mail server accepted it. failed: the server refused it for good, or no attempt succeeded in three days.",
  }),
  attempts: Type.Integer({ minimum: 0 }),
  last_answer: nullable(Type.String(), "What the mail server said last, or why it said nothing."),
  next_attempt_at: nullable(Timestamp, "Null unless it waits."),
  created_at: Timestamp,
  sent_at: nullable(Timestamp),
});

export const SentMailList = entity("SentMailList", "E-mails about the workspace.", {
  data: Type.Array(SentMail, { description: "The newest 100." }),
});
export type SentMailList = Static<typeof SentMailList>;

export const TestMail = entity("TestMail", "Where to send a test message.", { to: MailAddress });
export type TestMail = Static<typeof TestMail>;

export const TestedMail = entity("TestedMail", "What the mail server said to a test message.", {
  status: wordOf(["accepted", "refused", "unavailable"], {
    description: "refused: it does not take this message. unavailable: it takes none, or could not be reached.",
  }),
  answer: Type.String({ description: "The server's words, or why there are none." }),
});
export type TestedMail = Static<typeof TestedMail>;
