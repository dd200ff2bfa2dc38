export {
  createRemoteWorker,
  type RemoteEnvironment,
  type RemoteWorker,
  type RemoteWorkerOptions,
} from "./remote-worker.ts";
export { DoorProblem, openServerDoor, type ServerDoor, type ServerDoorOptions } from "./server-door.ts";
export { openWorkerHome, type WorkerHome } from "./worker-home.ts";
