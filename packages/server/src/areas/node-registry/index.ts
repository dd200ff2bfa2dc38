export { type ArchiveChecks, createArchiveChecks } from "./checks/archive-checks.ts";
export { builtInRules } from "./checks/built-in-rules.ts";
export { normalizeVersion } from "./checks/manifest.ts";
export { extendRules, type RuleSet } from "./checks/rule-set.ts";
export { createNodeRegistry, type NodeRegistry, type NodeRegistryDeps } from "./node-registry.ts";
export type { RegistryRoutes } from "./registry-areas.ts";
export { type ArchiveAddresses, createArchiveAddresses } from "./versions/archive-addresses.ts";
export { createRegistryVersions, type RegistryVersions } from "./versions/registry-versions.ts";
export { versionInvariants } from "./versions/version-invariants-store.ts";
