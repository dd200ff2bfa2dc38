// Deletes a job's outputs before the job expires.
import { operations } from "@atelier/contract";
import { requireScope } from "../../../capabilities/identity/index.ts";
import type { Jobs } from "../../../capabilities/jobs/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type Route, route } from "../../../foundation/http/area.ts";
import { parseId } from "../../../foundation/ids.ts";
import type { AccountCaller } from "../account-caller.ts";

export interface JobOutputDeps {
  readonly jobOutputs: Pick<Jobs, "removeOutput">;
}

export function deleteJobOutputRoute({ jobOutputs }: JobOutputDeps): Route<AccountCaller> {
  return route(operations.deleteJobOutput, async ({ caller: { principal }, params }) => {
    requireScope(principal, "workflows");
    const [jobId, assetId] = [parseId<"job">(params["jobId"] ?? ""), parseId<"asset">(params["assetId"] ?? "")];
    if (jobId === null || assetId === null)
      throw new Fault("not_found", "There is no such output of a job in this workspace.");
    await jobOutputs.removeOutput({ workspaceId: principal.workspaceId, jobId, assetId });
    return { status: 204 };
  });
}
