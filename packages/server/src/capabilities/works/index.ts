// Works: saved workflows that were published, with a name, a form and versions that never change. They are called like models.
export type { DescribedWork } from "./publishing/describe-callable.ts";
export {
  type OfferedWork,
  type PublishedVersion,
  type PublishedWork,
  providerOf,
  versionId,
  type WorkLocator,
} from "./publishing/published-work.ts";
export type { ExampleRun, PublishingPorts, WorkCaller } from "./publishing/publishing-ports.ts";
export { createWorkLinks, type WorkLink, type WorkLinks } from "./publishing/work-links.ts";
export { createWorks, type Works } from "./publishing/works.ts";
export { workPreparer } from "./running/prepared-work.ts";
export { createPriceBounds, type PriceBounds, type PriceWorks } from "./running/price-bounds.ts";
export { createWorkBadges } from "./running/work-badges.ts";
export { createWorkGraphs, type WorkGraphs } from "./running/work-graphs.ts";
export { createWorkModels } from "./running/work-models.ts";
