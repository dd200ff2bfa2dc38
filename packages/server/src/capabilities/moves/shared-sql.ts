// SQL of this module that others run in their own transaction or put into their own statement. No area imports it.
export { moveHoldings } from "./moves-holdings-store.ts";
