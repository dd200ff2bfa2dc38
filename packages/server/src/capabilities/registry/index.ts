// The registry's public interface: the registry itself, its checks for use without it, and the types in which a reader
// asks.
export { createArchiveChecks } from "./checks/archive-checks.ts";
export { builtInRules } from "./checks/built-in-rules.ts";
export { checkNodeArchive } from "./checks/check-node-archive.ts";
export { normalizeVersion } from "./checks/manifest.ts";
export { extendRules, type RuleSet } from "./checks/rule-set.ts";
export { readAppVersion } from "./nodes/app-versions.ts";
export { type NodeFilter, type NodeSort, nodeSortColumns } from "./nodes/node-filter.ts";
export { foldedNodeId } from "./nodes/stored-node.ts";
export { readCode } from "./python/read-code.ts";
export type { RegistryActor } from "./readers/actor.ts";
export { nobody, operator, type Reader, readerOf } from "./readers/reader.ts";
export type { Answered } from "./reading/registry-reader.ts";
export { createRegistry, type Registry } from "./registry.ts";
export { addressProblems, type RegistryAddresses, registryPolicy } from "./registry-egress.ts";
export type { VersionNotices } from "./versions/version-notices.ts";
