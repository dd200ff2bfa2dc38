export { noFaults } from "./application/faults.ts";
export { type SpawnedSandboxApplication, spawnSandboxApplication } from "./application/spawn-application.ts";
export {
  type RunningSandboxApplication,
  type SandboxApplicationOptions,
  startSandboxApplication,
} from "./application/start-application.ts";
export { type SandboxModel, sandboxModels } from "./models/catalog.ts";
export { simulations } from "./models/input-schemas.ts";
export { type SpawnedSandbox, spawnSandbox } from "./spawn-sandbox.ts";
export { startSandbox } from "./start-sandbox.ts";
