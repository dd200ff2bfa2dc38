// Every module that holds something of a workspace, in the order in which it is taken along and let go. A new table with a
// workspace_id belongs to a module that stands here; a test compares the list with the schema.
import { assetHoldings } from "../capabilities/assets/index.ts";
import { callHoldings } from "../capabilities/calls/index.ts";
import { deploymentHoldings } from "../capabilities/deployments/index.ts";
import { errorAnswerHoldings } from "../capabilities/error-answers/index.ts";
import { identityHoldings } from "../capabilities/identity/index.ts";
import { jobHoldings } from "../capabilities/jobs/index.ts";
import { limitHoldings } from "../capabilities/limits/index.ts";
import { requestHoldings } from "../capabilities/model-requests/index.ts";
import { credentialHoldings } from "../capabilities/own-credentials/index.ts";
import { taskHoldings } from "../capabilities/partner-tasks/index.ts";
import { webhookHoldings } from "../capabilities/webhooks/index.ts";
import type { WorkspaceHoldings } from "../foundation/workspace-holdings.ts";

export const workspaceHoldings: readonly WorkspaceHoldings[] = [
  identityHoldings,
  limitHoldings,
  credentialHoldings,
  jobHoldings,
  assetHoldings,
  taskHoldings,
  requestHoldings,
  webhookHoldings,
  callHoldings,
  errorAnswerHoldings,
  deploymentHoldings,
];
