// SQL of this module that others run in their own transaction. No area imports it.
export { mailHoldings, mailPersonHoldings } from "./mail-holdings-store.ts";
