// What the workspace's jobs were charged, and what a graph would cost. v2 itself mentions neither (decisions, section 10).
import {
  limits as contractLimits,
  type GraphEstimate,
  type JobChargeList,
  type JobCharges as JobChargesBody,
  operations,
} from "@atelier/contract";
import { type Principal, requireScope } from "../../../capabilities/identity/index.ts";
import type { JobCharge, JobId, ReadJobCharges } from "../../../capabilities/jobs/index.ts";
import { creditsText } from "../../../capabilities/prices/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { requireMediaType } from "../../../foundation/http/body/read-body.ts";
import { QueryReader } from "../../../foundation/http/page-query.ts";
import { isUuid, parseId } from "../../../foundation/ids.ts";
import type { AccountCaller } from "../account-caller.ts";

export interface AskedEstimate {
  readonly caller: Principal;
  // Null for the managed cloud.
  readonly deploymentId: string | null;
  // The body of a submission.
  readonly bytes: Buffer;
  // Whether it may name files that the workspace does not have.
  readonly mayBeMissing?: boolean;
}

export interface JobCostDeps {
  readonly charges: ReadJobCharges;
  // Throws whatever submitting it would throw.
  readonly estimate: (asked: AskedEstimate) => Promise<GraphEstimate>;
}

export function listJobChargesRoute({ charges }: JobCostDeps): Route<AccountCaller> {
  return route(operations.listJobCharges, async ({ caller: { principal }, query }) => {
    requireScope(principal, "workflows");
    const jobIds = readJobIds(query);
    const found = await charges.totals({ workspaceId: principal.workspaceId, jobIds });
    const body: JobChargeList = { data: found.map(presentCharge) };
    return jsonAnswer(200, body, fresh);
  });
}

export function getJobChargesRoute({ charges }: JobCostDeps): Route<AccountCaller> {
  return route(operations.getJobCharges, async ({ caller: { principal }, params }) => {
    requireScope(principal, "workflows");
    const jobId = parseId<"job">(params["jobId"] ?? "");
    const found = jobId && (await charges.ofJob({ workspaceId: principal.workspaceId, jobId }));
    if (found === null) throw new Fault("not_found", "There is no such job in this workspace.");
    const body: JobChargesBody = {
      ...presentCharge(found),
      running_time: amount(found.runningTime),
      nodes: found.nodes.map(({ nodeId, charged, calls, callIds }) => ({
        node_id: nodeId,
        credits: creditsText(charged),
        calls,
        request_ids: [...callIds],
      })),
    };
    return jsonAnswer(200, body, fresh);
  });
}

export function createEstimateRoute({ estimate }: JobCostDeps): Route<AccountCaller> {
  return {
    operation: operations.createEstimate,
    bodyBytesMax: contractLimits.jobBodyBytesMax,
    async handle(incoming) {
      const { principal } = incoming.caller;
      requireScope(principal, "workflows");
      requireMediaType(incoming.headers, "application/json");
      const deploymentId = readDeployment(incoming.query);
      const bytes = await incoming.bytes();
      return jsonAnswer(200, await estimate({ caller: principal, deploymentId, bytes }), fresh);
    },
  };
}

const fresh = { "cache-control": "no-store" } as const;
const amount = (microCredits: bigint | null) => (microCredits === null ? null : creditsText(microCredits));
const presentCharge = ({ jobId, credits }: JobCharge) => ({ job_id: jobId, credits: amount(credits) });

function readJobIds(query: URLSearchParams): readonly JobId[] {
  const reader = new QueryReader(query);
  const most = contractLimits.chargedJobsMax;
  const ids = [...new Set(query.getAll("job_id"))].map((text) => parseId<"job">(text));
  const known = ids.filter((id) => id !== null);
  if (known.length !== ids.length || ids.length === 0 || ids.length > most)
    reader.problem("job_id", `must occur 1 to ${most} times, each a job id`);
  reader.requireNoProblem();
  return known;
}

function readDeployment(query: URLSearchParams): string | null {
  const reader = new QueryReader(query);
  const id = reader.read("deployment_id", (text) => (isUuid(text) ? text : null), "a deployment id") ?? null;
  reader.requireNoProblem();
  return id;
}
