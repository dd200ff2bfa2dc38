// What a gateway needs in order to have a sandbox beside it: its models as data and its process. What draws the pictures is
// loaded over there alone.
export { type SandboxModel, sandboxModels } from "./models/catalog.ts";
export { type SpawnedSandbox, spawnSandbox } from "./spawn-sandbox.ts";
