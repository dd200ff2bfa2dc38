// What jobs were charged. It is part of the account because v2 itself does not mention credits (decisions, section 10).
import { type Static, Type } from "typebox";
import { limits } from "../limits.ts";
import { Credits, entity, nullable, Uuid } from "../wire-values.ts";

export const NodeCharge = entity("NodeCharge", "The charge for one node's model calls.", {
  node_id: Type.String({ description: "The node's id in the job's graph." }),
  credits: Credits,
  calls: Type.Integer({ minimum: 1, description: "How many of its calls have ended." }),
  request_ids: Type.Array(Uuid, {
    maxItems: limits.nodeRequestsMax,
    description: "The newest of these calls, newest first: each id is found at GET /account/requests/{requestId}.",
  }),
});

const jobCharge = {
  job_id: Uuid,
  credits: nullable(
    Credits,
    "What the workspace was charged for the job: its running time and its nodes' model calls; null until it has ended.",
  ),
};

export const JobCharge = entity("JobCharge", "What one job was charged.", jobCharge);

export const JobCharges = entity("JobCharges", "The itemised charge of one job.", {
  ...jobCharge,
  running_time: nullable(Credits, "The charge for its running time; null until it has ended."),
  nodes: Type.Array(NodeCharge, {
    description:
      "Nodes whose model calls have ended, by id, even while the job is running. Calls paid for by another workspace's key are not included.",
  }),
});
export type JobCharges = Static<typeof JobCharges>;

export const JobChargeList = entity("JobChargeList", "What several jobs were charged.", {
  data: Type.Array(JobCharge, { description: "In the requested order. Unknown jobs are left out." }),
});
export type JobChargeList = Static<typeof JobChargeList>;

export const JobChargesQuery = Type.Object({
  job_id: Type.Array(Uuid, {
    minItems: 1,
    maxItems: limits.chargedJobsMax,
    description: "Job ids of the workspace. Repeat the parameter for each job.",
  }),
});
