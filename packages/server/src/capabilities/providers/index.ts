export { createAnswerReader, readHere } from "./answers/answer-reader.ts";
export { matchRule, plainWords, received, valueIn } from "./answers/read-answer.ts";
export { holdsResultAddress, isProviderAddress, resultAddresses } from "./answers/result-addresses.ts";
export { saidWords } from "./answers/said-words.ts";
export { cancelTask } from "./cancel-task.ts";
export { checkDefinition, type DefinitionChecks } from "./check-definition.ts";
export { credentialHeaders } from "./credential.ts";
export type { ConnectionCheck } from "./credentials/check-connection.ts";
export {
  type CredentialWriting,
  credentialWriting,
  type HeldCredentials,
  heldCredentials,
} from "./credentials/held-credentials.ts";
export {
  type BuiltInProviders,
  createProviderCredentials,
  isHostList,
  type ProviderCredentials,
  providerSecrets,
  secretWithin,
} from "./credentials/provider-credentials.ts";
export { circuitFindings, providerFindings } from "./credentials/provider-findings.ts";
export { checkProvider, type ServerCredentials, serverCredentialList } from "./credentials/server-credentials.ts";
export { type AnswerLocation, Credential, ModelDefinition, ProviderDefinition, pricedNodes } from "./definition.ts";
export { type DefinitionProblem, problemText } from "./definition-problem.ts";
export {
  type EffectiveProvider,
  effectiveProviders,
  isReleased,
  type SourcedDefinition,
} from "./effective-providers.ts";
export { bodyViolations } from "./exact-integers.ts";
export { registerHealthMetrics } from "./health-metrics.ts";
export { buildInputSchema, buildSchemaDocument, compileInput } from "./input-schema.ts";
export { isPresent, valueAt } from "./json-pointer.ts";
export { createLiveProviders, type LiveModel, type LiveProvider, type LiveProviders } from "./live-providers.ts";
export { marksOf, noMarks } from "./model-marks.ts";
export { withModelMember } from "./model-member.ts";
export type { AskedRun, FoundRun, ModelRunner, RunnerCall, RunnerExample, RunnerQuote } from "./model-runner.ts";
export { encodeForm, type FormBody } from "./multipart-body.ts";
export { type Attempt, isProvenNotRun, type Outcome, outcomeReasons } from "./outcome.ts";
export { promptInput } from "./prompt-input.ts";
export {
  type ActingOnProviders,
  createProviderCatalog,
  type ProviderCatalog,
  providerRecords,
} from "./provider-catalog.ts";
export { createProviderHealth, type HealthEntry, type ProviderHealth } from "./provider-health.ts";
export { type ProviderMeter, registerProviderMetrics } from "./provider-metrics.ts";
export { createProviderUpstream } from "./provider-upstream.ts";
export { hostsIn, prepareModels } from "./providers.ts";
export { isRouteId, isWorkId, routeIdOf, workPrefix } from "./reserved-names.ts";
export {
  type Asked,
  askAbout,
  pollOnce,
  type RateWait,
  type RefusedCredential,
  type RunDeps,
  runModel,
  type TaskHandle,
} from "./run-model.ts";
export { sandboxDefinition } from "./sandbox-definition.ts";
export type { ServedModel } from "./served-model.ts";
export { composeStream } from "./streams/compose-stream.ts";
export { eventStreamType, isEventStream, streamOf } from "./streams/stream-definition.ts";
export { type StreamEvent, streamEvents } from "./streams/stream-events.ts";
export type { LiveReader } from "./streams/tap-answer.ts";
