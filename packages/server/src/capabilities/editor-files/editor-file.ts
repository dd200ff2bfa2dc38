// A file that the editor keeps for one person in one workspace.
import type { WorkspaceId } from "../../foundation/ids.ts";

// Each person, or key, sees only their own files.
export interface FileOwner {
  readonly workspaceId: WorkspaceId;
  readonly ownerId: string;
}

export interface EditorFile {
  readonly path: string;
  readonly sizeBytes: number;
  // Rises with every write.
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface EditorFileContent extends EditorFile {
  readonly bytes: Buffer;
}
