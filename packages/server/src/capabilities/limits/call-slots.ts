import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Limits } from "./limits.ts";

// How many calls a workspace can have in flight, in total and for costly ones. Decisions, section 3: a quarter of the slots for
// calls that cost 5 USD or more.
export async function slotsOf(
  limits: Pick<Limits, "limitOf">,
  workspaceId: WorkspaceId,
): Promise<{ slots: number; costlySlots: number }> {
  const slots = await limits.limitOf(workspaceId, "concurrency");
  return { slots, costlySlots: Math.max(1, Math.floor(slots / 4)) };
}
