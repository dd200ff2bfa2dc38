// Shows a call's input to the safety hook, between begin and dispatch: the call is held and its intent is stored, and nothing has
// been sent. The verdict is committed with the call before anything is, so a process that takes the call over charges for what
// was really sent. A retry under the key gets what became of this call, and the hook is not asked again (decision 0041).
import { asFault, Fault, isPassingFault } from "../../../foundation/fault.ts";
import type { RequestId } from "../../../foundation/ids.ts";
import type { Labels } from "../../../foundation/json/labels.ts";
import type { CheckOfCall, OwnedCall } from "../../calls/index.ts";
import type { SafetyHook } from "../../safety/index.ts";
import { answerOf, type Ending, withCost } from "../endings/decide-ending.ts";
import type { HidingDeps } from "../endings/hide-secrets.ts";
import { checkOf, policyRefusal, storedChecks } from "./check-of-call.ts";

export interface ScreenDeps extends HidingDeps {
  // Null or absent: there is no hook.
  readonly safety?: SafetyHook | null;
}

export interface ScreenedCall {
  readonly call: OwnedCall;
  // As it was called: of a route, the route.
  readonly model: string;
  // Every model that it may be sent to.
  readonly models: readonly string[];
  readonly requestId: RequestId | null;
  readonly labels?: Labels | undefined;
  readonly bytes: Buffer;
}

export interface Screening<Prepared> {
  readonly screened: ScreenedCall;
  readonly prepared: Prepared;
  // Judges a replacement as the input was judged, within the credits that are held. Throws what would refuse it.
  prepareAgain(bytes: Buffer): Promise<Prepared>;
  // Commits what is sent now, and the verdict. Null if another process owns the call by now.
  commit(prepared: Prepared, context: object): Promise<OwnedCall | null>;
}

export type Screened<Prepared> =
  | {
      readonly kind: "send";
      readonly prepared: Prepared;
      readonly call: OwnedCall;
      readonly checks: readonly CheckOfCall[];
    }
  // The call ends here; nothing is sent. `fault`: why.
  | { readonly kind: "stop"; readonly fault: Fault; readonly ending: Ending; readonly checks: readonly CheckOfCall[] };

export function isScreened({ safety }: ScreenDeps, models: readonly string[]): boolean {
  return safety?.covers("input", models) ?? false;
}

export async function screenInput<Prepared>(
  deps: ScreenDeps,
  { screened, prepared, prepareAgain, commit }: Screening<Prepared>,
): Promise<Screened<Prepared>> {
  const { call, models, bytes, requestId, model, labels = { tags: null, endUser: null } } = screened;
  const { safety } = deps;
  if (!safety || !isScreened(deps, models)) return { kind: "send", prepared, call, checks: [] };
  const { id: callId, workspaceId } = call;
  const asked = { stage: "input", callId, requestId, workspaceId, model, labels, bytes } as const;
  const answered = await safety.ask({ ...asked, contentType: "application/json" });
  const check = await checkOf(deps, workspaceId, "input", answered);
  const { verdict } = answered;
  const stop = (fault: Fault, next: Ending["next"], last: CheckOfCall = check) =>
    ({ kind: "stop", fault, ending: stopped(fault, next), checks: [last] }) as const;
  if (verdict.kind === "refuse") return stop(policyRefusal("input", check.words), "record");
  if (verdict.kind === "failed" && !verdict.mayPass) return stop(unchecked(), "release");
  let sent = prepared;
  if (verdict.kind === "replace") {
    try {
      sent = await prepareAgain(verdict.bytes);
    } catch (thrown) {
      if (isPassingFault(thrown)) return stop(unchecked(), "release");
      const words = `Unfit replacement: ${asFault(thrown).message}`;
      return stop(unfit(), "release", { ...check, verdict: "failed", words });
    }
  }
  // If the verdict cannot be stored, or another process has the call by now, nothing is sent.
  const committed = await commit(sent, storedChecks.context([check])).catch(() => null);
  if (committed === null) return stop(notStored(), "release");
  return { kind: "send", prepared: sent, call: committed, checks: [check] };
}

// Nothing was sent, so nothing is charged.
function stopped(fault: Fault, next: Ending["next"]): Ending {
  return { next, charge: 0n, outcome: fault.code, answer: withCost(answerOf(fault, null), 0n) };
}

function unchecked(): Fault {
  const words = "This call could not be checked by the operator's safety hook. Nothing was sent or charged. Try again.";
  return new Fault("service_unavailable", words, { retryAfterSeconds: 5 });
}

// The original is not sent either: the operator wanted it changed.
function unfit(): Fault {
  const words =
    "The operator's safety hook replaced the input with one that cannot be sent: the model does not accept it, or it may cost more than is held. Nothing was sent or charged. Only the operator of this server can fix this.";
  return new Fault("internal_error", words);
}

function notStored(): Fault {
  const words = "This call could not be continued after it was checked. Nothing was sent. Try again.";
  return new Fault("service_unavailable", words, { retryAfterSeconds: 5 });
}
