// Shows an answer to the safety hook before it is recorded, whichever process found it: what a key replays is what was delivered.
// The model has run by then, so a refusal costs what its definition says about refusals, and an answer that could not be checked
// costs nothing (decision 0041).
import { Fault } from "../../../foundation/fault.ts";
import type { RequestId } from "../../../foundation/ids.ts";
import type { Labels } from "../../../foundation/json/labels.ts";
import type { Log } from "../../../foundation/log.ts";
import type { CheckOfCall, OpenCall, RecordedAnswer } from "../../calls/index.ts";
import { creditsText } from "../../prices/index.ts";
import { isEventStream, type RunDeps, type ServedModel } from "../../providers/index.ts";
import { isJson } from "../../safety/index.ts";
import { answerOf, type Ending, withCost } from "../endings/decide-ending.ts";
import { checkOf, policyRefusal } from "./check-of-call.ts";
import type { ScreenDeps } from "./screen-input.ts";

export interface ScreenAnswerDeps extends ScreenDeps {
  readonly answers: Pick<RunDeps["answers"], "whole">;
  readonly log?: Pick<Log, "warn">;
}

export interface AnsweredCall {
  readonly call: OpenCall;
  // As it was called.
  readonly model: string;
  // The one that answered.
  readonly served: Pick<ServedModel, "id" | "definition">;
  readonly requestId: RequestId | null;
  readonly labels?: Labels | undefined;
  readonly ending: Ending;
}

export interface ScreenedAnswer {
  readonly ending: Ending;
  readonly checks: readonly CheckOfCall[];
}

// Whether a stream must wait for a verdict before any of it is delivered.
export function isAnswerScreened({ safety }: ScreenDeps, models: readonly string[]): boolean {
  return safety?.covers("answer", models) ?? false;
}

export async function screenAnswer(deps: ScreenAnswerDeps, answered: AnsweredCall): Promise<ScreenedAnswer> {
  const { call, model, served, requestId, ending, labels = { tags: null, endUser: null } } = answered;
  const { safety } = deps;
  if (!safety || ending.outcome !== "succeeded" || !isAnswerScreened(deps, [model, served.id]))
    return { ending, checks: [] };
  const { id: callId, workspaceId } = call;
  const asked = { stage: "answer", callId, requestId, workspaceId, model, target: served.id, labels } as const;
  const found = await safety.ask({ ...asked, ...(await shownOf(deps, answered)) });
  const check = await checkOf(deps, workspaceId, "answer", found);
  const { verdict } = found;
  const withheld = (fault: Fault, cost: bigint, last: CheckOfCall = check): ScreenedAnswer => {
    noteUnbilled(deps, answered, cost);
    return { ending: refusedEnding(ending, fault, cost), checks: [last] };
  };
  switch (verdict.kind) {
    case "allow":
      return { ending, checks: [check] };
    case "refuse": {
      const isCharged = served.definition.charges_on_policy_rejection === "yes";
      return withheld(policyRefusal("answer", check.words), isCharged ? ending.charge : 0n);
    }
    case "replace": {
      if (isJson(typeOf(ending.answer))) return { ending: replaced(ending, verdict.bytes), checks: [check] };
      return withheld(unfit(ending), 0n, { ...check, verdict: "failed", words: "Only a JSON answer can be replaced." });
    }
    case "failed":
      return verdict.mayPass ? { ending, checks: [check] } : withheld(unchecked(ending), 0n);
  }
}

// Of a stream, the body that its events make.
async function shownOf({ answers }: ScreenAnswerDeps, { ending, served }: AnsweredCall) {
  const { body } = ending.answer;
  const contentType = typeOf(ending.answer);
  const { stream } = served.definition;
  if (!stream || !isEventStream(contentType)) return { contentType, bytes: body };
  return { contentType: "application/json", bytes: await answers.whole(stream, body) };
}

const typeOf = ({ headers }: RecordedAnswer) => headers["content-type"] ?? "application/octet-stream";

function replaced(ending: Ending, body: Buffer): Ending {
  return { ...ending, answer: { ...ending.answer, body } };
}

// Recorded: the model ran, so nothing may make it run again under this key. What the nodes of a work used was charged as they ran.
function refusedEnding(ending: Ending, fault: Fault, cost: bigint): Ending {
  const { headers } = ending.answer;
  const answer = withCost(answerOf(fault, null), cost);
  const paid = headers["x-service-job-id"] === undefined ? undefined : headers["x-service-credits-used"];
  return {
    next: "record",
    charge: cost,
    outcome: fault.code,
    answer: {
      ...answer,
      headers: { ...answer.headers, ...(paid === undefined ? {} : { "x-service-credits-used": paid }) },
    },
  };
}

function noteUnbilled({ log }: ScreenAnswerDeps, { call, model, ending }: AnsweredCall, cost: bigint): void {
  if (ending.charge <= cost) return;
  const credits = creditsText(ending.charge - cost);
  log?.warn(
    { callId: call.id, model, credits },
    "an answer was withheld after its provider was paid; it is not charged",
  );
}

function unchecked(ending: Ending): Fault {
  const words =
    "The model ran, but its answer could not be checked by the operator's safety hook and is not delivered.";
  return new Fault("internal_error", `${words}${ofMoney(ending)} Use a new Idempotency-Key to run it again.`);
}

function unfit(ending: Ending): Fault {
  const words = "The operator's safety hook replaced an answer that cannot be replaced, so it is not delivered.";
  return new Fault("internal_error", `${words}${ofMoney(ending)} Only the operator of this server can fix this.`);
}

const ofMoney = ({ answer }: Ending) =>
  answer.headers["x-service-job-id"] === undefined ? " Nothing was charged." : " What its nodes used was charged.";
