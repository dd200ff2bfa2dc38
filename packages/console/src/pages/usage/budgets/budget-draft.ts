// What a person types for a budget, what is wrong with it, and what is sent.
import type { PutBudget } from "@atelier/sdk";
import { budgets } from "#strings/usage/budgets";
import type { ListedBudget } from "./budget-queries.ts";

const words = budgets.form;

export interface BudgetDraft {
  readonly name: string;
  readonly scope: PutBudget["scope"];
  readonly subject: string;
  readonly period: PutBudget["period"];
  readonly amount: string;
  readonly atLimit: "stop" | "warn";
  readonly webhook: string;
  // As typed, with commas between them.
  readonly emails: string;
}

export const draftOf = (budget: ListedBudget | null): BudgetDraft => ({
  name: budget?.name ?? "",
  scope: budget?.scope ?? "workspace",
  subject: budget?.subject ?? "",
  period: budget?.period ?? "month",
  amount: budget?.amount ?? "",
  atLimit: budget?.at_limit ?? "stop",
  webhook: budget?.webhook_url ?? "",
  emails: (budget?.emails ?? []).join(", "),
});

const name = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const amount = /^(0|[1-9]\d{0,11})(\.\d{1,6})?$/;
const tag = /^[A-Za-z0-9_.-]{1,40}=/;

export function wrongIn(draft: BudgetDraft): Record<"name" | "amount" | "subject" | "emails", string | null> {
  return {
    name: name.test(draft.name) ? null : words.nameWrong,
    amount: amount.test(draft.amount) ? null : words.amountWrong,
    subject: wrongSubject(draft),
    emails: wrongEmails(draft),
  };
}

const email = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}([.][A-Za-z0-9-]{1,63})*$/;
const emailsMax = 10;
const emailsIn = ({ emails }: BudgetDraft) => [...new Set(emails.split(/[\s,;]+/).filter((each) => each !== ""))];

function wrongEmails(draft: BudgetDraft): string | null {
  const given = emailsIn(draft);
  if (given.length > emailsMax) return words.emailsTooMany;
  const wrong = given.find((each) => !email.test(each));
  return wrong === undefined ? null : words.emailWrong(wrong);
}

function wrongSubject({ scope, subject }: BudgetDraft): string | null {
  if (scope === "key") return subject === "" ? words.keyMissing : null;
  if (scope === "tag") return tag.test(subject.trim()) ? null : words.tagWrong;
  return scope === "end_user" && subject.trim() === "" ? words.endUserMissing : null;
}

export const bodyOf = (draft: BudgetDraft): PutBudget => ({
  scope: draft.scope,
  ...(draft.scope === "workspace" ? {} : { subject: draft.subject.trim() }),
  period: draft.period,
  amount: draft.amount,
  at_limit: draft.atLimit,
  webhook_url: draft.webhook.trim() === "" ? null : draft.webhook.trim(),
  emails: emailsIn(draft),
});
