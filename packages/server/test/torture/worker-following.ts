// How the worker asks the provider about calls that no longer have a connection.
import type { CallFollowing, Inquiry, StoredCall } from "../../src/capabilities/calls/index.ts";
import type { UpstreamOutcome } from "../../src/foundation/http/outgoing/upstream-outcome.ts";
import { scale } from "./scale.ts";
import { sendTo, succeeded, unknownAnswer, type WorkerCallDeps } from "./worker-call.ts";

export function tortureFollowing(deps: Pick<WorkerCallDeps, "upstream" | "providerUrl" | "points">): CallFollowing {
  return {
    handles: (subject) => subject.startsWith("torture:"),
    unknownAnswer: (call) => unknownAnswer(call.id),
    async inquire(call, signal) {
      if (call.recovery === "neither") return { finding: { kind: "cannot_ask" } };
      const limit = AbortSignal.any([signal, AbortSignal.timeout(scale.providerMs)]);
      const inquiry = findingOf(
        call,
        await (call.recovery === "ask" ? ask(deps, call, limit) : repeat(deps, call, limit)),
      );
      if (inquiry.finding.kind === "ended") deps.points.pass("followed");
      return inquiry;
    },
  };
}

function findingOf(call: StoredCall, outcome: UpstreamOutcome): Inquiry {
  if (outcome.kind !== "answered") return { finding: { kind: "unreachable" } };
  if (outcome.status === 200) {
    const ending = succeeded({ kind: call.recovery }, Number(call.hold), outcome.body);
    return { finding: { kind: "ended" }, ending };
  }
  if (call.recovery === "ask" && outcome.status === 202) return { finding: { kind: "running" } };
  if (call.recovery === "ask" && outcome.status === 404) return { finding: { kind: "not_found" } };
  // Refused this time, which says nothing about the first time.
  return { finding: { kind: "unreachable" } };
}

type Asking = Pick<WorkerCallDeps, "upstream" | "providerUrl">;

const ask = (deps: Asking, call: StoredCall, signal: AbortSignal) =>
  deps.upstream.fetch({ url: new URL(`/ask/${call.id}`, deps.providerUrl), method: "GET", headers: {}, signal });

const repeat = (deps: Asking, call: StoredCall, signal: AbortSignal) =>
  sendTo(deps, { callId: call.id, kind: "repeat", price: Number(call.hold) }, signal);
