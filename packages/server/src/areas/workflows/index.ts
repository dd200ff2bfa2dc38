export { createClassAnswers } from "./classes/class-answers.ts";
export { estimateWorkflow, quoteSubmission } from "./jobs/estimate-workflow.ts";
export { jobNotifier } from "./jobs/job-notifier.ts";
export { type PublishingPortDeps, publishingPorts } from "./jobs/publishing-ports.ts";
export { createStreamQuota } from "./jobs/stream-quota.ts";
export { submitJob } from "./jobs/submit-job.ts";
export { contentPath } from "./links.ts";
export type { LinkArrival, Surface, SurfaceFolder, WorkflowCaller } from "./surface.ts";
export { type WorkflowWork, workflowAreas } from "./workflow-areas.ts";
