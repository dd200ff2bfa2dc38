// The operations that `serve` mounts, for documents generated without starting it. A test compares this list with what a
// running server really mounts.
import { type Operation, operationsByArea } from "@atelier/contract";

export function mountedOperations(): readonly Operation[] {
  // Spec, v2 endpoints: only a dedicated surface shows the graph it executed.
  const { getExecutedWorkflow: _, ...workflowJobs } = operationsByArea.workflowJobs;
  // Only a surface next to an application knows the application's files.
  const { createAssetFromPath: __, ...workflowAssets } = operationsByArea.workflowAssets;
  const { priceBadges, modelRouter, modelRequests, partnerProxy } = operationsByArea;
  const { workflowUploads, workflowClasses, webhooks, webhookEndpoints, agents, console, system } = operationsByArea;
  const {
    account,
    accountPeople,
    accountFigures,
    gallery,
    savedWorkflows,
    works,
    templates,
    tokens,
    budgets,
    alerts,
    signIn,
  } = operationsByArea;
  const { administration, providerCredentials, providerAdministration, deploymentAdministration } = operationsByArea;
  const { accountRoutes, routeAdministration, selling, sellingAdministration } = operationsByArea;
  const { environmentAdministration, weightAdministration, workerAdministration, workers, workerWeights } =
    operationsByArea;
  const { registryPublishers, registryNodes, registryVersions, registryAdministration } = operationsByArea;
  return [
    priceBadges,
    modelRouter,
    modelRequests,
    partnerProxy,
    workflowAssets,
    workflowUploads,
    workflowJobs,
    workflowClasses,
    account,
    accountPeople,
    accountFigures,
    gallery,
    signIn,
    providerCredentials,
    accountRoutes,
    savedWorkflows,
    works,
    templates,
    tokens,
    budgets,
    alerts,
    selling,
    webhooks,
    webhookEndpoints,
    administration,
    providerAdministration,
    deploymentAdministration,
    environmentAdministration,
    sellingAdministration,
    routeAdministration,
    weightAdministration,
    workerAdministration,
    workers,
    workerWeights,
    registryPublishers,
    registryNodes,
    registryVersions,
    registryAdministration,
    agents,
    console,
    system,
  ].flatMap((table) => Object.values(table));
}
