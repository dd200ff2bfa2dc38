export type { WorkerToken, WorkerTokenId } from "./worker-token-store.ts";
export {
  type ActingOnWorkerTokens,
  createWorkerTokens,
  type WorkerCaller,
  type WorkerTokens,
  type WorkerTokensDeps,
} from "./worker-tokens.ts";
