// How many of the running jobs one workspace may have while others wait. Taking turns is not enough: the workspace with the
// longest jobs would sooner or later hold every slot. We stop no running job for this and leave no slot empty: slots that no
// other workspace wants go to the one that does.
import type { WorkspaceId } from "../../../foundation/ids.ts";

export interface WorkspaceShare {
  // It has its share: other waiting workspaces come first.
  isFull(workspaceId: WorkspaceId): boolean;
  took(workspaceId: WorkspaceId): void;
}

export function shareOf(asked: {
  readonly running: ReadonlyMap<WorkspaceId, number>;
  // Slots that are free in this process now.
  readonly free: number;
  // Between 0 and 1.
  readonly share: number;
}): WorkspaceShare {
  const running = new Map(asked.running);
  let slots = asked.free;
  for (const count of running.values()) slots += count;
  const most = Math.max(1, Math.ceil(slots * asked.share));
  return {
    isFull: (workspaceId) => (running.get(workspaceId) ?? 0) >= most,
    took: (workspaceId) => void running.set(workspaceId, (running.get(workspaceId) ?? 0) + 1),
  };
}
