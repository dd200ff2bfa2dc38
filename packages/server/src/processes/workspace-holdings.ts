// Every module that holds data of a workspace, in the order of export and release. A new table with a workspace_id must belong
// to a module on this list; a test compares the list with the schema.
import { assetHoldings } from "../capabilities/assets/shared-sql.ts";
import { callHoldings } from "../capabilities/calls/shared-sql.ts";
import { deploymentHoldings } from "../capabilities/deployments/shared-sql.ts";
import { editorFileHoldings } from "../capabilities/editor-files/shared-sql.ts";
import { errorAnswerHoldings } from "../capabilities/error-answers/shared-sql.ts";
import { identityHoldings } from "../capabilities/identity/shared-sql.ts";
import { jobHoldings } from "../capabilities/jobs/shared-sql.ts";
import { limitHoldings } from "../capabilities/limits/shared-sql.ts";
import { mailHoldings } from "../capabilities/mail/shared-sql.ts";
import { requestHoldings } from "../capabilities/model-requests/shared-sql.ts";
import { moveHoldings } from "../capabilities/moves/shared-sql.ts";
import { credentialHoldings } from "../capabilities/own-credentials/shared-sql.ts";
import { taskHoldings } from "../capabilities/partner-tasks/shared-sql.ts";
import { playgroundRunHoldings } from "../capabilities/playground-runs/shared-sql.ts";
import { requestBodyHoldings } from "../capabilities/request-bodies/shared-sql.ts";
import { retentionHoldings } from "../capabilities/retention/shared-sql.ts";
import { routeHoldings } from "../capabilities/routes/shared-sql.ts";
import { savedWorkflowHoldings } from "../capabilities/saved-workflows/shared-sql.ts";
import { sellingHoldings } from "../capabilities/selling/shared-sql.ts";
import { webhookHoldings } from "../capabilities/webhooks/shared-sql.ts";
import { workHoldings } from "../capabilities/works/shared-sql.ts";
import type { WorkspaceHoldings } from "../foundation/workspace-holdings.ts";

export const workspaceHoldings: readonly WorkspaceHoldings[] = [
  identityHoldings,
  moveHoldings,
  limitHoldings,
  credentialHoldings,
  routeHoldings,
  assetHoldings,
  jobHoldings,
  taskHoldings,
  requestHoldings,
  webhookHoldings,
  mailHoldings,
  callHoldings,
  sellingHoldings,
  errorAnswerHoldings,
  playgroundRunHoldings,
  editorFileHoldings,
  requestBodyHoldings,
  retentionHoldings,
  deploymentHoldings,
  savedWorkflowHoldings,
  workHoldings,
];
