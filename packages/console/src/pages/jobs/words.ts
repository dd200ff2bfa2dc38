// Describes a job in one line.
import type { Job, Progress } from "@atelier/sdk";
import { jobs } from "#strings/jobs";
import { queuedWords } from "./queue-words.ts";

export { queuedWords, queueWords } from "./queue-words.ts";

const words = jobs.line;

// "KSampler 21/50 · node 11 of 31"
export function progressWords(progress: Progress | null): string {
  if (progress === null) return words.starting;
  const { current_node_class, step, steps, nodes_done, nodes_total, message } = progress;
  const steps_ = step === null || step === undefined || !steps ? "" : ` ${step}/${steps}`;
  const node = current_node_class ? `${current_node_class}${steps_}` : (message ?? "");
  const of = nodes_total > 0 ? words.nodeOf(Math.min(nodes_total, nodes_done + 1), nodes_total) : "";
  return [node, of].filter((part) => part !== "").join(" · ") || words.running;
}

// The text next to a row's state.
export function lineOf(job: Job): string {
  switch (job.status) {
    case "queued":
      return queuedWords(job);
    case "running":
      return progressWords(job.progress);
    case "canceling":
      return words.canceling;
    case "failed":
      return failureWords(job);
    case "expired":
      return words.timedOut;
    case "canceled":
      return job.outputs.length > 0 ? jobs.outputs(job.outputs.length) : words.noOutputs;
    default:
      return job.outputs_reused
        ? words.partlyReused(jobs.outputs(job.outputs.length))
        : jobs.outputs(job.outputs.length);
  }
}

export function failureWords({ error }: Job): string {
  if (error === null) return words.failed;
  if (!error.node_id) return error.message;
  return words.failedNode(error.class_type ?? jobs.anyNode, error.node_id, error.message);
}

export const waitedMs = (job: Job, now: number): number =>
  Math.max(0, (job.started_at ? new Date(job.started_at).getTime() : now) - new Date(job.created_at).getTime());
