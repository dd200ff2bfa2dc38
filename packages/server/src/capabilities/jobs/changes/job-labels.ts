// Labels, by which jobs with a metadata map are found. A label is the hash of workspace, pool, key and value, so it can
// never match another workspace's jobs, whatever the key and value.
import { createHash } from "node:crypto";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { JobMetadata, PoolId } from "../job.ts";

export interface LabelHome {
  readonly workspaceId: WorkspaceId;
  readonly poolId: PoolId;
}

export type LabelPair = readonly [key: string, value: string];

export function labelOf({ workspaceId, poolId }: LabelHome, [key, value]: LabelPair): string {
  const hex = createHash("sha256")
    .update(JSON.stringify([workspaceId, poolId, key, value]))
    .digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

export function labelsOf(home: LabelHome, metadata: JobMetadata | null): string[] {
  if (metadata === null || typeof metadata === "string") return [];
  return Object.entries(metadata).map((pair) => labelOf(home, pair));
}
