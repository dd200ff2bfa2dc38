// One run in the playground, as its owner finds it again.
import type { Id, RequestId, WorkspaceId } from "../../foundation/ids.ts";

export type PlaygroundRunId = Id<"playground run">;

// Each person, or key, sees only their own.
export interface RunOwner {
  readonly workspaceId: WorkspaceId;
  readonly ownerId: string;
}

export interface PlaygroundRun extends RunOwner {
  readonly id: PlaygroundRunId;
  readonly at: Date;
  readonly model: string;
  // A JSON object.
  readonly input: string;
  readonly requestId: RequestId | null;
  // Micro-credits. Null if it is not known.
  readonly credits: bigint | null;
  readonly assetIds: readonly string[];
}
