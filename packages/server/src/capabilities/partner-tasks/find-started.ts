// The task of a call, as its first answer showed it.
import type { Database } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { TaskId } from "./task.ts";
import { findTask } from "./task-store.ts";

export interface StartedTask {
  readonly id: TaskId;
  readonly body: string;
}

export async function findStarted(
  deps: { readonly database: Database },
  workspaceId: WorkspaceId,
  taskId: TaskId,
): Promise<StartedTask | null> {
  const task = await findTask(deps.database, { workspaceId, taskId });
  return task && { id: task.id, body: task.firstBody };
}
