// A workspace that leaves for another server.
import type { WorkspaceId } from "../../foundation/ids.ts";

export interface Move {
  readonly workspaceId: WorkspaceId;
  // The other server's address.
  readonly movedTo: string;
  readonly beganAt: Date;
  // Null while it is moving.
  readonly movedAt: Date | null;
}
