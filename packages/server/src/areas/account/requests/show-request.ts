// One request with everything that its id leads to. The caller need not know what kind of id it has (of the request, its call,
// or a queued request): the usage rows name the call, and the call shares its id with the queued request or the partner's task.
import type { ModelRequest } from "@atelier/contract";
import type { Credits, TrailCall, Usage, UsageRow } from "../../../capabilities/calls/index.ts";
import { type ErrorAnswers, errorAnswerBounds, type StoredError } from "../../../capabilities/error-answers/index.ts";
import type { Identity, Principal } from "../../../capabilities/identity/index.ts";
import type { Task } from "../../../capabilities/partner-tasks/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type KeyId, type RequestId, trustedId, type WorkspaceId } from "../../../foundation/ids.ts";

export interface RequestTrailDeps {
  readonly usage: Pick<Usage, "list" | "call">;
  readonly credits: Pick<Credits, "linesOf">;
  readonly identity: { readonly keys: Pick<Identity["keys"], "get"> };
  readonly trails: RequestTrails;
}

// What other capabilities know about a call.
export interface RequestTrails {
  // As its own routes show it. Null if it was not queued, or is no longer kept.
  queued(wanted: OwnCall & { readonly model: string }): Promise<ModelRequest | null>;
  partnerTask(wanted: OwnCall): Promise<Task | null>;
  // The error that the caller got. Null if there was none, or it is no longer kept. For operators also the refusal of a credential that
  // belongs to no workspace.
  errorAnswer(wanted: { readonly by: Principal; readonly requestId: RequestId }): Promise<StoredError | null>;
  // Newest first.
  errorAnswers: ErrorAnswers["list"];
}

export interface OwnCall {
  readonly workspaceId: WorkspaceId;
  readonly callId: TrailCall["id"];
}

export interface ShownRequest {
  readonly id: string;
  // Its own usage row. Null while it is running.
  readonly row: UsageRow | null;
  readonly rows: readonly UsageRow[];
  // The error that the caller saw, if any.
  readonly errorAnswer: StoredError | null;
  readonly call: TrailCall | null;
  readonly keyName: string | null;
  readonly queued: ModelRequest | null;
  readonly task: Task | null;
  readonly lines: Awaited<ReturnType<Credits["linesOf"]>>;
}

const rowsMax = 20;
export const modelPrefix = "model:";
const partnerPrefix = "partner:";

export async function showRequest(
  deps: RequestTrailDeps,
  { principal, id }: { readonly principal: Principal; readonly id: string },
): Promise<ShownRequest> {
  const { workspaceId } = principal;
  const [{ rows }, named, errorAnswer] = await Promise.all([
    deps.usage.list({ workspaceId, filter: { requestOrCallId: id }, before: null, limit: rowsMax }),
    deps.usage.call({ workspaceId, id }),
    deps.trails.errorAnswer({ by: principal, requestId: trustedId(id) }),
  ]);
  const row = rows.find(({ requestId }) => requestId === id) ?? rows.find(({ isReplay }) => !isReplay) ?? null;
  const callId = row?.callId ?? null;
  const call = named ?? (callId && (await deps.usage.call({ workspaceId, id: callId })));
  if (row === null && call === null && errorAnswer === null) throw noSuchRequest();
  const apiKeyId = row?.apiKeyId ?? call?.apiKeyId ?? errorAnswer?.apiKeyId ?? null;
  const own = call && { workspaceId, callId: call.id };
  const [keyName, queued, task, lines] = await Promise.all([
    findKeyName(deps, workspaceId, apiKeyId),
    own && call.subject.startsWith(modelPrefix)
      ? deps.trails.queued({ ...own, model: call.subject.slice(modelPrefix.length) })
      : null,
    own && call.subject.startsWith(partnerPrefix) ? deps.trails.partnerTask(own) : null,
    own ? deps.credits.linesOf({ workspaceId, transactionId: own.callId }) : [],
  ]);
  return { id, row, rows, errorAnswer, call, keyName, queued, task, lines };
}

export function noSuchRequest(): Fault {
  const { days, listWorkspaceRows } = errorAnswerBounds;
  return new Fault(
    "not_found",
    `There is no such request in this workspace. Calls are kept for 400 days. Refused requests are kept for ${days} days, up to the newest ${listWorkspaceRows.toLocaleString("en")} per workspace; during a burst only some of them are kept.`,
  );
}

// A deleted key no longer has a name.
async function findKeyName(
  deps: RequestTrailDeps,
  workspaceId: WorkspaceId,
  keyId: KeyId | null,
): Promise<string | null> {
  if (keyId === null) return null;
  try {
    return (await deps.identity.keys.get(workspaceId, trustedId(keyId))).name;
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "not_found") return null;
    throw thrown;
  }
}
