export { type CheckedPartner, checkPartner, type PartnerChecks, type PartnerProblem } from "./check-definition.ts";
export {
  type ImageRule,
  PartnerDefinition,
  type PartnerOperation,
  type TaskState,
  taskStates,
} from "./definition.ts";
export { type Partner, type PreparePartner, type PricedOperation, preparePartner } from "./partner.ts";
export { readTask, type TaskReading } from "./read-task.ts";
export { echoOf, noticeOf, renderView, type ViewFacts } from "./render-view.ts";
export { View } from "./view-definition.ts";
