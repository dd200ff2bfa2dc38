// A workspace.
import type { WorkspaceId } from "../../foundation/ids.ts";

export interface Workspace {
  readonly id: WorkspaceId;
  readonly name: string;
  readonly createdAt: Date;
}
