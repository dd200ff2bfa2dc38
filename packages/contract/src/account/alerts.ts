// Who hears about a workspace's money by e-mail, and what was sent.
import { type Static, Type } from "typebox";
import { Credits, entity, MailAddress, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";

const oddHour = {
  hour: Type.Unsafe<string>({ ...Timestamp, description: "When the hour began." }),
  spent: Type.Unsafe<string>({ ...Credits, description: "What the workspace spent in it." }),
  average: Type.Unsafe<string>({ ...Credits, description: "Spent on average in the same hour of the past weeks." }),
  highest: Type.Unsafe<string>({ ...Credits, description: "The most spent in the same hour of one of them." }),
  weeks: Type.Integer({ minimum: 4, maximum: 8, description: "How many weeks it was compared with." }),
  sequence: Type.Integer({ minimum: 1, description: "Counts the workspace's odd hours." }),
  at: Timestamp,
};

export const SpendingAlert = entity(
  "SpendingAlert",
  "An hour in which a workspace spent far more than usual.",
  oddHour,
);
export type SpendingAlert = Static<typeof SpendingAlert>;

export const SpendingNotification = entity("SpendingNotification", "What an endpoint gets about odd spending.", {
  ...oddHour,
  type: Type.String({ pattern: "^spending[.]", description: "What happened." }),
});

export const SetOddSpending = entity("SetOddSpending", "Whether the workspace's spending is watched.", {
  watched: Type.Boolean({ description: "Whether odd hours are reported." }),
  at_least: Type.Optional(
    nullable(
      Type.String({ pattern: "^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,6})?$" }),
      "In credits: less in an hour is never odd. Absent or null: 200.",
    ),
  ),
});
export type SetOddSpending = Static<typeof SetOddSpending>;

const OddSpending = Type.Object(
  {
    watched: Type.Boolean(),
    at_least: Type.Unsafe<string>({ ...Credits, description: "Less in an hour is never odd." }),
    alerts: Type.Array(SpendingAlert, { description: "The last 20, newest first." }),
  },
  { description: "Hours in which the workspace spends far more than in the same hour of past weeks." },
);

export const AlertSettings = entity("AlertSettings", "How alerts of this workspace reach people.", {
  sends_mail: Type.Boolean({ description: "Whether this server sends mail at all." }),
  mail_wanted: nullable(
    Type.Boolean(),
    "Whether the caller wants alerts by e-mail. Owners and billing people with an address get them unless they say no. Null for a key that acts for nobody.",
  ),
  odd_spending: OddSpending,
});
export type AlertSettings = Static<typeof AlertSettings>;

export const SetAlertMail = entity("SetAlertMail", "Whether the caller wants alerts by e-mail.", {
  wanted: Type.Boolean({ description: "False: no mail about this workspace to the caller's own address." }),
});
export type SetAlertMail = Static<typeof SetAlertMail>;

export const SentMail = entity("SentMail", "An e-mail about the workspace.", {
  id: Uuid,
  type: Type.String({ description: "What it reports: budget.threshold or spending.odd." }),
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
