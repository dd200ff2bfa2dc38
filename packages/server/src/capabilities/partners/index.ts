export { type ImageRule, PartnerDefinition, type PartnerOperation, type TaskState } from "./definition.ts";
export type { Partner, PricedOperation } from "./partner.ts";
export { readPartnerFiles } from "./partner-files.ts";
export { partnerFindings } from "./partner-findings.ts";
export { placedDefinitions } from "./place-definitions.ts";
export { pricePartner } from "./price-partner.ts";
export { readTask, type TaskReading } from "./read-task.ts";
export { echoHeaders, noticeOf, renderView } from "./render-view.ts";
export { type PartnerLocation, sandboxPartnerLocations } from "./shipped-partners.ts";
