// Submits several jobs of one graph, a few at a time, each under its own key, and waits if the queue is full. The first goes
// alone: if it is wrong, all are, and then nothing was submitted.
import { AtelierError, type JobHandle, referenceTo, type SubmitOptions } from "@atelier/sdk";
import { exitCodes } from "../exit-codes.ts";
import { exitCodeOf, toFailure } from "../failure.ts";
import { uniqueName } from "../files/unique-name.ts";
import { uploadFile } from "../files/upload-file.ts";
import { explainError } from "../server/explain-error.ts";
import type { Asked } from "../server/over-http.ts";
import { inParallel } from "../terminal/in-parallel.ts";
import type { BatchEntry } from "./batch-entry.ts";
import { type BatchPlan, graphOfRun } from "./batch-plan.ts";
import type { ApiGraph } from "./graph-inputs.ts";
import { submittable } from "./read-graph.ts";

export interface Submission {
  readonly plan: BatchPlan;
  readonly graph: ApiGraph;
  readonly options: Omit<SubmitOptions, "idempotencyKey">;
}

const submissionsAtOnce = 4;

interface SubmitBatchOptions {
  readonly stopping: AbortSignal;
  // Reports one job's new state.
  report(entry: BatchEntry): void;
  // `plain` prints only if no line is redrawn.
  readonly say: Readonly<Record<"plain" | "always", (line: string) => void>>;
}

export async function submitBatch(
  asked: Asked,
  submission: Submission,
  entries: readonly BatchEntry[],
  { stopping, report, say }: SubmitBatchOptions,
): Promise<void> {
  const files = new Map<string, Promise<unknown>>();
  // Repetitions with the same file upload it once.
  const referenceOf = (path: string): Promise<unknown> => {
    const label = submission.plan.fileInputs.map(({ nodeId, input }) => `${nodeId}.${input}`).join(" ");
    const sending =
      files.get(path) ?? uploadFile({ ...asked, say: say.plain }, path, label, stopping).then(referenceTo);
    files.set(path, sending);
    return sending;
  };
  const submitOne = async (entry: BatchEntry): Promise<void> => {
    stopping.throwIfAborted();
    const { file } = entry.run;
    const { graph, seed } = graphOfRun(
      submission.plan,
      submission.graph,
      entry.run,
      file === null ? null : await referenceOf(file),
    );
    entry.graph = graph;
    entry.seed = seed;
    entry.hasJob(await waitForRoom(asked, { ...submission, graph, stopping, say: say.always }));
    report(entry);
  };
  const [first, ...others] = entries;
  if (first !== undefined) await submitOne(first);
  await inParallel(others, submissionsAtOnce, async (entry) => {
    try {
      await submitOne(entry);
    } catch (error) {
      refuse(asked, entry, error, stopping);
      report(entry);
    }
  });
}

interface Waiting extends Pick<Submission, "options" | "graph"> {
  readonly stopping: AbortSignal;
  say(line: string): void;
}

// Never aborted in the middle: the server may already have the job.
async function waitForRoom({ atelier }: Asked, { options, graph, stopping, say }: Waiting): Promise<JobHandle> {
  const idempotencyKey = uniqueName();
  for (let hasSaid = false; ; ) {
    try {
      return await atelier.jobs.submit(submittable(graph), { ...options, idempotencyKey, queueWaitMs: 0 });
    } catch (error) {
      const isFull = error instanceof AtelierError && error.status === 429 && error.retryAfterSeconds !== null;
      if (!isFull || stopping.aborted) throw error;
      if (!hasSaid) say("  The queue is full; waiting …");
      hasSaid = true;
      await pauseUntil((error.retryAfterSeconds ?? 1) * 1000, stopping);
    }
  }
}

function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}

function refuse({ baseUrl }: Asked, entry: BatchEntry, error: unknown, stopping: AbortSignal): void {
  if (stopping.aborted) {
    entry.isRefused("Not submitted.", exitCodes.interrupted);
    return;
  }
  const whom = { baseUrl, hasKey: true, isAdmin: false };
  const failure = toFailure(error instanceof AtelierError ? explainError(error, whom) : error, "run");
  entry.isRefused(failure.message, exitCodeOf(failure));
}
