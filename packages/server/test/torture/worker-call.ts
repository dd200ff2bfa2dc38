// One paid call, as an area makes it: begin, check the clock, send under the call's id, finish, answer. The outcomes of
// decisions, section 3: a call that was never sent or was refused gives its key back. A broken call to a provider that
// can be asked or repeated answers 502 now, and its key later returns the real answer. To a provider that can do neither,
// it ends unknown, and the key keeps that 502.
import { createHash } from "node:crypto";
import type { CallEnding, Calls, OwnedCall, RecordedAnswer } from "../../src/capabilities/calls/index.ts";
import type { Upstream } from "../../src/foundation/http/outgoing/fetch-upstream.ts";
import type { UpstreamOutcome } from "../../src/foundation/http/outgoing/upstream-outcome.ts";
import { newId, trustedId } from "../../src/foundation/ids.ts";
import type { Plant } from "./planted-bugs.ts";
import type { ProviderKind } from "./provider-script.ts";
import { scale } from "./scale.ts";
import type { StrikePoints } from "./strike-points.ts";

export interface CallRequest {
  readonly workspaceId: string;
  readonly key: string | null;
  readonly kind: ProviderKind;
  readonly price: number;
}

export interface Reply {
  readonly status: number;
  readonly body: Buffer;
  readonly callId: string | null;
  // Only with a planted bug: runs after the answer has left.
  readonly afterwards?: () => Promise<unknown>;
}

export interface WorkerCallDeps {
  readonly calls: Calls;
  readonly upstream: Upstream;
  readonly providerUrl: string;
  readonly points: StrikePoints;
  readonly plant: Plant | null;
}

export const errorReply = (status: number, error: string, callId: string | null = null): Reply => ({
  status,
  body: Buffer.from(JSON.stringify({ error })),
  callId,
});

export const unknownAnswer = (callId: string): RecordedAnswer => ({
  status: 502,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify({ error: "outcome_unknown", detail: "Not charged. Use a new key.", call: callId })),
});

const recorded = (answer: RecordedAnswer, callId: string): Reply => ({
  status: answer.status,
  body: answer.body,
  callId,
});

export function decideEnding(
  request: Pick<CallRequest, "kind">,
  end: { state?: "unknown"; outcome: string; charge: bigint; answer: RecordedAnswer | null },
): Omit<CallEnding, "call"> {
  const usage = { requestId: null, apiKeyId: null, subject: `torture:${request.kind}`, totalMs: 0, providerMs: null };
  return { state: end.state ?? "finished", ...end, usage: { ...usage, status: end.answer?.status ?? null } };
}

export const succeeded = (request: Pick<CallRequest, "kind">, price: number, body: Buffer): Omit<CallEnding, "call"> =>
  decideEnding(request, {
    outcome: "succeeded",
    charge: BigInt(price),
    answer: { status: 200, headers: { "content-type": "application/json" }, body },
  });

export function sendTo(
  deps: Pick<WorkerCallDeps, "upstream" | "providerUrl">,
  call: { callId: string; kind: ProviderKind; price: number },
  signal: AbortSignal,
): Promise<UpstreamOutcome> {
  return deps.upstream.fetch({
    url: new URL(`/${call.kind}/${call.callId}`, deps.providerUrl),
    method: "POST",
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ price: call.price })),
    signal,
  });
}

// The answer within the deadline, or 504; the call itself continues.
export async function answerCall(deps: WorkerCallDeps, request: CallRequest): Promise<Reply> {
  const deadline = AbortSignal.timeout(scale.requestMs);
  deps.points.pass("received");
  const tooLate = new Promise<Reply>((resolve) =>
    deadline.addEventListener("abort", () => resolve(errorReply(504, "deadline")), { once: true }),
  );
  const reply = openCall(deps, request, deadline).then((made) => {
    if (!deadline.aborted) return made;
    void made.afterwards?.();
    return errorReply(504, "deadline", made.callId);
  });
  return Promise.race([reply, tooLate]);
}

async function openCall(deps: WorkerCallDeps, request: CallRequest, deadline: AbortSignal): Promise<Reply> {
  const { calls } = deps;
  const opening = {
    workspaceId: trustedId<"workspace">(request.workspaceId),
    subject: `torture:${request.kind}`,
    idempotencyKey: request.key,
    fingerprint: createHash("sha256").update(JSON.stringify(request)).digest(),
    isValid: true,
    hold: BigInt(request.price),
    priceRecordId: null,
    takesSlot: true,
    isCostly: false,
    slotsMax: 1_000,
    costlySlotsMax: 0,
    recovery: request.kind,
    longestRunSeconds: scale.longestRunSeconds,
  };
  while (!deadline.aborted) {
    const id = newId<"call">();
    const early = deps.plant === "no-intent" ? await send(deps, request, id, deadline) : null;
    const opened = await calls.begin({ ...opening, id });
    if (opened.kind === "begun")
      return early ? endCall(deps, request, opened.call, early) : makeCall(deps, request, opened.call, deadline);
    if (opened.kind === "replay") {
      const answer = await calls.replay(opened.callId, opened.answeredAt);
      return answer ? recorded(answer, opened.callId) : errorReply(500, "a recorded answer is missing", opened.callId);
    }
    if (opened.kind !== "join") return errorReply(opened.kind === "no_slot" ? 429 : 409, opened.kind);
    const joined = await calls.join(opened.callId, deadline);
    if (joined.kind === "answered") return recorded(joined.answer, opened.callId);
    if (joined.kind === "too_many_waiters") return errorReply(409, joined.kind, opened.callId);
    if (joined.kind === "gave_up") break;
  }
  return errorReply(504, "deadline");
}

async function makeCall(
  deps: WorkerCallDeps,
  request: CallRequest,
  call: OwnedCall,
  deadline: AbortSignal,
): Promise<Reply> {
  deps.points.pass("begun");
  if (!call.maySend()) return giveBack(deps, request, call, errorReply(503, "too late to send", call.id));
  deps.points.pass("sending");
  return endCall(deps, request, call, await send(deps, request, call.id, deadline));
}

function send(
  deps: WorkerCallDeps,
  request: CallRequest,
  callId: string,
  deadline: AbortSignal,
): Promise<UpstreamOutcome> {
  // A provider that can be asked is left alone at the deadline; for the others, the answer on this connection is the only
  // one, or the cheaper one. A deadline that has long passed also takes back a late request: the bug without the check
  // starts over.
  const limit = AbortSignal.timeout(scale.providerMs);
  const isBounded = request.kind === "ask" && deps.plant !== "no-self-check";
  const signal = isBounded ? AbortSignal.any([deadline, limit]) : limit;
  const outcome = sendTo(deps, { callId, kind: request.kind, price: request.price }, signal);
  setTimeout(() => deps.points.pass("sent"), 3);
  return outcome;
}

async function endCall(
  deps: WorkerCallDeps,
  request: CallRequest,
  call: OwnedCall,
  outcome: UpstreamOutcome,
): Promise<Reply> {
  if (outcome.kind === "answered" && outcome.status === 200) {
    const ending = { ...succeeded(request, request.price, outcome.body), call };
    if (deps.plant === "reply-before-commit") {
      const afterwards = async () => finish(deps, ending);
      return { status: 200, body: outcome.body, callId: call.id, afterwards };
    }
    return finish(deps, ending);
  }
  // Refused at submission.
  if (outcome.kind === "answered") return giveBack(deps, request, call, errorReply(502, "refused", call.id));
  const isUnsent = outcome.kind === "not_sent" || ("sent" in outcome && !outcome.sent);
  if (isUnsent) return giveBack(deps, request, call, errorReply(502, "unreachable", call.id));
  if (request.kind !== "neither") {
    await deps.calls.handOver(call, 0.1);
    return errorReply(outcome.kind === "broken" ? 502 : 504, outcome.kind, call.id);
  }
  const answer = unknownAnswer(call.id);
  return finish(deps, { ...decideEnding(request, { state: "unknown", outcome: "unknown", charge: 0n, answer }), call });
}

async function giveBack(deps: WorkerCallDeps, request: CallRequest, call: OwnedCall, reply: Reply): Promise<Reply> {
  await deps.calls.finish({ ...decideEnding(request, { outcome: "released", charge: 0n, answer: null }), call });
  return reply;
}

async function finish(deps: WorkerCallDeps, ending: CallEnding): Promise<Reply> {
  deps.points.pass("answered");
  const finishing = deps.calls.finish(ending);
  setTimeout(() => deps.points.pass("finishing"), 1);
  const isOurs = await finishing;
  deps.points.pass("finished");
  const { id } = ending.call;
  if (isOurs && ending.answer) return recorded(ending.answer, id);
  const joined = await deps.calls.join(id, AbortSignal.timeout(scale.requestMs));
  return joined.kind === "answered" ? recorded(joined.answer, id) : errorReply(504, joined.kind, id);
}
