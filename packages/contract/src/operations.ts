// The table of operations of the whole service. The server's routes, the OpenAPI document, the SDK and the test that
// calls every operation are derived from it: one operation, one name.
import type { Operation } from "./operation.ts";
import { contentOperations } from "./operations/content.ts";
import { modelRouterOperations } from "./operations/model-router.ts";
import { partnerProxyOperations } from "./operations/partner-proxy.ts";
import { priceBadgeOperations } from "./operations/price-badges.ts";
import { registryAdministrationOperations } from "./operations/registry-administration.ts";
import { registryNodeOperations } from "./operations/registry-nodes.ts";
import { registryPublisherOperations } from "./operations/registry-publishers.ts";
import { registryVersionOperations } from "./operations/registry-versions.ts";
import { systemOperations } from "./operations/system.ts";
import { workflowAssetOperations } from "./operations/workflow-assets.ts";
import { workflowJobOperations } from "./operations/workflow-jobs.ts";

export const operationsByArea = {
  priceBadges: priceBadgeOperations,
  modelRouter: modelRouterOperations,
  partnerProxy: partnerProxyOperations,
  registryPublishers: registryPublisherOperations,
  registryNodes: registryNodeOperations,
  registryVersions: registryVersionOperations,
  registryAdministration: registryAdministrationOperations,
  workflowJobs: workflowJobOperations,
  workflowAssets: workflowAssetOperations,
  content: contentOperations,
  system: systemOperations,
} as const satisfies Record<string, Readonly<Record<string, Operation>>>;

export const operations = {
  ...priceBadgeOperations,
  ...modelRouterOperations,
  ...partnerProxyOperations,
  ...registryPublisherOperations,
  ...registryNodeOperations,
  ...registryVersionOperations,
  ...registryAdministrationOperations,
  ...workflowJobOperations,
  ...workflowAssetOperations,
  ...contentOperations,
  ...systemOperations,
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationId = keyof typeof operations;
