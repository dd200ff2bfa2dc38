// A call that was refused before anything began (its input, its price, the balance, a key used otherwise, no slot) leaves a
// usage row as well: a person who was told its request's id finds it again, and sees how often that happens. It costs
// nothing. Nodes of graphs ask again by themselves until they may, and are not counted.
import type { Usage } from "../../capabilities/calls/index.ts";
import type { Principal } from "../../capabilities/identity/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import type { RequestId } from "../../foundation/ids.ts";
import { outcomeOf } from "./router-envelope.ts";

export interface CountedCall {
  readonly caller: Principal;
  readonly requestId: RequestId;
  readonly model: { readonly id: string };
  readonly countsRefusals?: boolean;
}

export async function countingRefusals<Begun>(
  deps: { readonly clock: Clock; readonly usage: Pick<Usage, "recordUsage"> },
  { caller, requestId, model, countsRefusals = false }: CountedCall,
  begin: () => Promise<Begun>,
): Promise<Begun> {
  const startedMs = deps.clock.monotonicMs();
  try {
    return await begin();
  } catch (thrown) {
    if (countsRefusals && thrown instanceof Fault) {
      deps.usage.recordUsage({
        workspaceId: caller.workspaceId,
        requestId,
        callId: null,
        apiKeyId: caller.keyId,
        subject: `model:${model.id}`,
        outcome: outcomeOf(thrown.code),
        status: thrown.status,
        isReplay: false,
        totalMs: deps.clock.monotonicMs() - startedMs,
      });
    }
    throw thrown;
  }
}
