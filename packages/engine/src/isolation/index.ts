// How far child processes are walled off: levels, what each claims, and which of them work on this machine.
export type { ChildNeeds, Confinement } from "./confinement.ts";
export {
  type ChildKind,
  claims,
  type Escape,
  escapes,
  type IsolationLevel,
  isolationLevels,
} from "./levels.ts";
export { type Isolation, type IsolationProblem, openIsolation, ownProcesses } from "./open-isolation.ts";
