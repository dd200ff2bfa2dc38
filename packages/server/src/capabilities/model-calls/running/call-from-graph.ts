// A node of a running graph calls a model. It gets the same catalog, checks, prices and once-ness as over HTTP, on behalf of
// the job's workspace and under a key the engine derives from job, node and input (decisions, section 6). Temporary refusals
// (no slot free, a rate, our own deadline) are waited out, because the job has its own deadline. If the outcome can never be
// known, because the process that called died with the answer, the node ends immediately.

import type { Clock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { FaultCode } from "../../../foundation/fault-codes.ts";
import { newRequestId, trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Labels } from "../../../foundation/json/labels.ts";
import type { RecordedAnswer } from "../../calls/index.ts";
import type { Identity, Principal } from "../../identity/index.ts";
import { isWorkId } from "../../providers/index.ts";
import type { Admission } from "../catalog/admission.ts";
import { type InvokeModelDeps, invokeModel } from "./invoke-model.ts";

export interface GraphModelCall {
  readonly caller: Principal;
  readonly model: string;
  readonly input: Buffer;
  readonly callKey: string;
  readonly labels?: Labels;
  readonly signal: AbortSignal;
}

export interface GraphModelAnswer {
  readonly contentType: string;
  readonly bytes: Buffer;
}

// Throws a Fault whose message is fit for people: it contains nothing of the provider's that the router would not show.
export type CallFromGraph = (call: GraphModelCall) => Promise<GraphModelAnswer>;

const passing: ReadonlySet<FaultCode> = new Set([
  "concurrency_limit_exceeded",
  "rate_limited",
  "deadline_exceeded",
  "too_many_waiters",
  "service_unavailable",
]);
const pauseSecondsMax = 10;

export function callFromGraph(deps: InvokeModelDeps, admission: Pick<Admission, "admit">): CallFromGraph {
  async function once(call: GraphModelCall): Promise<RecordedAnswer> {
    // Its job would wait for a worker while this one's worker waits for it.
    if (isWorkId(call.model))
      throw new Fault("model_not_found", "A node cannot call a work. Use the work as a node: its id is the class.");
    const model = await admission.admit(call.caller.workspaceId, call.model);
    const invoked = await invokeModel(deps, {
      caller: call.caller,
      requestId: newRequestId(),
      model,
      bytes: call.input,
      idempotencyKey: call.callKey,
      request: { method: "POST", path: `/v1/models/${model.id}`, queryText: "" },
      signal: call.signal,
      ...(call.labels ? { labels: call.labels } : {}),
      leavesUnknowable: true,
      streamed: "whole",
    });
    return invoked.answer;
  }

  return async (call) => {
    const answer = await askUntilPassed(() => once(call), { clock: deps.clock, signal: call.signal });
    return picked(answer);
  };
}

export async function askUntilPassed(
  once: () => Promise<RecordedAnswer>,
  { clock, signal }: { readonly clock: Pick<Clock, "sleep">; readonly signal: AbortSignal },
): Promise<RecordedAnswer> {
  for (let turn = 1; ; turn++) {
    try {
      return requirePassed(await once());
    } catch (error) {
      if (!(error instanceof Fault) || !passing.has(error.code) || signal.aborted) throw error;
      const seconds = Math.min(pauseSecondsMax, error.retryAfterSeconds ?? turn);
      await clock.sleep(seconds * 1000, signal);
      if (signal.aborted) throw error;
    }
  }
}

// The process was delayed before it sent, or lost the call to another one. Asking again under the key gives the real answer.
function requirePassed(answer: RecordedAnswer): RecordedAnswer {
  const { status, headers, body } = answer;
  if (status !== 503 || headers["x-service-error-type"] !== "service_unavailable") return answer;
  throw new Fault("service_unavailable", detailOf(body));
}

function picked({ status, headers, body }: RecordedAnswer): GraphModelAnswer {
  if (status === 200) return { contentType: headers["content-type"] ?? "application/octet-stream", bytes: body };
  const bucket = headers["x-service-error-type"] ?? "provider_error";
  throw new Fault("provider_error", `The model answered ${status} (${bucket}): ${detailOf(body)}`);
}

// Reads the router's own error body, which was written for people in the first place.
function detailOf(body: Buffer): string {
  try {
    const { detail }: { detail?: unknown } = JSON.parse(body.toString("utf8"));
    if (typeof detail === "string") return detail;
    return Array.isArray(detail)
      ? detail.map((each: { msg?: unknown }) => String(each.msg ?? "")).join(" ")
      : "no reason was given";
  } catch {
    return "no reason was given";
  }
}

export interface CallOfNode extends Omit<GraphModelCall, "caller" | "labels"> {
  readonly job: {
    readonly workspaceId: WorkspaceId;
    readonly apiKeyId: string | null;
    readonly extraData: Readonly<Record<string, string>> | null;
    readonly labels?: Labels | null;
  };
}

// Who pays for a node: the key that the submission brought for this, else the job's own workspace and key.
export function nodeCaller(identity: Pick<Identity, "authenticate">, call: CallFromGraph) {
  return async ({ job, model, input, callKey, signal }: CallOfNode): Promise<GraphModelAnswer> => {
    const key = job.extraData?.["api_key_service"];
    const caller = key === undefined ? ownerOf(job) : await identity.authenticate(asking(key));
    return call({ caller, model, input, callKey, signal, ...(job.labels ? { labels: job.labels } : {}) });
  };
}

const asking = (key: string) => ({ headers: { "x-api-key": key }, rawHeaders: ["x-api-key", key], peer: "127.0.0.1" });

function ownerOf(job: CallOfNode["job"]): Principal {
  const { workspaceId } = job;
  if (job.apiKeyId === null) {
    const holder = { personId: trustedId<"person">(""), sessionId: null, workspaceId };
    return { kind: "identity", keyId: null, ...holder, signedInAt: null, role: "member", scopes: ["models"] };
  }
  const keyId = trustedId<"key">(job.apiKeyId);
  return { kind: "key", keyId, personId: null, workspaceId, role: "member", scopes: ["models"] };
}
