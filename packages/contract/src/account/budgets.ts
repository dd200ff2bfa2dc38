// Budgets on the wire: what a workspace, a key, a tag or an end user may spend in a period, and the alerts on the way there.
import { type Static, Type } from "typebox";
import { Credits, entity, MailAddress, nullable, Timestamp, wordOf } from "../wire-values.ts";

export const budgetScopes = ["workspace", "key", "tag", "end_user"] as const;
export const budgetPeriods = ["day", "week", "month"] as const;
export const budgetNamePattern = "^[a-z0-9][a-z0-9._-]{0,63}$";

const scope = wordOf(budgetScopes, {
  description:
    "What counts: every call of the workspace, or those of one key (with all tokens made from it), tag or end user.",
});
const period = wordOf(budgetPeriods, { description: "In UTC; a week begins on Monday." });
const day = Type.String({
  pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
  description: "The UTC day on which the period began.",
});

export const PutBudget = entity("PutBudget", "A budget to set.", {
  scope,
  subject: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description: "The id of the key, the tag as key=value, or the end user. Absent with the scope workspace.",
    }),
  ),
  period,
  amount: Type.String({
    pattern: "^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,6})?$",
    description: "In credits, as a decimal string with at most six decimal places.",
  }),
  at_limit: Type.Optional(
    wordOf(["stop", "warn"], {
      description:
        "At 100 %: refuse calls that could cost more than is left (insufficient_credits), or only send the alert. Defaults to stop.",
    }),
  ),
  webhook_url: Type.Optional(
    nullable(Type.String({ minLength: 1, maxLength: 2048 }), "Where alerts are sent, signed. Absent or null: nowhere."),
  ),
  emails: Type.Optional(
    Type.Array(MailAddress, {
      maxItems: 10,
      uniqueItems: true,
      description:
        "Who gets alerts by e-mail, besides the workspace's owners and billing people, if the server sends mail. Absent: nobody else.",
    }),
  ),
});

export const BudgetAlert = entity("BudgetAlert", "A threshold that was reached.", {
  sequence: Type.Integer({ minimum: 1, description: "Counts the alerts of one budget." }),
  threshold: Type.Integer({ minimum: 1, maximum: 100, description: "In percent: 50, 80 or 100." }),
  period_start: day,
  amount: Credits,
  spent: Credits,
  held: Credits,
  at: Timestamp,
});

const budget = {
  name: Type.String({ pattern: budgetNamePattern }),
  scope,
  subject: nullable(Type.String(), "The id of the key, the tag as key=value, or the end user; null for the workspace."),
  period,
  amount: Credits,
  at_limit: wordOf(["stop", "warn"], { description: "What happens at 100 %." }),
  webhook_url: nullable(Type.String(), "Where alerts are sent."),
  emails: Type.Array(Type.String(), { description: "Who else gets alerts by e-mail." }),
  period_start: day,
  spent: Type.Unsafe<string>({ ...Credits, description: "What ended calls have cost in this period." }),
  held: Type.Unsafe<string>({ ...Credits, description: "The most that open calls can still cost." }),
  alerted: Type.Integer({ minimum: 0, maximum: 100, description: "The highest threshold reached in this period." }),
  created_at: Timestamp,
};

export const Budget = entity("Budget", "A budget and what counts against it.", {
  ...budget,
  alerts: Type.Array(BudgetAlert, { description: "The last 20 alerts, newest first." }),
});
export type Budget = Static<typeof Budget>;

export const BudgetList = entity("BudgetList", "The budgets of a workspace.", {
  data: Type.Array(Type.Object(budget), { description: "By name." }),
});
export type BudgetList = Static<typeof BudgetList>;
