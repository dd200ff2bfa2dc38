export type { BadgeResult, Miss } from "./badge-result.ts";
export { type Badge, canonicalBadge, isPrototypeName, readBadge } from "./badge-shape.ts";
export { type Finding, isProven } from "./finding.ts";
export { labelOf } from "./label.ts";
export type { ExpressionContext, NodeDescription, NodeState, WidgetDescription } from "./probe-values.ts";
export { type BadgeProof, type BadgeProofSettings, badgeProof, type Proof, type Sample } from "./prove-badge.ts";
