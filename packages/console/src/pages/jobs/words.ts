// Describes a job in one line.
import type { Job, Progress } from "@atelier/sdk";
import { spanOf } from "../../ui/figures.tsx";
import { queuedWords } from "./queue-words.ts";

export { queuedWords, queueWords } from "./queue-words.ts";

// "KSampler 21/50 · node 11 of 31"
export function progressWords(progress: Progress | null): string {
  if (progress === null) return "Begins";
  const { current_node_class, step, steps, nodes_done, nodes_total, message } = progress;
  const steps_ = step === null || step === undefined || !steps ? "" : ` ${step}/${steps}`;
  const node = current_node_class ? `${current_node_class}${steps_}` : (message ?? "");
  const of = nodes_total > 0 ? `node ${Math.min(nodes_total, nodes_done + 1)} of ${nodes_total}` : "";
  return [node, of].filter((part) => part !== "").join(" · ") || "Running";
}

// The text next to a row's state.
export function lineOf(job: Job): string {
  switch (job.status) {
    case "queued":
      return queuedWords(job);
    case "running":
      return progressWords(job.progress);
    case "canceling":
      return "Stops at the next step";
    case "failed":
      return failureWords(job);
    case "expired":
      return "Ran out of time";
    case "canceled":
      return job.outputs.length > 0 ? countOf(job.outputs.length, "output") : "Nothing was made";
    default:
      return `${countOf(job.outputs.length, "output")}${job.outputs_reused ? " · partly reused" : ""}`;
  }
}

export function failureWords({ error }: Job): string {
  if (error === null) return "Failed";
  const node = error.node_id ? `${error.class_type ?? "Node"} (node ${error.node_id}): ` : "";
  return `${node}${error.message}`;
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

export const waitedMs = (job: Job, now: number): number =>
  Math.max(0, (job.started_at ? new Date(job.started_at).getTime() : now) - new Date(job.created_at).getTime());

export const elapsedWords = (ms: number | null): string => (ms === null ? "–" : spanOf(ms));
