// SQL of this module that others run in their own transaction or put into their own statement. No area imports it.
export { endpointTypes } from "./endpoints/endpoint-store.ts";
export { deliveryFacts, webhookInvariants } from "./queue-figures-store.ts";
export { webhookHoldings } from "./webhook-holdings-store.ts";
