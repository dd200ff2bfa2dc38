// The table of all operations of the service. The server's routes, the OpenAPI document, the SDK and the test that calls every
// operation are derived from it: one operation, one name.
import type { Operation } from "./operation.ts";
import { alertOperations } from "./operations/account/alerts.ts";
import { budgetOperations } from "./operations/account/budgets.ts";
import { galleryOperations } from "./operations/account/gallery.ts";
import { accountRouteOperations, routeAdministrationOperations } from "./operations/account/routes.ts";
import { savedWorkflowOperations } from "./operations/account/saved-workflows.ts";
import { sellingAdministrationOperations, sellingOperations } from "./operations/account/selling.ts";
import { templateOperations } from "./operations/account/templates.ts";
import { tokenAccountOperations } from "./operations/account/tokens.ts";
import { webhookEndpointOperations } from "./operations/account/webhook-endpoints.ts";
import { workOperations } from "./operations/account/works.ts";
import { accountOperations } from "./operations/account.ts";
import { accountFigureOperations } from "./operations/account-figures.ts";
import { accountPeopleOperations } from "./operations/account-people.ts";
import { adminOperations } from "./operations/admin.ts";
import { consoleOperations } from "./operations/console.ts";
import { contentOperations } from "./operations/content.ts";
import { deploymentAdministrationOperations } from "./operations/deployment-administration.ts";
import { environmentAdministrationOperations } from "./operations/environment-administration.ts";
import { mcpOperations } from "./operations/mcp.ts";
import { modelRequestOperations } from "./operations/model-requests.ts";
import { modelRouterOperations } from "./operations/model-router.ts";
import { partnerProxyOperations } from "./operations/partner-proxy.ts";
import { priceBadgeOperations } from "./operations/price-badges.ts";
import { providerAdministrationOperations } from "./operations/provider-administration.ts";
import { providerCredentialOperations } from "./operations/provider-credentials.ts";
import { registryAdministrationOperations } from "./operations/registry-administration.ts";
import { registryNodeOperations } from "./operations/registry-nodes.ts";
import { registryPublisherOperations } from "./operations/registry-publishers.ts";
import { registryVersionOperations } from "./operations/registry-versions.ts";
import { signInOperations } from "./operations/sign-in.ts";
import { systemOperations } from "./operations/system.ts";
import { webhookOperations } from "./operations/webhooks.ts";
import { weightAdministrationOperations } from "./operations/weights/administration.ts";
import { workerWeightOperations } from "./operations/weights/for-workers.ts";
import { workerAdministrationOperations, workerOperations } from "./operations/workers.ts";
import { workflowAssetOperations } from "./operations/workflow-assets.ts";
import { workflowClassOperations } from "./operations/workflow-classes.ts";
import { workflowJobOperations } from "./operations/workflow-jobs.ts";
import { workflowUploadOperations } from "./operations/workflow-uploads.ts";

// Written out as interfaces so that declarations refer to each area's table instead of repeating it.
export interface OperationsByArea {
  readonly priceBadges: typeof priceBadgeOperations;
  readonly modelRouter: typeof modelRouterOperations;
  readonly modelRequests: typeof modelRequestOperations;
  readonly partnerProxy: typeof partnerProxyOperations;
  readonly registryPublishers: typeof registryPublisherOperations;
  readonly registryNodes: typeof registryNodeOperations;
  readonly registryVersions: typeof registryVersionOperations;
  readonly registryAdministration: typeof registryAdministrationOperations;
  readonly workflowJobs: typeof workflowJobOperations;
  readonly workflowClasses: typeof workflowClassOperations;
  readonly workflowAssets: typeof workflowAssetOperations;
  readonly workflowUploads: typeof workflowUploadOperations;
  readonly content: typeof contentOperations;
  readonly account: typeof accountOperations;
  readonly accountPeople: typeof accountPeopleOperations;
  readonly signIn: typeof signInOperations;
  readonly accountFigures: typeof accountFigureOperations;
  readonly providerCredentials: typeof providerCredentialOperations;
  readonly accountRoutes: typeof accountRouteOperations;
  readonly gallery: typeof galleryOperations;
  readonly savedWorkflows: typeof savedWorkflowOperations;
  readonly budgets: typeof budgetOperations;
  readonly alerts: typeof alertOperations;
  readonly selling: typeof sellingOperations;
  readonly tokens: typeof tokenAccountOperations;
  readonly works: typeof workOperations;
  readonly templates: typeof templateOperations;
  readonly webhooks: typeof webhookOperations;
  readonly webhookEndpoints: typeof webhookEndpointOperations;
  readonly administration: typeof adminOperations;
  readonly providerAdministration: typeof providerAdministrationOperations;
  readonly deploymentAdministration: typeof deploymentAdministrationOperations;
  readonly environmentAdministration: typeof environmentAdministrationOperations;
  readonly sellingAdministration: typeof sellingAdministrationOperations;
  readonly routeAdministration: typeof routeAdministrationOperations;
  readonly workerAdministration: typeof workerAdministrationOperations;
  readonly workers: typeof workerOperations;
  readonly weightAdministration: typeof weightAdministrationOperations;
  readonly workerWeights: typeof workerWeightOperations;
  readonly agents: typeof mcpOperations;
  readonly console: typeof consoleOperations;
  readonly system: typeof systemOperations;
}

export interface Operations
  extends Readonly<typeof priceBadgeOperations>,
    Readonly<typeof modelRouterOperations>,
    Readonly<typeof modelRequestOperations>,
    Readonly<typeof consoleOperations>,
    Readonly<typeof partnerProxyOperations>,
    Readonly<typeof registryPublisherOperations>,
    Readonly<typeof registryNodeOperations>,
    Readonly<typeof registryVersionOperations>,
    Readonly<typeof registryAdministrationOperations>,
    Readonly<typeof workflowJobOperations>,
    Readonly<typeof workflowClassOperations>,
    Readonly<typeof workflowAssetOperations>,
    Readonly<typeof workflowUploadOperations>,
    Readonly<typeof contentOperations>,
    Readonly<typeof accountOperations>,
    Readonly<typeof accountPeopleOperations>,
    Readonly<typeof signInOperations>,
    Readonly<typeof accountFigureOperations>,
    Readonly<typeof providerCredentialOperations>,
    Readonly<typeof accountRouteOperations>,
    Readonly<typeof galleryOperations>,
    Readonly<typeof savedWorkflowOperations>,
    Readonly<typeof budgetOperations>,
    Readonly<typeof alertOperations>,
    Readonly<typeof sellingOperations>,
    Readonly<typeof sellingAdministrationOperations>,
    Readonly<typeof tokenAccountOperations>,
    Readonly<typeof workOperations>,
    Readonly<typeof templateOperations>,
    Readonly<typeof webhookOperations>,
    Readonly<typeof webhookEndpointOperations>,
    Readonly<typeof adminOperations>,
    Readonly<typeof providerAdministrationOperations>,
    Readonly<typeof deploymentAdministrationOperations>,
    Readonly<typeof environmentAdministrationOperations>,
    Readonly<typeof routeAdministrationOperations>,
    Readonly<typeof workerAdministrationOperations>,
    Readonly<typeof workerOperations>,
    Readonly<typeof weightAdministrationOperations>,
    Readonly<typeof workerWeightOperations>,
    Readonly<typeof mcpOperations>,
    Readonly<typeof systemOperations> {}

export const operationsByArea: OperationsByArea = {
  priceBadges: priceBadgeOperations,
  modelRouter: modelRouterOperations,
  modelRequests: modelRequestOperations,
  partnerProxy: partnerProxyOperations,
  registryPublishers: registryPublisherOperations,
  registryNodes: registryNodeOperations,
  registryVersions: registryVersionOperations,
  registryAdministration: registryAdministrationOperations,
  workflowJobs: workflowJobOperations,
  workflowClasses: workflowClassOperations,
  workflowAssets: workflowAssetOperations,
  workflowUploads: workflowUploadOperations,
  content: contentOperations,
  account: accountOperations,
  accountPeople: accountPeopleOperations,
  signIn: signInOperations,
  accountFigures: accountFigureOperations,
  providerCredentials: providerCredentialOperations,
  accountRoutes: accountRouteOperations,
  gallery: galleryOperations,
  savedWorkflows: savedWorkflowOperations,
  budgets: budgetOperations,
  alerts: alertOperations,
  selling: sellingOperations,
  tokens: tokenAccountOperations,
  works: workOperations,
  templates: templateOperations,
  webhooks: webhookOperations,
  webhookEndpoints: webhookEndpointOperations,
  administration: adminOperations,
  providerAdministration: providerAdministrationOperations,
  deploymentAdministration: deploymentAdministrationOperations,
  environmentAdministration: environmentAdministrationOperations,
  sellingAdministration: sellingAdministrationOperations,
  routeAdministration: routeAdministrationOperations,
  workerAdministration: workerAdministrationOperations,
  workers: workerOperations,
  weightAdministration: weightAdministrationOperations,
  workerWeights: workerWeightOperations,
  agents: mcpOperations,
  console: consoleOperations,
  system: systemOperations,
};

export const operations: Operations = {
  ...priceBadgeOperations,
  ...modelRouterOperations,
  ...modelRequestOperations,
  ...partnerProxyOperations,
  ...registryPublisherOperations,
  ...registryNodeOperations,
  ...registryVersionOperations,
  ...registryAdministrationOperations,
  ...workflowJobOperations,
  ...workflowClassOperations,
  ...workflowAssetOperations,
  ...workflowUploadOperations,
  ...contentOperations,
  ...accountOperations,
  ...accountPeopleOperations,
  ...signInOperations,
  ...accountFigureOperations,
  ...providerCredentialOperations,
  ...accountRouteOperations,
  ...galleryOperations,
  ...savedWorkflowOperations,
  ...budgetOperations,
  ...alertOperations,
  ...sellingOperations,
  ...tokenAccountOperations,
  ...workOperations,
  ...templateOperations,
  ...webhookOperations,
  ...webhookEndpointOperations,
  ...adminOperations,
  ...providerAdministrationOperations,
  ...deploymentAdministrationOperations,
  ...environmentAdministrationOperations,
  ...sellingAdministrationOperations,
  ...routeAdministrationOperations,
  ...workerAdministrationOperations,
  ...workerOperations,
  ...weightAdministrationOperations,
  ...workerWeightOperations,
  ...mcpOperations,
  ...consoleOperations,
  ...systemOperations,
};

export type OperationId = keyof Operations;

// The same table for code that iterates over all of it.
export const allOperations: readonly Operation[] = Object.values(operations);
