// Pauses and resumes a workspace's queue. While paused, submissions are accepted and wait, running jobs continue, and
// nothing more is claimed. A pause applies to every process, worker and pool from the moment we answer until it is resumed.
import type { Acting, ChangeAudit } from "../../../foundation/database/acting.ts";
import type { Database } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { JobHints } from "../changes/job-hints.ts";
import { firstOfLanes, pauseWorkspace, readQueue, resumeWorkspace } from "../changes/pause-store.ts";
import type { QueueState } from "../changes/queue-state.ts";

export interface JobQueue {
  read(workspaceId: WorkspaceId): Promise<QueueState>;
  // If the queue is already in that state, nothing changes and nothing is recorded.
  setPaused(workspaceId: WorkspaceId, isPaused: boolean, by: Acting): Promise<QueueState>;
}

export interface JobQueueDeps {
  readonly database: Database;
  readonly hints: Pick<JobHints, "ready">;
  readonly audit?: ChangeAudit;
}

export function createJobQueue({ database, hints, audit }: JobQueueDeps): JobQueue {
  return {
    read: (workspaceId) => readQueue(database, workspaceId),
    async setPaused(workspaceId, isPaused, by) {
      await database.transaction(async (tx) => {
        const change = isPaused ? pauseWorkspace : resumeWorkspace;
        const { wasPaused } = await change(tx, workspaceId);
        if (wasPaused === isPaused) return;
        await audit?.append(tx, {
          ...by,
          action: isPaused ? "queue.pause" : "queue.resume",
          subject: { kind: "workspace", id: workspaceId },
          workspaceId,
          before: { paused: wasPaused },
          after: { paused: isPaused },
        });
      });
      if (!isPaused) hints.ready(await firstOfLanes(database, workspaceId));
      return readQueue(database, workspaceId);
    },
  };
}
