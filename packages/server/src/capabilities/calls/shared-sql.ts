// SQL of this module that other capabilities run in their transactions or embed in their statements. No area sees it.

export { parking, tagsOfCall } from "./call/call-store.ts";
export { callHoldings, callPersonHoldings } from "./call-holdings-store.ts";
export { callFacts, callInvariants, moveFacts, openReservationFacts } from "./call-invariants-store.ts";
export { findJobCharges, findJobPartCharges } from "./credits/job-charges-store.ts";
export { findWallet, fundWallet, withdrawFromWallet } from "./ledger/ledger-store.ts";
export { endReservations, reserveCredits } from "./ledger/reservation-store.ts";
export { freeSlots, leaveSlot, lockingSlots, takingSlots } from "./rounds/begin-store.ts";
export { findTimesOfSubject, spentSince } from "./usage/usage-store.ts";
