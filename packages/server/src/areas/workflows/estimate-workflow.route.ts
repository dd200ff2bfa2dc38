import { limits as contractLimits, operations } from "@atelier/contract";
import type { Limits } from "../../capabilities/limits/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Incoming, jsonAnswer, type Route } from "../../foundation/http/area.ts";
import { requireMediaType } from "../../foundation/http/read-body.ts";
import { type EstimateWorkflowDeps, estimateWorkflow } from "./estimate-workflow.ts";
import type { Surface, WorkflowCaller } from "./surface.ts";

export interface EstimateRouteDeps extends EstimateWorkflowDeps {
  readonly surface: Pick<Surface, "requireOpen" | "poolId">;
  readonly limits: Pick<Limits, "limitOf">;
}

export function estimateWorkflowRoute(deps: EstimateRouteDeps): Route<WorkflowCaller> {
  return {
    operation: operations.estimateWorkflow,
    bodyBytesMax: contractLimits.jobBodyBytesMax,
    async handle(incoming) {
      requireMediaType(incoming.headers, "application/json");
      const bytes = await submittedBytes(deps, incoming);
      await deps.surface.requireOpen?.();
      const estimate = await estimateWorkflow(deps, incoming.caller, bytes);
      return jsonAnswer(200, estimate, { "cache-control": "no-store" });
    },
  };
}

// The body of a submission, within what the workspace may send.
export async function submittedBytes(
  { limits }: Pick<EstimateRouteDeps, "limits">,
  incoming: Incoming<WorkflowCaller>,
): Promise<Buffer> {
  const bytes = await incoming.bytes();
  const bytesMax = await limits.limitOf(incoming.caller.workspaceId, "job_body_bytes");
  if (bytes.byteLength > bytesMax) throw new Fault("payload_too_large", `The body is larger than ${bytesMax} bytes.`);
  return bytes;
}
