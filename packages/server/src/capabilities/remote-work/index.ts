export { createRemoteWorker, type RemoteEnvironment, type RemoteWorkerOptions } from "./remote-worker.ts";
export { openServerClient, ServerCallProblem, type ServerClient } from "./server-client.ts";
export { openWorkerHome } from "./worker-home.ts";
