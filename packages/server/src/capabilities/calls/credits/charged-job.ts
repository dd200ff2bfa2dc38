// What a job cost.
import type { WorkspaceId } from "../../../foundation/ids.ts";

export interface ChargedJob {
  readonly id: string;
  readonly workspaceId: WorkspaceId;
}

export interface NodeCharge {
  readonly nodeId: string;
  readonly charged: bigint;
  // How many of its calls have ended.
  readonly calls: number;
  // The newest of them.
  readonly callIds: readonly string[];
}

export interface JobParts {
  readonly runningTime: bigint;
  readonly nodes: readonly NodeCharge[];
}
