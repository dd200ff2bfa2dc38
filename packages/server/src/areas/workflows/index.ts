export { assetPath, contentPath } from "./asset-links.ts";
export type { Link, Surface, SurfaceLinks, WorkflowCaller } from "./surface.ts";
export { type WorkflowAreasDeps, workflowAreas } from "./workflow-areas.ts";
