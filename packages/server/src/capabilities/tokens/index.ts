export {
  type AdminCaller,
  type AdminToken,
  type AdminTokens,
  actingAsAdmin,
  createAdminTokens,
  environmentName,
} from "./admin-tokens.ts";
export {
  findTokenPublisher,
  listPublisherTokens,
  makePublisherToken,
  type PublisherToken,
  revokePublisherToken,
  revokePublisherTokens,
} from "./publisher-tokens.ts";
export type { ActingOnTokens } from "./tokens.ts";
export { createWorkerTokens, type WorkerCaller, type WorkerToken, type WorkerTokens } from "./worker-tokens.ts";
