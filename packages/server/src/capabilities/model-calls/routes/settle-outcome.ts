// A target of a route answered unclearly, or not at all. If its provider can be asked about our reference, we ask before we give
// up: it may have the result, or it may never have got the call. "Not found" proves the latter only if the definition says from
// when on, because a request can still be on its way.
import {
  type Attempt,
  askAbout,
  isProvenNotRun,
  type Outcome,
  outcomeReasons,
  type RunDeps,
  type ServedModel,
} from "../../providers/index.ts";

export interface Unsettled {
  readonly model: ServedModel;
  readonly reference: string;
  readonly outcome: Outcome;
  attempted(attempt: Attempt): void;
}

const pausesMs = [0, 500, 1_000, 2_000, 4_000, 8_000, 8_000];
// Without a final answer, this often is enough.
const notFoundMax = 2;

export async function settleOutcome(deps: RunDeps, unsettled: Unsettled): Promise<Outcome> {
  const { model, outcome, reference } = unsettled;
  const { ask, recovery } = model.definition;
  if (!isUnclear(outcome) || recovery !== "ask" || ask === undefined) return outcome;
  const endedMs = deps.clock.monotonicMs();
  const finalAfterMs = ask.final_after_seconds === undefined ? null : ask.final_after_seconds * 1000;
  let notFound = 0;
  let runs = false;
  for (const pauseMs of withFinal(finalAfterMs)) {
    if (pauseMs > 0) await deps.clock.sleep(pauseMs);
    const signal = AbortSignal.timeout(askTimeoutMs);
    const asked = await askAbout(deps, model, reference, signal, unsettled.attempted);
    if (asked.kind === "ended") return asAccepted(asked.outcome);
    if (asked.kind === "running") runs = true;
    if (asked.kind !== "not_found") continue;
    notFound += 1;
    if (finalAfterMs !== null && deps.clock.monotonicMs() - endedMs >= finalAfterMs)
      return { kind: "failed", accepted: false, upstreamStatus: statusOf(outcome), reason: outcomeReasons.notRun };
    if (finalAfterMs === null && notFound >= notFoundMax) return outcome;
  }
  return runs ? { kind: "no_answer", reason: "the provider still runs it" } : outcome;
}

const askTimeoutMs = 10_000;

// The last look comes when "not found" is final.
function withFinal(finalAfterMs: number | null): readonly number[] {
  if (finalAfterMs === null) return pausesMs;
  const pauses: number[] = [];
  let sum = 0;
  for (const pauseMs of pausesMs) {
    if (sum + pauseMs >= finalAfterMs) break;
    pauses.push(pauseMs);
    sum += pauseMs;
  }
  return [...pauses, Math.max(0, finalAfterMs - sum), 1_000, 2_000];
}

// It may have run: the answer was lost, or was an error that says nothing about the work.
export function isUnclear(outcome: Outcome): boolean {
  if (outcome.kind === "no_answer") return true;
  if (outcome.kind === "provider_timed_out") return !outcome.accepted;
  return outcome.kind === "failed" && !outcome.accepted && !isProvenNotRun(outcome);
}

// The provider has a record of the call, so it took it on.
function asAccepted(outcome: Outcome): Outcome {
  return outcome.kind === "failed" || outcome.kind === "provider_timed_out" ? { ...outcome, accepted: true } : outcome;
}

function statusOf(outcome: Outcome): number | null {
  return "upstreamStatus" in outcome ? outcome.upstreamStatus : null;
}
