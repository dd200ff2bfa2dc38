export type { PlaygroundRun, RunOwner } from "./playground-run.ts";
export { createPlaygroundRuns, type PlaygroundRuns } from "./playground-runs.ts";
