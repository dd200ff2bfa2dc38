export type { RunRequest } from "./dispatcher.ts";
export type { ClaimedRequest } from "./model-request.ts";
export {
  isRequestContext,
  type ModelRequestRecord,
  type ModelRequestState,
  noticeType,
  requestContext,
  type SeenRequest,
} from "./model-request.ts";
export { createModelRequests, type ModelRequests } from "./model-requests.ts";
export { registerRequestMetrics } from "./request-metrics.ts";
export type { RequestBlobs } from "./submit-requests.ts";
