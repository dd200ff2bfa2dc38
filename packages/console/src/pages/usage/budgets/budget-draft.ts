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
}

export const draftOf = (budget: ListedBudget | null): BudgetDraft => ({
  name: budget?.name ?? "",
  scope: budget?.scope ?? "workspace",
  subject: budget?.subject ?? "",
  period: budget?.period ?? "month",
  amount: budget?.amount ?? "",
  atLimit: budget?.at_limit ?? "stop",
  webhook: budget?.webhook_url ?? "",
});

const name = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const amount = /^(0|[1-9]\d{0,11})(\.\d{1,6})?$/;
const tag = /^[A-Za-z0-9_.-]{1,40}=/;

export function wrongIn(draft: BudgetDraft): Record<"name" | "amount" | "subject", string | null> {
  return {
    name: name.test(draft.name) ? null : words.nameWrong,
    amount: amount.test(draft.amount) ? null : words.amountWrong,
    subject: wrongSubject(draft),
  };
}

function wrongSubject({ scope, subject }: BudgetDraft): string | null {
  if (scope === "key") return subject === "" ? words.keyMissing : null;
  if (scope === "tag") return tag.test(subject.trim()) ? null : words.tagWrong;
  return scope === "end_user" && subject.trim() === "" ? words.endUserMissing : null;
}

export const bodyOf = ({ scope, subject, period, amount: credits, atLimit, webhook }: BudgetDraft): PutBudget => ({
  scope,
  ...(scope === "workspace" ? {} : { subject: subject.trim() }),
  period,
  amount: credits,
  at_limit: atLimit,
  webhook_url: webhook.trim() === "" ? null : webhook.trim(),
});
