// Asks the provider of a running call to stop it. Any process can: the handle is stored with the call. The call goes on being
// polled where it is, and ends and costs what the provider then says.
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { Log } from "../../../foundation/log.ts";
import type { Calls, StoredCall } from "../../calls/index.ts";
import { cancelTask, type RunDeps } from "../../providers/index.ts";
import { type FollowInvocationsDeps, modelOfCall, storedHandle } from "./follow-invocations.ts";

export interface CancelCallDeps
  extends Pick<RunDeps, "upstream">,
    Pick<FollowInvocationsDeps, "modelOf" | "underOwnCredential"> {
  readonly calls: Pick<Calls, "find" | "ofJobs">;
  readonly log: Pick<Log, "warn">;
}

export type CancelAsked =
  | "asked"
  // The provider did not take it: the task may have ended.
  | "refused"
  // It has no task there yet, or its model has no way to stop one.
  | "cannot";

export async function cancelCall(
  deps: CancelCallDeps,
  { id, workspaceId }: Pick<StoredCall, "id" | "workspaceId">,
): Promise<CancelAsked> {
  const call = await deps.calls.find(id);
  return call === null || call.workspaceId !== workspaceId ? "cannot" : cancelStored(deps, call);
}

// A cancelled job does not wait for this. What its nodes have at providers costs what their providers say.
export async function cancelCallsOf(
  deps: CancelCallDeps,
  jobs: { readonly workspaceId: WorkspaceId; readonly jobIds: readonly string[] },
): Promise<void> {
  for (const call of await deps.calls.ofJobs(jobs))
    await cancelStored(deps, call).catch((error: unknown) =>
      deps.log.warn({ callId: call.id, err: error }, "a provider could not be asked to stop a call"),
    );
}

async function cancelStored(deps: CancelCallDeps, call: StoredCall): Promise<CancelAsked> {
  const handle = call.state === "open" ? storedHandle(call.handle) : null;
  if (handle?.cancelUrl === undefined) return "cannot";
  const model = await modelOfCall(deps, call);
  if (model === null) return "cannot";
  return (await cancelTask(deps, model, handle)) ? "asked" : "refused";
}
