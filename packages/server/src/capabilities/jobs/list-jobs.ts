// One page of a workspace's jobs, newest first.
import type { Cursors } from "../../foundation/cursor.ts";
import { Fault } from "../../foundation/fault.ts";
import { parseId } from "../../foundation/ids.ts";
import type { LabelPair } from "./changes/job-labels.ts";
import type { Job, JobId } from "./job.ts";
import type { FoundJob } from "./job-store.ts";
import type { ListJobs } from "./jobs.ts";
import type { JobFilter } from "./list-store.ts";

export interface ListJobsDeps {
  readonly cursors: Cursors;
  list(filter: JobFilter): Promise<readonly FoundJob[]>;
  withPosition(job: Job): Promise<Job>;
}

export async function listJobs(
  deps: ListJobsDeps,
  asked: ListJobs,
): Promise<{ readonly jobs: readonly Job[]; readonly nextCursor: string | null }> {
  const { workspaceId, poolId, states, metadata, labels = [], idempotencyKey, isUncleared = false, limit } = asked;
  // A cursor is bound to its workspace and to the filters it was issued for.
  const filters = states === null ? null : [...states].sort();
  const labelled = labels.length === 0 ? [] : [[...labels].sort(byKey)];
  const purpose = JSON.stringify(["jobs", workspaceId, poolId, filters, metadata, idempotencyKey, ...labelled]);
  const before = asked.cursor === null ? null : readPosition(deps.cursors.read(purpose, asked.cursor));
  const filter = {
    ...{ workspaceId, poolId, states, metadata, labels, idempotencyKey },
    ...{ isUncleared, before, count: limit + 1 },
  };
  const found = (await deps.list(filter)).map(({ job }) => job);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = found.length > limit && last ? deps.cursors.issue(purpose, [last.id]) : null;
  return { jobs: await Promise.all(page.map((job) => deps.withPosition(job))), nextCursor };
}

const byKey = ([one]: LabelPair, [other]: LabelPair) => (one < other ? -1 : 1);

function readPosition(position: readonly string[] | null): JobId {
  const id = parseId<"job">(position?.[0] ?? "");
  if (id === null)
    throw new Fault("invalid_cursor", "This cursor is invalid or has expired. Start again without a cursor.");
  return id;
}
