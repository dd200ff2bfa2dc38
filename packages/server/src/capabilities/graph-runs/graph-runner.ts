// Anything that can run a graph: the engine in our own child processes, or an application next to a worker. A runner knows
// nothing of queues, leases or attempts; it runs one graph, reports progress, and says how it ended.
import type { ClaimedJob, JobEnding, JobPreview, JobProgress, OutputInput } from "../jobs/index.ts";
import type { NodeBoard } from "./node-board.ts";

// An output that can be read more than once, so we can retry storing it while our database or disk is away.
export interface RunOutput extends Omit<OutputInput, "source"> {
  open(): AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
}

export interface RunReport {
  // Both are hints: newest wins, never waited for.
  progress(progress: JobProgress): void;
  preview(preview: JobPreview): void;
  // Sets the board that has the state of each node. It is read whenever progress is written, and at the end.
  nodes(board: NodeBoard): void;
  // Resolves when the output is committed. Throws LeaseLost if another worker has the job by now.
  output(output: RunOutput): Promise<void>;
  // Retries work that failed because of a temporary problem on our side (isPassingFault), for as long as the lease can be kept.
  // When it gives up, `run` must rethrow the error unchanged.
  insist<T>(work: () => Promise<T>): Promise<T>;
  // Call before a node pays for a call: the credits held for the node become available to that call.
  releasePart(part: string): Promise<void>;
}

export interface GraphRunner {
  // The signal ends the run because the job was canceled, its lease was lost or the process is stopping; its `reason` is one
  // of "canceled", "lost" and "given_back". The returned ending then counts only for a cancel. Rejecting counts as a
  // retryable failure of the runner; with an AwayFault the job goes back into the queue and no attempt is counted.
  run(job: ClaimedJob, report: RunReport, signal: AbortSignal): Promise<JobEnding>;
}

export class LeaseLost extends Error {
  constructor() {
    super("Another worker has taken over the job.");
    this.name = "LeaseLost";
  }
}
