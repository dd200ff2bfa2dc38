// What a gateway needs to run a sandbox next to it: its models as data, and its process. The drawing code is loaded only in that
// process.
export { type SandboxModel, sandboxModels } from "./models/catalog.ts";
export { type SpawnedSandbox, spawnSandbox } from "./spawn-sandbox.ts";
export type { StandInAnswer, StandInMedia, StandInModel } from "./stand-ins/stand-in.ts";
