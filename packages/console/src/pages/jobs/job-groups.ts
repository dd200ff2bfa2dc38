// The rows of the list: jobs of one batch that follow each other are one group, folded until a person opens it.
import type { Job } from "@atelier/sdk";
import { isActive } from "../../api/jobs.ts";
import { batchOf } from "../../api/labels.ts";

export type ListRow =
  | { readonly kind: "job"; readonly job: Job; readonly at: number; readonly isInGroup: boolean }
  | { readonly kind: "group"; readonly group: JobGroup; readonly at: number; readonly isOpen: boolean };

export interface JobGroup {
  readonly batch: string;
  // Those that are loaded, newest first.
  readonly jobs: readonly Job[];
  // All of them, if their labels say so.
  readonly size: number;
}

// `at`: the index of its first job in the list.
export function listRows(jobs: readonly Job[], opened: ReadonlySet<string>): readonly ListRow[] {
  const rows: ListRow[] = [];
  for (let at = 0; at < jobs.length; ) {
    const end = endOfBatch(jobs, at);
    const job = jobs[at];
    if (job === undefined) break;
    if (end - at < 2) {
      rows.push({ kind: "job", job, at, isInGroup: false });
      at++;
      continue;
    }
    const members = jobs.slice(at, end);
    const { id = "", size = null } = batchOf(job.metadata) ?? {};
    const isOpen = opened.has(id);
    rows.push({
      kind: "group",
      group: { batch: id, jobs: members, size: Math.max(size ?? 0, members.length) },
      at,
      isOpen,
    });
    if (isOpen)
      rows.push(
        ...members.map((each, index) => ({ kind: "job", job: each, at: at + index, isInGroup: true }) as const),
      );
    at = end;
  }
  return rows;
}

function endOfBatch(jobs: readonly Job[], from: number): number {
  const batch = batchOf(jobs[from]?.metadata)?.id;
  let end = from + 1;
  if (batch === undefined) return end;
  while (end < jobs.length && batchOf(jobs[end]?.metadata)?.id === batch) end++;
  return end;
}

export interface GroupState {
  readonly done: number;
  readonly failed: number;
  readonly running: number;
  readonly queued: number;
  // From 0 to 1, with the progress of running jobs.
  readonly share: number;
}

export function stateOf({ jobs, size }: JobGroup): GroupState {
  const count = (isIt: (job: Job) => boolean) => jobs.filter(isIt).length;
  const ended = jobs.filter((job) => !isActive(job));
  const running = jobs.filter(({ status }) => status === "running");
  const parts = running.reduce((sum, { progress }) => sum + (progress?.value ?? 0), ended.length);
  return {
    done: count(({ status }) => status === "succeeded"),
    failed: count(({ status }) => ["failed", "expired", "canceled"].includes(status)),
    running: running.length + count(({ status }) => status === "canceling"),
    queued: count(({ status }) => status === "queued"),
    share: size === 0 ? 0 : Math.min(1, parts / size),
  };
}
