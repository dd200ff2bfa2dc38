// A worker as its pool knows it. Presence is a hint for people, for deployments and for the checks at submission; only
// leases decide which job a worker has.
import type { Id } from "../../foundation/ids.ts";
import type { PoolId, WorkerId } from "../jobs/index.ts";
import type { WorkerEnvironment } from "./environment.ts";

export interface PoolWorker {
  readonly workerId: WorkerId;
  readonly poolId: PoolId;
  readonly name: string;
  readonly slots: number;
  readonly environment: WorkerEnvironment;
  // What it found in the application's folder beside it. Null or absent if it looks at none.
  readonly lock?: WorkerLock | null;
  readonly modelsLoaded: readonly string[];
  readonly seenAt: Date;
  // It takes no more jobs, because an operator said so.
  readonly isDraining: boolean;
}

export interface WorkerLock {
  readonly lockId: string;
  // The pinned lock that it was compared with, if one was pinned.
  readonly against: string | null;
  // What differs from that one, in words.
  readonly drift: readonly string[];
}

export type ReportedWorker = Omit<PoolWorker, "seenAt" | "isDraining">;

// A remote worker belongs to the token it first used.
export interface WorkerStatus {
  readonly tokenId: Id<"worker-token"> | null;
  readonly poolId: PoolId;
  readonly environment: WorkerEnvironment;
  readonly environmentId: Buffer;
  readonly lock: WorkerLock | null;
  readonly isDraining: boolean;
  // The class names in it.
  readonly classes: ReadonlySet<string>;
}
