export { createClassAnswers } from "./class-answers.ts";
export { type EstimateWorkflowDeps, estimateWorkflow } from "./estimate-workflow.ts";
export { jobNotifier } from "./job-notifier.ts";
export { contentPath } from "./links.ts";
export { createStreamQuota } from "./stream-quota.ts";
export { submitJob } from "./submit-job.ts";
export type { LinkArrival, Surface, SurfaceFolder, WorkflowCaller } from "./surface.ts";
export { type WorkflowWork, workflowAreas } from "./workflow-areas.ts";
