// Everything paid for passes through here: wallet, journal, idempotency keys, slots, recorded answers. Each folder imports
// only from the ones above it:
//   call          what a call is, its row, and the calls that this process owns
//   ledger        moves of credits: top-ups, refunds, reservations inside another capability's transaction
//   usage         one line for each answer
//   answers       what a retry under the same key gets
//   rounds        the ledger's two statements, batched over concurrent calls, and lost answers
//   protocol      begin and finish as callers see them, and waiting for a call
//   spending      hours in which a workspace spent more than usual
//   limiting      how many calls a key makes or a model takes, in a minute and at once
//   budgets       what a workspace, key, tag or end user may spend in a period, and its alerts
//   credits       what people see and do: balances, caps of keys, payments
//   following     ending calls that have no connection
//   course        from cap to begun, replay or join: the path of everything that is paid for
//   housekeeping  preparing what calls need and clearing what they leave behind
export type { AnswerBlobs } from "./answers/recorded-answers.ts";
export type { Budget, BudgetRule, WaitingAlert } from "./budgets/budget.ts";
export { type BudgetNotices, type Budgets, createBudgets, type SeenBudget } from "./budgets/budgets.ts";
export {
  type CallEnding,
  type CallId,
  type CallOpening,
  type CallUsage,
  type CheckOfCall,
  type OpenCall,
  type OwnerId,
  type ProviderAttempt,
  type RecordedAnswer,
  type Redirection,
  type RefusedAccount,
  recordedAnswerOf,
  type SeenAnswer,
} from "./call/call-opening.ts";
export { defaultFollowRules, type FollowRules, heldUntil } from "./call/follow-call.ts";
export type { OwnedCall } from "./call/open-calls.ts";
export { callPlannerSettings } from "./call/planner-settings.ts";
export type { StoredCall } from "./call/stored-call.ts";
export { beginPaidCall, type PaidCall, type PaidCallWords, replayUsage } from "./course/begin-paid-call.ts";
export type { JobParts } from "./credits/charged-job.ts";
export { type Credits, changeOf, createCredits, deriveTransactionId, type Moved } from "./credits/credits.ts";
export { createKeyCaps, type KeyCaps } from "./credits/credits-caps.ts";
export { registerCreditMetrics } from "./credits/credits-metrics.ts";
export type { KeyCap, KeySpending } from "./credits/key-cap.ts";
export { listCreditLines } from "./credits/list-credit-lines.ts";
export { presentBalance, presentCreditLine } from "./credits/present-credits.ts";
export { type CallFollowing, createFollower, type Inquiry, usageOf } from "./following/follower.ts";
export { createHousekeeping } from "./housekeeping/housekeeping.ts";
export { notEnoughCredits } from "./ledger/not-enough-credits.ts";
export type { ReservationEnd } from "./ledger/reservation.ts";
export type { Wallet } from "./ledger/wallet.ts";
export { type CallLimits, createCallLimits } from "./limiting/call-limits.ts";
export { type Begun, type Calls, createCalls } from "./protocol/calls.ts";
export type { Unkept } from "./protocol/finish-calls.ts";
export type { Joined } from "./protocol/join-call.ts";
export { type CallLifecycle, createPassingCalls, type PassingCalls } from "./protocol/passing-calls.ts";
export { callEndedTopic } from "./protocol/waiters.ts";
export type { BeginVerdict, SlotBounds } from "./rounds/begin-verdict.ts";
export { type ItemResult, runBatch, unwrap } from "./rounds/run-batch.ts";
export type { OddSpending } from "./spending/odd-hour.ts";
export {
  createOddSpending,
  type OddSpendingWatch,
  type SpendingNotices,
  type SpendingWatch,
} from "./spending/odd-spending.ts";
export { createUsageSumming } from "./usage/add-up-usage.work.ts";
export type { TrailCall } from "./usage/trail-call.ts";
export { createUsage, type Usage } from "./usage/usage.ts";
export { type ExportFormat, exportContentTypes, exportHead, exportLine } from "./usage/usage-export.ts";
export type {
  FailureGroups,
  ModelFigures,
  UsageGrouping,
  UsageSeries,
  UsageStep,
  UsageSums,
  UsageTimes,
} from "./usage/usage-figures.ts";
export type { UsageDay, UsageFilter, UsagePosition, UsageRow, UsageTag } from "./usage/usage-row.ts";
