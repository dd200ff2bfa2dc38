// What jobs leave behind for a saved workflow: the document they ran, and the latest run of each workflow. A job names its
// workflow with a label.
import type { Queryable } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { findSpan } from "../../foundation/json/json-spans.ts";
import { labelOf } from "./changes/job-labels.ts";
import type { JobId, PoolId } from "./job.ts";
import { findLatestRuns, findSubmitted } from "./job-runs-store.ts";

export const workflowLabel = "workflow";

export interface LatestRun {
  readonly jobId: JobId;
  readonly finishedAt: Date;
  // The asset of its first picture.
  readonly picture: string | null;
}

export interface JobRuns {
  // As it was submitted, from any pool: the editor's document if it came along, else the graph. Null if there is no such job.
  document(wanted: { readonly workspaceId: WorkspaceId; readonly jobId: JobId }): Promise<Buffer | null>;
  // The latest job of each workflow that succeeded.
  latest(wanted: {
    readonly workspaceId: WorkspaceId;
    readonly poolId: PoolId;
    readonly workflowIds: readonly string[];
  }): Promise<ReadonlyMap<string, LatestRun>>;
}

export function createJobRuns(db: Queryable): JobRuns {
  return {
    async document(wanted) {
      const found = await findSubmitted(db, wanted);
      if (found === null) return null;
      const information = Buffer.from(found.pngInfo ?? "{}");
      const span = findSpan(information, "/workflow");
      return span === null ? found.graph : information.subarray(span.start, span.end);
    },
    async latest({ workflowIds, ...home }) {
      if (workflowIds.length === 0) return new Map();
      const labels = workflowIds.map((id) => labelOf(home, [workflowLabel, id]));
      const runs = await findLatestRuns(db, home.workspaceId, labels);
      return new Map(
        runs.flatMap(({ label, ...run }) => {
          const id = workflowIds[labels.indexOf(label)];
          return id === undefined ? [] : [[id, run]];
        }),
      );
    },
  };
}
