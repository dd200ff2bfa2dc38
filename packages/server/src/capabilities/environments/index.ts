// Environments of applications: what a machine has, written down as a lock, compared with another and kept on the server.
//   lock    what a lock is, reading one, comparing two
//   making  writing one from an application's folder

export { createEnvironments, type Environments } from "./environments.ts";
export { compareLocks, differenceText } from "./lock/compare-locks.ts";
export {
  type EnvironmentLock,
  isInsidePath,
  type LockedPack,
  type LockedPython,
  type LockedWeight,
  lockId,
  lockText,
} from "./lock/environment-lock.ts";
export { readLock } from "./lock/read-lock.ts";
export { FileChanged, type FileHashing, type Hasher, openHashing } from "./making/hash-files.ts";
export { lockProblem } from "./making/lock-problem.ts";
export {
  type LockRequest,
  listWeights,
  makeLock,
  type RunningApplication,
  writtenVersion,
} from "./making/make-lock.ts";
export { findPacks, lockPack } from "./making/read-packs.ts";
export { findPython, type Interpreter, readPython } from "./making/read-python.ts";
export { effectiveArguments } from "./making/start-arguments.ts";
export type { EnvironmentId, SavedEnvironment } from "./saved-environment.ts";
