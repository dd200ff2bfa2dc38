// Fetches what a model made from the URL in its answer. The URL comes from the caller, and the server is in networks that its
// callers are not. So it fetches only URLs that the recorded answer of the caller's own call contains.
import type { RecordedAnswer, TrailCall, Usage } from "../../../capabilities/calls/index.ts";
import { holdsResultAddress, type ServedModel } from "../../../capabilities/providers/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { modelPrefix } from "./show-request.ts";

export interface OpenModelOutputDeps {
  readonly usage: Pick<Usage, "list" | "call" | "callOfKey">;
  readonly outputs: {
    // Null if it is no longer on record, or never was.
    answerOf(callId: TrailCall["id"], answeredAt: Date): Promise<RecordedAnswer | null>;
    // The model under the definition that the call ran with.
    modelOf(id: string, version: number | null): Promise<ServedModel | null>;
    // Fetches by the provider's own rules. Null if it cannot be fetched, for any reason.
    open(url: string, model: ServedModel): Promise<Buffer | null>;
  };
}

interface WantedCall {
  readonly workspaceId: WorkspaceId;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
}

export async function openModelOutput(
  deps: OpenModelOutputDeps,
  wanted: WantedCall & { readonly url: string },
): Promise<Buffer | null> {
  const { outputs } = deps;
  const call = await callOf(deps, wanted);
  if (call === null || call.answeredAt === null || !call.subject.startsWith(modelPrefix)) return null;
  const [answer, model] = await Promise.all([
    outputs.answerOf(call.id, call.answeredAt),
    outputs.modelOf(call.subject.slice(modelPrefix.length), call.definitionVersion),
  ]);
  if (answer === null || model === null || answer.status !== 200) return null;
  return holdsResultAddress(model, answer.body, wanted.url) ? outputs.open(wanted.url, model) : null;
}

// By the id of a request, of a repeat answered from the record, or of the call itself. The row of a repeat is written after its
// answer, so a caller who asks at once finds the call by its key.
async function callOf({ usage }: Pick<OpenModelOutputDeps, "usage">, wanted: WantedCall): Promise<TrailCall | null> {
  const { workspaceId, requestId: id, idempotencyKey: key } = wanted;
  const named = await usage.call({ workspaceId, id });
  if (named !== null) return named;
  const callId = await (key === null
    ? callOfRow()
    : usage.callOfKey({ workspaceId, key }).then((call) => call?.id ?? callOfRow()));
  return callId && usage.call({ workspaceId, id: callId });

  async function callOfRow(): Promise<TrailCall["id"] | null> {
    const { rows } = await usage.list({ workspaceId, filter: { requestOrCallId: id }, before: null, limit: 1 });
    return rows[0]?.callId ?? null;
  }
}
