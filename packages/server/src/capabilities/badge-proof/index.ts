export { canonicalBadge, isPrototypeName, readBadge } from "./badge-shape.ts";
export { type Finding, isProven } from "./finding.ts";
export type { NodeState } from "./probe-values.ts";
export { type BadgeProof, badgeProof, type Sample } from "./prove-badge.ts";
