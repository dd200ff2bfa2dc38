// One job of a batch, from plan to end.
import type { Job, JobHandle, JobState } from "@atelier/sdk";
import type { PlannedRun } from "./batch-plan.ts";
import type { ApiGraph } from "./graph-inputs.ts";
import type { Seed } from "./graph-seeds.ts";
import type { SavedOutput } from "./save-outputs.ts";

// Besides a job's own states: not submitted yet, and will never be.
export type EntryState = JobState | "waiting" | "not_submitted";

export class BatchEntry {
  readonly run: PlannedRun;
  readonly #submission = Promise.withResolvers<void>();
  // Resolves once it is submitted, or will never be.
  readonly submitted: Promise<void> = this.#submission.promise;
  state: EntryState = "waiting";
  graph: ApiGraph = {};
  seed: Seed | null;
  job: JobHandle | null = null;
  ended: Job | null = null;
  // 0..1, while it runs.
  share = 0;
  saved: readonly SavedOutput[] = [];
  problem: string | null = null;
  exitCode = 0;

  constructor(run: PlannedRun) {
    this.run = run;
    this.seed = run.seed;
  }

  hasJob(job: JobHandle): void {
    this.job = job;
    this.state = job.current.status;
    this.#submission.resolve();
  }

  isRefused(problem: string, exitCode: number): void {
    this.state = "not_submitted";
    this.problem = problem;
    this.exitCode = exitCode;
    this.#submission.resolve();
  }
}
