// SQL of this module that other capabilities run in their transactions or embed in their statements. No area sees it.
export { requestHoldings } from "./request-holdings-store.ts";
export { requestInvariants } from "./request-invariants-store.ts";
