export { callHoldings } from "./call-holdings-store.ts";
export { callInvariants } from "./call-invariants-store.ts";
export type {
  CallEnding,
  CallId,
  CallOpening,
  CallUsage,
  OpenCall,
  OwnerId,
  RecordedAnswer,
  Recovery,
  RefusedAccount,
} from "./call-opening.ts";
export { parking, type StoredCall } from "./call-store.ts";
export { type Begun, type Calls, type CallsDeps, createCalls, type Joined } from "./calls.ts";
export {
  type CreditLinePage,
  type CreditMove,
  type Credits,
  type CreditsActing,
  type CreditsAudit,
  changeOf,
  createCredits,
  type Moved,
  type Refunded,
  type TransactionId,
  transactionIdOf,
} from "./credits.ts";
export { type CappedCall, createKeyCaps, type KeyCaps, refusalOfCap } from "./credits-caps.ts";
export { capOf, type KeyCap, type KeyOfWorkspace, type KeySpending } from "./credits-caps-store.ts";
export { issueCreditCursor, readCreditCursor } from "./credits-cursor.ts";
export { registerCreditMetrics } from "./credits-metrics.ts";
export { acceptPayment, type Payment, type PaymentHook } from "./credits-payment.ts";
export type { CreditLine, CreditPosition } from "./credits-store.ts";
export { defaultFollowRules, type Finding, type FollowRules } from "./follow-call.ts";
export { type CallFollowing, createFollower, type Follower, type Inquiry, usageOf } from "./follower.ts";
export { createHousekeeping, type Housekeeping, type HousekeepingReport } from "./housekeeping.ts";
export { findWallet, fundWallet, refundCall, type Wallet, withdrawFromWallet } from "./ledger-store.ts";
export { notEnoughCredits } from "./not-enough-credits.ts";
export type { OwnedCall } from "./open-calls.ts";
export { type CallBook, createPassingCalls, type PassingCalls } from "./passing-calls.ts";
export { callPlannerSettings } from "./planner-settings.ts";
export { presentBalance, presentCreditLine } from "./present-credits.ts";
export type { AnswerBlobs } from "./recorded-answers.ts";
export {
  endReservations,
  type ReservationEnd,
  type ReservationUsage,
  type ReservationWish,
  reserveCredits,
} from "./reservation-store.ts";
export { type ItemResult, runBatch, unwrap } from "./run-batch.ts";
export { createUsage, type Usage, type UsagePage } from "./usage.ts";
export {
  type ExportFormat,
  type ExportRecord,
  exportContentTypes,
  exportHead,
  exportLine,
} from "./usage-export.ts";
export {
  type FreeUsage,
  spentBy,
  type UsageDay,
  type UsageFilter,
  type UsagePosition,
  type UsageRow,
} from "./usage-store.ts";
export {} from "./waiters.ts";
