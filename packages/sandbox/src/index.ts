export type { ApplicationStats, ApplicationVersion } from "./application/application.ts";
export { type ApplicationFaults, noFaults } from "./application/faults.ts";
export { type SpawnedSandboxApplication, spawnSandboxApplication } from "./application/spawn-application.ts";
export {
  type RunningSandboxApplication,
  type SandboxApplicationOptions,
  startSandboxApplication,
} from "./application/start-application.ts";
export type { SandboxPace } from "./http/call.ts";
export {
  type PollRules,
  type PriceRecord,
  type SandboxModel,
  type SandboxModelName,
  sandboxModels,
} from "./models/catalog.ts";
export { type InputSchema, type MemberSchema, type Simulation, simulations } from "./models/input-schemas.ts";
export { type PartnerFault, partnerFaults } from "./partners/faults.ts";
export type { PartnerCredentials, PartnersOptions, PartnersPace } from "./partners/partners.ts";
export { type PartnerSlug, type SandboxPartner, sandboxPartners } from "./partners/sandbox-partners.ts";
export { type SpawnedSandbox, spawnSandbox } from "./spawn-sandbox.ts";
export { type RunningSandbox, type SandboxLine, type SandboxOptions, startSandbox } from "./start-sandbox.ts";
