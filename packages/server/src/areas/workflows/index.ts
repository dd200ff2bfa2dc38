export { assetPath, contentPath } from "./asset-links.ts";
export type { Link, Surface, SurfaceLinks, WorkflowCaller } from "./surface.ts";
export { uploadOperations } from "./upload-operations.ts";
export { type WorkflowAreasDeps, workflowAreas } from "./workflow-areas.ts";
