export {
  createRemoteWorker,
  type RemoteEnvironment,
  type RemoteWorker,
  type RemoteWorkerOptions,
} from "./remote-worker.ts";
export { openServerClient, ServerCallProblem, type ServerClient, type ServerClientOptions } from "./server-client.ts";
export { openWorkerHome, type WorkerHome } from "./worker-home.ts";
