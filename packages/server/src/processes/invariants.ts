// Every invariant of the code base, by name: its query must return no row. The tests, `doctor`, a restore and a metric run
// them.
import { uploadInvariants } from "../capabilities/assets/shared-sql.ts";
import { blobInvariants } from "../capabilities/blobs/shared-sql.ts";
import { callInvariants, moveFacts } from "../capabilities/calls/shared-sql.ts";
import { jobInvariants } from "../capabilities/jobs/shared-sql.ts";
import { requestInvariants } from "../capabilities/model-requests/shared-sql.ts";
import { taskInvariants } from "../capabilities/partner-tasks/shared-sql.ts";
import { versionInvariants } from "../capabilities/registry/shared-sql.ts";
import { sellingInvariants } from "../capabilities/selling/shared-sql.ts";
import { deliveryFacts, webhookInvariants } from "../capabilities/webhooks/shared-sql.ts";
import type { Invariant } from "../foundation/database/index.ts";

export const allInvariants: readonly Invariant[] = [
  ...callInvariants,
  ...blobInvariants,
  ...uploadInvariants,
  ...jobInvariants(deliveryFacts),
  ...webhookInvariants,
  ...taskInvariants,
  ...requestInvariants,
  ...versionInvariants,
  ...sellingInvariants(moveFacts),
];
