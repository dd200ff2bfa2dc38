// What can run a graph: the engine in our own child processes, or an application beside a worker. A runner knows
// nothing of queues, leases or attempts; it runs one graph, tells how far it is, and says how it ended.
import type { ClaimedJob, JobEnding, JobPreview, JobProgress, OutputInput } from "../jobs/index.ts";
import type { NodeBoard } from "./node-board.ts";

// An output that can be read more than once: keeping it is tried again while our own database or disk is away.
export interface RunOutput extends Omit<OutputInput, "source"> {
  open(): AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
}

export interface RunReport {
  // Both are hints: newest wins, never waited for.
  progress(progress: JobProgress): void;
  preview(preview: JobPreview): void;
  // What tells from now on how each node is doing; asked whenever progress is written, and with the end.
  nodes(board: NodeBoard): void;
  // Resolves when the output is committed. Throws LeaseLost when the job is another worker's by now.
  output(output: RunOutput): Promise<void>;
  // Tries again what failed for a trouble of ours that passes (isPassingFault), for as long as the lease can be kept. What
  // it gives up on is to be thrown by `run`, as it is.
  insist<T>(work: () => Promise<T>): Promise<T>;
  // Before a node pays for itself: what was held for it becomes available to its own call.
  releasePart(part: string): Promise<void>;
}

export interface GraphRunner {
  // The signal ends the run, because the job was canceled, its lease was lost or the process stops; what the ending
  // says then counts for a cancel only; its `reason` is one of "canceled", "lost" and "given_back". Rejecting counts as a
  // retryable failure of the runner; with an AwayFault the job goes back into the queue and no attempt is counted.
  run(job: ClaimedJob, report: RunReport, signal: AbortSignal): Promise<JobEnding>;
}

export class LeaseLost extends Error {
  constructor() {
    super("The job is another worker's by now.");
    this.name = "LeaseLost";
  }
}
