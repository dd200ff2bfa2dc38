// How much of what runs at once one workspace may have while others wait. Turns alone are not enough: whose jobs last
// longest would sooner or later hold every slot. Nothing that runs is stopped for it, and no slot stays empty: what no other
// wants goes to the one that does.
import type { WorkspaceId } from "../../../foundation/ids.ts";

export interface WorkspaceShare {
  // It has its part: others that wait come first.
  isFull(workspaceId: WorkspaceId): boolean;
  took(workspaceId: WorkspaceId): void;
}

export function shareOf(asked: {
  readonly running: ReadonlyMap<WorkspaceId, number>;
  // Slots that are free here and now.
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
