// SQL of this module that others run in their own transaction or put into their own statement. No area imports it.
export { sellingHoldings } from "./selling-holdings-store.ts";
export { sellingInvariants } from "./selling-invariants-store.ts";
