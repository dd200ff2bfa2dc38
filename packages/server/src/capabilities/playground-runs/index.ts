export type { PlaygroundRun, PlaygroundRunId, RunOwner } from "./playground-run.ts";
export { createPlaygroundRuns, type PlaygroundRuns, playgroundRunBounds } from "./playground-runs.ts";
