export { createPartnerTasks, type PartnerTasks, type PartnerTasksDeps } from "./partner-tasks.ts";
export type { ReadTask } from "./read-task.ts";
export type { Started, StartTask } from "./start-task.ts";
export type { PartnerCallback } from "./take-callback.ts";
export { subjectOf, type Task, type TaskId } from "./task.ts";
export { taskHoldings } from "./task-holdings-store.ts";
export { taskInvariants } from "./task-invariants-store.ts";
