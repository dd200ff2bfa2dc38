// Limits open event streams, per process and per workspace within it. A client that finds no room can poll for the same
// information.
import { limits } from "@atelier/contract";
import type { Limits } from "../../../capabilities/limits/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";

export interface StreamQuota {
  // Throws too_many_streams. The returned function releases it, once.
  take(workspaceId: WorkspaceId): Promise<() => void>;
}

const retryAfterSeconds = 5;

export function createStreamQuota(deps: {
  readonly limits: Pick<Limits, "limitOf">;
  readonly perProcessMax?: number;
}): StreamQuota {
  const perProcessMax = deps.perProcessMax ?? limits.eventStreamsPerProcess;
  const taken = new Map<WorkspaceId, number>();
  let all = 0;
  return {
    async take(workspaceId) {
      const workspaceMax = await deps.limits.limitOf(workspaceId, "streams");
      const own = taken.get(workspaceId) ?? 0;
      if (own >= workspaceMax) throw tooMany(`This workspace has ${own} event streams open, which is its limit.`);
      if (all >= perProcessMax) throw tooMany("The server has reached its limit of open event streams.");
      taken.set(workspaceId, own + 1);
      all += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        all -= 1;
        const left = (taken.get(workspaceId) ?? 1) - 1;
        if (left === 0) taken.delete(workspaceId);
        else taken.set(workspaceId, left);
      };
    },
  };
}

function tooMany(reason: string): Fault {
  return new Fault("too_many_streams", `${reason} Read the job instead; it has the same information.`, {
    retryAfterSeconds,
  });
}
