// Whether the results of models and jobs can be stored. Checked at most once a second, because every call asks.
import type { Clock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { Log } from "../../../foundation/log.ts";

export interface RecordingProblemDeps {
  readonly blobs: { freeSpaceProblem(): Promise<string | null> };
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Pick<Log, "error" | "info">;
}

const rememberMs = 1_000;
const retryAfterSeconds = 30;

export function recordingProblem({ blobs, clock, log }: RecordingProblemDeps): () => Promise<Fault | null> {
  let seen: Promise<string | null> = Promise.resolve(null);
  let seenMs = Number.NEGATIVE_INFINITY;
  let reported: string | null = null;

  async function look(): Promise<string | null> {
    const problem = await blobs.freeSpaceProblem().catch(() => "The blob store did not respond.");
    // Logged when the problem begins and ends, not with every call.
    if (problem !== null && reported === null)
      log.error({ problem }, "results cannot be stored: model calls are refused, jobs end without their outputs");
    if (problem === null && reported !== null) log.info({}, "results can be stored again");
    reported = problem;
    return problem;
  }

  return async () => {
    const nowMs = clock.monotonicMs();
    if (nowMs - seenMs >= rememberMs) {
      seenMs = nowMs;
      seen = look();
    }
    if ((await seen) === null) return null;
    const words = "This server has no space to store results right now. Nothing was started.";
    return new Fault("service_unavailable", words, { retryAfterSeconds });
  };
}
