export type { SandboxPace } from "./http/call.ts";
export {
  type PollRules,
  type PriceRecord,
  type SandboxModel,
  type SandboxModelName,
  sandboxModels,
} from "./models/catalog.ts";
export { type InputSchema, type MemberSchema, type Simulation, simulations } from "./models/input-schemas.ts";
export { type SpawnedSandbox, spawnSandbox } from "./spawn-sandbox.ts";
export { type RunningSandbox, type SandboxLine, type SandboxOptions, startSandbox } from "./start-sandbox.ts";
