// How pages read jobs. State comes only from these reads; streams just update the display in between.
import type { GraphEstimate, Job, JobNode, JobState } from "@atelier/sdk";
import { api as words } from "#strings/api";
import { call } from "./client.ts";
import { asWorkflow, type EditorFile, type Graph } from "./graphs.ts";
import { operations } from "./operations.ts";
import { readQuery } from "./read-query.ts";

export { labelsOf, metadataIn, metadataText } from "./labels.ts";

export const endedStates: ReadonlySet<JobState> = new Set(["succeeded", "failed", "canceled", "expired"]);
export const isActive = ({ status }: Pick<Job, "status">): boolean => !endedStates.has(status);

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const jobQuery = (id: string) => ({
  ...readQuery(["job", id], operations.getJob, { params: { id } }),
  staleTime: 1_000,
});

// How many of the workspace's jobs are queued and running. Not available on the self-hosted surface.
export const queueQuery = { ...readQuery(["account", "queue"], operations.getAccountQueue), refetchInterval: 5_000 };

// The graph of a job never changes.
export const jobWorkflowQuery = (id: string) => ({
  ...readQuery(["job", id, "workflow"], operations.getJobWorkflow, { params: { id } }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const recentJobsQuery = (limit: number) =>
  readQuery(["jobs", "recent", limit], operations.listJobs, { query: { limit } });

export interface Submission {
  readonly workflow: Graph | EditorFile | Readonly<Record<string, unknown>>;
  readonly metadata?: Job["metadata"];
  readonly priority?: number | undefined;
}

// With an idempotency key, so that a lost answer does not run it twice.
export function submitJob({ workflow, metadata, priority }: Submission, key: string): Promise<Job> {
  return call(operations.submitJob, {
    headers: { "idempotency-key": key },
    json: {
      workflow: asWorkflow(workflow),
      ...(metadata === undefined || metadata === "" ? {} : { metadata }),
      ...(priority === undefined || priority === 0 ? {} : { priority }),
    },
  });
}

export async function runAgain(job: Pick<Job, "id" | "metadata" | "priority">): Promise<Job> {
  const { workflow } = await call(operations.getJobWorkflow, { params: { id: job.id } });
  const { metadata, priority } = job;
  return submitJob(
    { workflow, ...(metadata === undefined ? {} : { metadata }), ...(priority === undefined ? {} : { priority }) },
    crypto.randomUUID(),
  );
}

export function cancelJob(id: string): Promise<Job> {
  return call(operations.cancelJob, { params: { id } });
}

export function estimateGraph(workflow: unknown, signal?: AbortSignal): Promise<GraphEstimate> {
  return call(operations.createEstimate, { json: { workflow: asWorkflow(workflow) }, signal });
}

// A job's display name: its text or its label `name`, otherwise the name of its files, otherwise the end of its id (the
// beginning is the time).
export function jobName({ id, metadata, outputs }: Pick<Job, "id" | "metadata" | "outputs">): string {
  if (typeof metadata === "string" && metadata !== "") return metadata;
  if (typeof metadata === "object" && metadata["name"]) return metadata["name"];
  const file = outputs[0]?.name.replace(/_?\d*_?\.[^.]*$/, "");
  return file ? file : words.job(shortId(id));
}

export interface MadeByNode {
  // The asset of the last picture or film; null if it made neither.
  readonly picture: string | null;
  readonly count: number;
}

export function madeByNodes(outputs: Job["outputs"]): ReadonlyMap<string, MadeByNode> {
  const made = new Map<string, MadeByNode>();
  for (const { id, node_id, type } of outputs) {
    if (!node_id) continue;
    const before = made.get(node_id);
    const isPicture = type === "image" || type === "video";
    made.set(node_id, { picture: isPicture ? id : (before?.picture ?? null), count: (before?.count ?? 0) + 1 });
  }
  return made;
}

// How long a node ran. For a running node the time keeps counting between updates, by its own start or the job's.
export function nodeMs(job: Pick<Job, "status" | "started_at">, node: JobNode, now: number): number | null {
  if (node.state !== "running" || job.status !== "running" || job.started_at === null) return node.ms;
  if (typeof node.began_ms !== "number") return node.ms;
  return Math.max(node.ms ?? 0, now - new Date(job.started_at).getTime() - node.began_ms);
}

export const shortId = (id: string): string => id.slice(-8);

// How long it ran, so far or in total; null while it waits, including when it waits again after a restart.
export function ranMs(job: Pick<Job, "status" | "started_at" | "completed_at">, now: number): number | null {
  if (job.started_at === null || job.status === "queued") return null;
  const end = job.completed_at === null ? now : new Date(job.completed_at).getTime();
  return Math.max(0, end - new Date(job.started_at).getTime());
}
