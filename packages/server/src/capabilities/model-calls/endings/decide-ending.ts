// What the caller gets and is charged, for every outcome of a provider (decisions, section 3). Pure. `record`: a retry under
// the key gets this answer again. `release`: nothing was requested, or the provider refused it, so the key may be used
// again. `stay_open`: only the provider knows, so we keep following the call.

import { Fault } from "../../../foundation/fault.ts";
import type { FaultCode } from "../../../foundation/fault-codes.ts";
import type { RecordedAnswer, RefusedAccount } from "../../calls/index.ts";
import { charge, creditsText } from "../../prices/index.ts";
import { type Outcome, outcomeReasons } from "../../providers/index.ts";
import type { CatalogModel } from "../catalog/catalog.ts";
import { routerAnswer } from "./router-answer.ts";

export interface Ending {
  readonly next: "record" | "release" | "stay_open" | "unknown";
  readonly answer: RecordedAnswer;
  readonly charge: bigint;
  readonly outcome: string;
  readonly refusedAccount?: RefusedAccount;
}

export interface EndingInput {
  readonly model: Pick<CatalogModel, "definition" | "price" | "isOwnCredential">;
  readonly input: unknown;
  // Decides whether a lost answer can be collected later, and whether it can cost anything. Absent if no caller waits.
  readonly waiting?: { readonly isKeyed: boolean; readonly isFree: boolean };
}

export function decideEnding(outcome: Outcome, { model, input, waiting }: EndingInput): Ending {
  switch (outcome.kind) {
    case "completed": {
      const cost = charge(model.price, input, outcome.reported);
      const headers = { "content-type": outcome.answer.contentType, "x-service-credits-used": creditsText(cost) };
      return {
        next: "record",
        charge: cost,
        outcome: "succeeded",
        answer: { status: 200, headers, body: outcome.answer.body },
      };
    }
    case "ran": {
      const { answer, jobId, paid } = outcome;
      const headers = {
        "content-type": answer.contentType,
        "x-service-credits-used": creditsText(paid),
        "x-service-job-id": jobId,
      };
      return {
        next: "record",
        charge: 0n,
        outcome: "succeeded",
        answer: { status: answer.status, headers, body: answer.body },
      };
    }
    case "not_run": {
      const { fault, jobId, paid } = outcome;
      const answer = withCost(answerOf(fault, null), paid);
      const headers = jobId === null ? answer.headers : { ...answer.headers, "x-service-job-id": jobId };
      return {
        next: jobId === null ? "release" : "record",
        charge: 0n,
        outcome: fault.code,
        answer: { ...answer, headers },
      };
    }
    case "refused": {
      const words = outcome.message
        ? `The provider refused this on policy grounds: ${outcome.message}`
        : "The provider refused this on policy grounds.";
      const cost = model.definition.charges_on_policy_rejection === "yes" ? charge(model.price, input) : 0n;
      return ended("record", "content_policy_violation", words, { status: outcome.upstreamStatus, charge: cost });
    }
    case "cancelled":
      return cancelledEnding(outcome, { model, input });
    case "rejected_input":
      if (outcome.detail !== null) return relayedFields(outcome.detail, outcome.upstreamStatus);
      return ended("record", "invalid_request", outcome.message ?? "The provider rejected the input.", {
        status: outcome.upstreamStatus,
      });
    case "failed":
      return {
        ...ended(
          outcome.accepted ? "record" : "release",
          "provider_error",
          wordsOfFailure(outcome, model.isOwnCredential),
          { status: outcome.upstreamStatus, retryAfterSeconds: outcome.retryAfterSeconds },
        ),
        ...(outcome.refusedAccount
          ? { refusedAccount: { ...outcome.refusedAccount, mender: model.isOwnCredential ? "workspace" : "operator" } }
          : {}),
      };
    case "provider_timed_out":
      return ended(
        outcome.accepted ? "record" : "release",
        "provider_timeout",
        "The provider ran out of time. Nothing was charged.",
        { status: outcome.upstreamStatus },
      );
    case "not_sent":
      return ended("release", "provider_error", "The provider could not be reached. Nothing was charged.", {
        status: null,
      });
    case "no_answer":
      return model.definition.recovery === "neither" && !model.definition.poll
        ? unknownEnding()
        : lostEnding(waiting ?? { isKeyed: true, isFree: false });
  }
}

// It costs what the provider reports of it, if the definition says that it may cost something.
function cancelledEnding(
  { upstreamStatus, reported }: Extract<Outcome, { kind: "cancelled" }>,
  { model, input }: EndingInput,
): Ending {
  const cost = model.definition.cancel?.charged === "reported" ? charge(model.price, input, reported) : 0n;
  const words = `This call was cancelled at the provider.${cost === 0n ? " Nothing was charged." : ""}`;
  return ended("record", "cancelled", words, { status: upstreamStatus, charge: cost });
}

// A free call without a key is not followed, so nothing more can come of it. For a paid one we do not know yet whether it is
// charged.
function lostEnding({ isKeyed, isFree }: NonNullable<EndingInput["waiting"]>): Ending {
  const lost = "The provider's answer was lost.";
  const words = isKeyed
    ? `${lost} Retry with the same Idempotency-Key to get it.`
    : isFree
      ? `${lost} Nothing was charged.`
      : `${lost} The call is charged only if the provider completed it. Send an Idempotency-Key with future calls to be able to collect such answers.`;
  return ended("stay_open", "provider_error", words, { status: null, charge: isFree ? 0n : null });
}

function wordsOfFailure(failed: Extract<Outcome, { kind: "failed" }>, isOwnCredential = false): string {
  const { reason, upstreamStatus } = failed;
  if (reason === outcomeReasons.tooLarge)
    return "The provider's answer is larger than 64 MiB, the limit of this server. Nothing was charged. Request a smaller result, or a link.";
  if (reason === outcomeReasons.busy)
    return "The provider is busy and refused every attempt (429). Nothing was charged. Try again later.";
  if (reason !== outcomeReasons.ourAccount) return "The provider failed. Nothing was charged.";
  if (isOwnCredential) return "The provider refused the workspace's own credential. Nothing was charged.";
  return `The provider rejected this server's account${upstreamStatus === null ? "" : ` (status ${upstreamStatus})`}. Nothing was charged. Only the operator of this server can fix this.`;
}

// Decisions, section 3: the key keeps giving this answer, nothing is charged, and nothing is sent again.
export function unknownEnding(): Ending {
  const words =
    "We don't know whether the provider ran this call. Nothing was charged. Use a new Idempotency-Key to run it again.";
  return { ...ended("record", "provider_error", words, { status: null }), next: "unknown", outcome: "unknown" };
}

function ended(
  next: Ending["next"],
  code: FaultCode,
  words: string,
  // A null charge is not known yet.
  more: { status: number | null; charge?: bigint | null; retryAfterSeconds?: number | undefined },
): Ending {
  const { charge: cost = 0n, retryAfterSeconds } = more;
  const fault = new Fault(code, words, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
  const answer = answerOf(fault, more.status);
  return { next, charge: cost ?? 0n, outcome: code, answer: cost === null ? answer : withCost(answer, cost) };
}

// Errors also state what is known of the cost, so a caller who was charged nothing need not look it up.
export function withCost(answer: RecordedAnswer, cost: bigint): RecordedAnswer {
  return { ...answer, headers: { ...answer.headers, "x-service-credits-used": creditsText(cost) } };
}

// Spec, Router validation error body: the provider's own list, verbatim, never billed.
function relayedFields(detailText: string, upstreamStatus: number): Ending {
  const fault = new Fault("validation_failed", "The provider rejected the input.");
  const refused = withCost(answerOf(fault, upstreamStatus), 0n);
  const answer = { ...refused, body: Buffer.from(`{"detail":${detailText}}`) };
  return { next: "record", charge: 0n, outcome: "validation_failed", answer };
}

export function answerOf(fault: Fault, upstreamStatus: number | null): RecordedAnswer {
  const { status, headers, body } = routerAnswer(fault);
  return {
    status,
    headers: {
      ...headers,
      ...(upstreamStatus === null ? {} : { "x-service-upstream-status": String(upstreamStatus) }),
      ...(fault.retryAfterSeconds === undefined ? {} : { "retry-after": String(fault.retryAfterSeconds) }),
    },
    body: Buffer.from(body),
  };
}

// What a key answers if there was no room to record the real answer. The call does not run again under this key (decisions,
// section 3).
export function unkeptAnswer(isCharged: boolean): RecordedAnswer {
  const what = isCharged
    ? "The call ended, was charged and was answered once, but this server had no space to store the answer."
    : "The call ended, but this server had no space to store the answer. Nothing was charged.";
  return answerOf(new Fault("internal_error", `${what} Use a new Idempotency-Key to run it again.`), null);
}
