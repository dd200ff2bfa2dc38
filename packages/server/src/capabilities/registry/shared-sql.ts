// SQL of this module that others run in their own transaction or put into their own statement. No area imports it.
export { countPublishersOf } from "./publishers/publisher-holdings-store.ts";
export { publisherPersonHoldings } from "./publishers/publisher-person-store.ts";
export { versionInvariants } from "./versions/version-invariants-store.ts";
export { versionPersonHoldings } from "./versions/version-person-store.ts";
