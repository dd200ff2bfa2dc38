export { ModelDefinition, ProviderDefinition } from "./definition.ts";
export { type ExactViolation, exactViolations } from "./exact-integers.ts";
export { valueAt } from "./json-pointer.ts";
export { withModelMember } from "./model-member.ts";
export type { Outcome, ProviderAnswer } from "./outcome.ts";
export { type CheckedDefinition, checkDefinition, type ProvidersDeps, serveModels } from "./providers.ts";
export { type Asked, askAbout, type ModelRun, pollOnce, type RunDeps, runModel, type TaskHandle } from "./run-model.ts";
export type { ServedModel } from "./served-model.ts";
