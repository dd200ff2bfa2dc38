// What a budget is, which calls count against it, and which thresholds it has reached.
import { Fault } from "../../../foundation/fault.ts";
import type { Id, KeyId, WorkspaceId } from "../../../foundation/ids.ts";
import type { Labels } from "../../../foundation/json/labels.ts";
import { creditsText } from "../../prices/index.ts";

export type BudgetId = Id<"budget">;
export type BudgetScope = "workspace" | "key" | "tag" | "end_user";
export type BudgetPeriod = "day" | "week" | "month";

export interface BudgetRule {
  readonly scope: BudgetScope;
  // The id of the key, the tag as key=value, or the end user. Empty for the workspace.
  readonly subject: string;
  readonly period: BudgetPeriod;
  // Micro-credits.
  readonly amount: bigint;
  // At 100 %: refuse further calls, or only say so.
  readonly atLimit: "stop" | "warn";
  readonly webhookUrl: string | null;
  // Who gets alerts by e-mail, besides the workspace's owners and billing people.
  readonly emails: readonly string[];
}

export interface BudgetState {
  // The UTC day on which the current period began: 2026-01-31.
  readonly periodStart: string;
  readonly spent: bigint;
  // The most that open calls can still cost.
  readonly held: bigint;
}

export interface Budget extends BudgetRule, BudgetState {
  readonly id: BudgetId;
  readonly workspaceId: WorkspaceId;
  readonly name: string;
  readonly createdAt: Date;
  // The highest threshold that we alerted to in this period; 0 if none.
  readonly alerted: number;
  readonly alertCount: number;
}

export interface BudgetAlert {
  readonly sequence: number;
  readonly threshold: number;
  readonly periodStart: string;
  readonly amount: bigint;
  readonly spent: bigint;
  readonly held: bigint;
  readonly at: Date;
}

export interface NamedBudget {
  readonly workspaceId: WorkspaceId;
  readonly name: string;
}

// Written, but not handed on yet.
export interface WaitingAlert extends BudgetAlert {
  readonly id: string;
  readonly budget: BudgetRule & NamedBudget & { readonly id: BudgetId };
}

// In percent of the amount.
export const thresholds = [50, 80, 100] as const;

export interface CountedCall {
  readonly apiKeyId: KeyId | null;
  // What its token was made from.
  readonly ancestors: ReadonlySet<string>;
  readonly labels?: Labels | undefined;
}

export function countsAgainst({ scope, subject }: Pick<BudgetRule, "scope" | "subject">, call: CountedCall): boolean {
  switch (scope) {
    case "workspace":
      return true;
    case "key":
      return call.apiKeyId === subject || call.ancestors.has(subject);
    case "tag": {
      const at = subject.indexOf("=");
      return call.labels?.tags?.[subject.slice(0, at)] === subject.slice(at + 1);
    }
    case "end_user":
      return call.labels?.endUser === subject;
  }
}

// What is held counts for a budget that stops, because it is part of what stops calls: so an alert is written before the stop.
export function reached({ amount, atLimit }: Pick<BudgetRule, "amount" | "atLimit">, state: BudgetState): number {
  const used = state.spent + (atLimit === "stop" ? state.held : 0n);
  if (used === 0n && amount > 0n) return 0;
  return thresholds.findLast((threshold) => used * 100n >= amount * BigInt(threshold)) ?? 0;
}

// Null if a call with this hold may begin. `isToken`: a visitor with a token does not see the figures.
export function budgetRefusal(budget: Budget, hold: bigint, isToken: boolean): Fault | null {
  const { name, amount, spent, held, period } = budget;
  if (budget.atLimit === "warn" || spent + held + hold <= amount) return null;
  if (isToken)
    return new Fault(
      "insufficient_credits",
      `A budget of this workspace has too few credits left for this call, which may cost ${creditsText(hold)}.`,
      { details: { cap: "budget", hold: creditsText(hold) } },
    );
  const left = amount - spent - held;
  const figures = {
    most: creditsText(amount),
    spent: creditsText(spent),
    held: creditsText(held),
    left: creditsText(left > 0n ? left : 0n),
    hold: creditsText(hold),
  };
  return new Fault(
    "insufficient_credits",
    `The budget ${name} allows ${figures.most} credits per ${period}. ${figures.spent} are spent, ${figures.held} are held by open calls and ${figures.left} are left, but this call may cost ${figures.hold}.`,
    { details: { cap: "budget", budget: name, ...figures } },
  );
}
