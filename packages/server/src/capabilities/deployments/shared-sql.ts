// SQL of this module that others run in their own transaction or put into their own statement. No area imports it.
export { deploymentHoldings } from "./deployment-holdings-store.ts";
export { findDeployment } from "./deployment-store.ts";
export { findPinner } from "./pool-pin-store.ts";
