// The operator's safety hook: a program of the operator's that is asked about model calls before they are sent, and about
// their answers before they are delivered (decision 0041).
export { lookAtSafety } from "./look-at-safety.ts";
export { buildSafety, requireSafety } from "./open-safety.ts";
export type { SafetyCheck, SafetyHook, SafetyStage, SafetyVerdict } from "./safety-hook.ts";
export { isJson } from "./write-question.ts";
