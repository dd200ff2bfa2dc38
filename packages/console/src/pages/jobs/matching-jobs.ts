// All jobs that match a filter, beyond those that the page has loaded; and what can be done with all of them.
import type { Job, JobState } from "@atelier/sdk";
import { call } from "../../api/client.ts";
import { runAgain } from "../../api/jobs.ts";
import { operations } from "../../api/operations.ts";
import { readJobs } from "./job-list.ts";

// More than this at once is for a program.
export const matchingMax = 2_000;

export type Matching = Pick<Job, "id" | "metadata" | "priority" | "status">;

export async function gatherJobs(
  filter: { readonly q: string; readonly states: readonly JobState[] },
  onCount: (count: number) => void,
  signal?: AbortSignal,
): Promise<readonly Matching[]> {
  const found: Matching[] = [];
  let cursor: string | null = null;
  do {
    const page = await readJobs(filter, { cursor, limit: 100 }, signal);
    found.push(
      ...page.data.map(({ id, metadata, priority, status }) => ({ id, metadata, priority, status }) as Matching),
    );
    onCount(found.length);
    cursor = page.has_more ? (page.next_cursor ?? null) : null;
  } while (cursor !== null && found.length < matchingMax);
  return found.slice(0, matchingMax);
}

// The server's limit per call.
const cancelMax = 100;

// Returns how many were canceled; the others had ended.
export async function cancelJobs(ids: readonly string[], onDone: (count: number) => void = () => undefined) {
  let canceled = 0;
  for (let at = 0; at < ids.length; at += cancelMax) {
    const answer = await call(operations.cancelManyJobs, { json: { job_ids: ids.slice(at, at + cancelMax) } });
    canceled += answer.cancelled.length;
    onDone(Math.min(ids.length, at + cancelMax));
  }
  return canceled;
}

// One after the other, oldest first, so that they run in their previous order.
export async function rerunJobs(jobs: readonly Matching[], onDone: (count: number) => void): Promise<void> {
  for (const [at, job] of jobs.toReversed().entries()) {
    await runAgain(job);
    onDone(at + 1);
  }
}
