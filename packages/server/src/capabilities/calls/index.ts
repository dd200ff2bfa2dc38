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
} from "./call-opening.ts";
export type { StoredCall } from "./call-store.ts";
export { type Begun, type Calls, type CallsDeps, createCalls, type Joined } from "./calls.ts";
export { defaultFollowRules, type Finding, type FollowRules } from "./follow-call.ts";
export { type CallFollowing, createFollower, type Follower, type Inquiry } from "./follower.ts";
export { findWallet, fundWallet, refundCall, type Wallet, withdrawFromWallet } from "./ledger-store.ts";
export type { OwnedCall } from "./open-calls.ts";
export type { AnswerBlobs } from "./recorded-answers.ts";
export { callEndedTopic, waitersPerCallMax } from "./waiters.ts";
