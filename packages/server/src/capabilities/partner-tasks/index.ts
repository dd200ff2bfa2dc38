export { callbackBase } from "./callback-address.ts";
export { KeyConflict } from "./key-conflict.ts";
export { createPartnerTasks, type PartnerTasks } from "./partner-tasks.ts";
export type { Started } from "./start-task.ts";
export type { Task } from "./task.ts";
