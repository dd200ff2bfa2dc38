// The body of a submission, within the workspace's size limit.
import type { Limits } from "../../../capabilities/limits/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { WorkflowCaller } from "../surface.ts";

export async function requireFitting(
  { limits }: { readonly limits: Pick<Limits, "limitOf"> },
  { workspaceId }: WorkflowCaller,
  bytes: Buffer,
): Promise<void> {
  const bytesMax = await limits.limitOf(workspaceId, "job_body_bytes");
  if (bytes.byteLength > bytesMax) throw new Fault("payload_too_large", `The body is larger than ${bytesMax} bytes.`);
}
