// Calls to partner models. Each folder imports only from the ones above it:
//   catalog  which models there are, what they cost, who may run them
//   input    checks a body against its model's schema
//   endings  what a provider's outcome means: answer and charge
//   routes   which targets of a route are asked, in which order, and when the next one may be
//   safety   what the operator's hook says of inputs and answers
//   running  calls, queued requests, graphs' calls and lost calls, from opening to end
export {
  type Catalog,
  type CatalogHolder,
  type CatalogModel,
  catalogHolder,
  createCatalog,
} from "./catalog/catalog.ts";
export { describeModel, entryOf, presentEntry } from "./catalog/describe-model.ts";
export { type LockedModel, lockedModels } from "./catalog/locked-models.ts";
export { type OpenToOwn, openToOwn } from "./catalog/open-to-own.ts";
export { ownCatalogs, ownCredentialModels } from "./catalog/own-credential-models.ts";
export { priceModels } from "./catalog/price-models.ts";
export { readProviderFiles } from "./catalog/provider-files.ts";
export {
  type ListedWork,
  type PublishedHolder,
  type PublishedModels,
  publishedHolder,
} from "./catalog/published-models.ts";
export { routeModels } from "./catalog/route-models.ts";
export {
  fixturesBeside,
  shippedDefinition,
  shippedFolder,
  shippedModelIds,
  shippedNames,
  shippedOnce,
  shippedProviders,
  shippedSettings,
} from "./catalog/shipped-providers.ts";
export { mayUseModel, requireModelOfToken } from "./catalog/token-models.ts";
export { decideEnding, type Ending } from "./endings/decide-ending.ts";
export { type KeeperHolder, keeperHolder, type OutputKeeper } from "./endings/keep-outputs.ts";
export { requestAnswers } from "./endings/request-answers.ts";
export { bucketHeader, bucketOf, outcomeBucket, routerAnswer } from "./endings/router-answer.ts";
export { checkInput } from "./input/check-input.ts";
export { createInputChecker } from "./input/input-checker.ts";
export { readWaitSeconds } from "./input/wait-seconds.ts";
export { createModelCalls, type ModelCalls } from "./model-calls.ts";
export { type CallFromGraph, nodeCaller } from "./running/call-from-graph.ts";
export type { Invoked } from "./running/invoke-model.ts";
