// Asks the hook. One time limit covers everything: a connection that fails and an answer of 429, 500 or above are tried again
// while there is time, under the same webhook-id, so that a hook that restarts costs a moment and no call. The request is signed
// as webhooks are.
import type { Clock } from "../../foundation/clock.ts";
import type { GuardedClient, GuardedOutcome } from "../../foundation/http/outgoing/guarded-client.ts";
import type { Log } from "../../foundation/log.ts";
import { signDelivery } from "../webhooks/index.ts";
import { readVerdict } from "./read-verdict.ts";
import type { SafetyCheck, SafetyHook, SafetyQuestion, SafetyStage, SafetyVerdict } from "./safety-hook.ts";
import type { SafetyMeter } from "./safety-metrics.ts";
import { writeQuestion } from "./write-question.ts";

export interface SafetyHookDeps {
  readonly client: GuardedClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: SafetyMeter;
  readonly userAgent: string;
  readonly url: string;
  readonly secret: Uint8Array;
  readonly msMax: number;
  readonly onFailure: "open" | "closed";
  readonly stages: readonly SafetyStage[];
  // Such as `openai/*`. Empty: every model.
  readonly models: readonly string[];
  // The largest input or answer that is sent along.
  readonly bytesMax: number;
}

const againMs = 100;
// What surrounds a replacement.
const verdictBytesMax = 64 * 1024;

export function createSafetyHook(deps: SafetyHookDeps): SafetyHook {
  const { clock, log, meter } = deps;
  const patterns = deps.models.map(patternOf);
  return {
    covers: (stage, models) =>
      deps.stages.includes(stage) &&
      (patterns.length === 0 || models.some((model) => patterns.some((matches) => matches(model)))),
    async ask(question) {
      const at = clock.now().toISOString();
      const startedMs = clock.monotonicMs();
      const verdict = await verdictOn(deps, question);
      const ms = Math.round(clock.monotonicMs() - startedMs);
      meter.asked(question.stage, verdict, ms);
      const { stage, callId, model } = question;
      if (verdict.kind === "failed")
        log.warn(
          { callId, model, stage, reason: verdict.reason, passes: verdict.mayPass },
          "the safety hook gave no verdict",
        );
      else if (verdict.kind !== "allow")
        log.info({ callId, model, stage, verdict: verdict.kind }, "the safety hook intervened");
      return { at, ms, verdict } satisfies SafetyCheck;
    },
    close: () => deps.client.close(),
  };
}

async function verdictOn(deps: SafetyHookDeps, question: SafetyQuestion): Promise<SafetyVerdict> {
  const failed = (reason: string): SafetyVerdict => ({ kind: "failed", mayPass: deps.onFailure === "open", reason });
  const answer = await exchange(deps, question);
  if (answer.kind === "refused") return failed(`its URL may not be called (${answer.reason})`);
  if (answer.kind === "failed") return failed(wordsOfFailure[answer.reason]);
  if (answer.status !== 200) return failed(`it answered ${answer.status}`);
  if (answer.truncated) return failed("its answer is too large");
  const verdict = readVerdict(question.stage, answer.body);
  return verdict.kind === "unreadable" ? failed(verdict.why) : verdict;
}

const wordsOfFailure = {
  resolve: "its host name could not be resolved",
  connect: "it could not be reached",
  broken: "the connection broke",
  timed_out: "it took too long",
  aborted: "the server stopped waiting",
} as const;

async function exchange(deps: SafetyHookDeps, question: SafetyQuestion): Promise<GuardedOutcome> {
  const { clock, client, url, msMax, bytesMax } = deps;
  const body = writeQuestion(question, bytesMax);
  const startedMs = clock.monotonicMs();
  for (;;) {
    const outcome = await client.request({
      url,
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": deps.userAgent,
        ...signDelivery({ id: `${question.callId}-${question.stage}`, body }, clock.now(), [deps.secret]),
      },
      body,
      answerBytesMax: bytesMax + verdictBytesMax,
      totalMs: Math.max(1, msMax - (clock.monotonicMs() - startedMs)),
      scope: "safety hook",
    });
    if (!mayPassSoon(outcome) || clock.monotonicMs() - startedMs + againMs >= msMax) return outcome;
    await clock.sleep(againMs);
  }
}

function mayPassSoon(outcome: GuardedOutcome): boolean {
  if (outcome.kind === "answered") return outcome.status === 429 || outcome.status >= 500;
  return outcome.kind === "failed" && ["resolve", "connect", "broken"].includes(outcome.reason);
}

// `*` stands for any characters; everything else for itself. Linear, whatever the pattern.
function patternOf(pattern: string): (model: string) => boolean {
  const parts = pattern.split("*");
  const [first = "", ...others] = parts;
  const last = others.pop();
  if (last === undefined) return (model) => model === pattern;
  return (model) => {
    if (!model.startsWith(first) || model.length < first.length + last.length || !model.endsWith(last)) return false;
    const end = model.length - last.length;
    let at = first.length;
    for (const part of others) {
      const found = model.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
