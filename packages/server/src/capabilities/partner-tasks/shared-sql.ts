// SQL of this module that others run in their own transaction or put into their own statement. No area imports it.
export { taskHoldings } from "./task-holdings-store.ts";
export { taskInvariants } from "./task-invariants-store.ts";
