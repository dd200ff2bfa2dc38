// The operator's safety hook: a program of the operator's that is asked about model calls before they are sent, and about
// their answers before they are delivered (decision 0041).
export { createSafetyHook, type SafetyHookDeps } from "./ask-hook.ts";
export { readHookSecret, type SafetySettings, safetyProblems } from "./hook-settings.ts";
export { lookAtSafety } from "./look-at-safety.ts";
export { allSafetyProblems, buildSafety, openSafety, requireSafety } from "./open-safety.ts";
export type { SafetyCheck, SafetyHook, SafetyQuestion, SafetyStage, SafetyVerdict } from "./safety-hook.ts";
export { safetyMeter } from "./safety-metrics.ts";
export { isJson } from "./write-question.ts";
