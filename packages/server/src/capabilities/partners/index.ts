export { checkPartner } from "./check-definition.ts";
export { type ImageRule, PartnerDefinition, type PartnerOperation, type TaskState } from "./definition.ts";
export { type Partner, type PricedOperation, preparePartner } from "./partner.ts";
export { readTask, type TaskReading } from "./read-task.ts";
export { echoOf, noticeOf, renderView } from "./render-view.ts";
