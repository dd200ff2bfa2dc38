// A deployment: a dedicated surface that runs graphs in one pinned environment, with its own workers and queue. Whether
// it is ready is never stored: it follows from the workers present now (decisions, section 6).
import { type Id, trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import type { PoolId } from "../jobs/index.ts";

export type DeploymentId = Id<"deployment">;

export type EngineKind = "embedded" | "application";

export interface DeploymentSettings {
  readonly jobSecondsMax: number | null;
  readonly jobMemoryMegabytesMax: number | null;
}

export interface DeploymentEnvironment {
  readonly engine: EngineKind;
  // Null for any.
  readonly engineVersion: string | null;
  // Class → version, "*" for any. Null for every class the engine knows.
  readonly nodeClasses: Readonly<Record<string, string>> | null;
  // The lock that a worker's application folder must equal. Null or absent for any.
  readonly lockId?: string | null;
  readonly settings: DeploymentSettings;
}

export interface DeploymentInput {
  readonly name: string;
  readonly environment: DeploymentEnvironment;
  readonly workersMin: number;
  readonly workersMax: number;
  readonly jobsPerWorker: number;
  // Null for every workspace.
  readonly workspaceId: WorkspaceId | null;
  readonly scaleWebhookUrl: string | null;
}

export interface Deployment extends DeploymentInput {
  readonly id: DeploymentId;
  readonly stoppedAt: Date | null;
  readonly askedAt: Date | null;
  // What the autoscaler was last told.
  readonly workersWanted: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

// The part of a worker's report that a deployment looks at.
export interface ReportedWorker {
  readonly workerId: string;
  readonly name: string;
  readonly slots: number;
  readonly environment: ReportedEnvironment;
  // Null or absent if it compares no folder.
  readonly lock?: ReportedLock | null;
  readonly seenAt: Date;
}

// What a worker found when it compared the folder beside it.
export interface ReportedLock {
  readonly lockId: string;
  // The lock it was compared with; null if none was pinned.
  readonly against: string | null;
  // What differs from that lock, in words.
  readonly drift: readonly string[];
}

export interface ReportedEnvironment {
  readonly engine: EngineKind;
  readonly version: string;
  readonly classes: Readonly<Record<string, string>>;
}

// A worker as far as it must match its pool.
export type MatchableWorker = Pick<ReportedWorker, "environment" | "lock">;

export interface MatchedWorker extends ReportedWorker {
  // Why it does not match the environment; empty if it does.
  readonly problems: readonly string[];
}

export interface DeploymentStatus {
  readonly state: "provisioning" | "ready" | "stopped";
  readonly reason: string | null;
  readonly workers: readonly MatchedWorker[];
  readonly workersWanted: number;
  // Counted only as far as it matters for the number of workers.
  readonly unfinishedJobs: number;
}

// The pool of a deployment's jobs has the deployment's id.
export function poolOf(deploymentId: DeploymentId): PoolId {
  return trustedId<"pool">(deploymentId);
}
