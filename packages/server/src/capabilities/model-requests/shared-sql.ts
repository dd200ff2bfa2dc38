// SQL of this module that others run in their own transaction or put into their own statement. No area sees it.
export { requestHoldings } from "./request-holdings-store.ts";
export { requestInvariants } from "./request-invariants-store.ts";
