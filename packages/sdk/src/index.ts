export {
  type AssetSource,
  Assets,
  fileSource,
  type ListAssetsOptions,
  referenceTo,
  type SharedUrl,
} from "./assets.ts";
export { Atelier } from "./atelier.ts";
export { Classes, type DescribedClass, type DescribedInput, type FindClassesOptions } from "./classes.ts";
export { type EstimateOptions, Estimates } from "./estimates.ts";
export { parseJson, writeJson } from "./exact-json.ts";
export {
  AlreadyCompleted,
  AtelierError,
  type Billed,
  Cancelled,
  CancelRefused,
  ConcurrencyLimit,
  ConnectionFailed,
  ContentPolicyViolation,
  DeadlineExceeded,
  EditorWorkflow,
  type FailureFacts,
  Forbidden,
  HashMismatch,
  IdempotencyKeyReuse,
  InsufficientCredits,
  InternalError,
  InvalidInput,
  InvalidWorkflow,
  MissingAsset,
  ModelNotFound,
  NotEnabled,
  NotFound,
  PriceAboveLimit,
  ProviderError,
  ProviderTimeout,
  QueueBacklogFull,
  QueueTimeout,
  RateLimited,
  RequestNotCompleted,
  RequestNotFound,
  ServiceUnavailable,
  TimedOut,
  Unauthorized,
} from "./failures.ts";
export type * from "./generated/wire.ts";
export type { ByteSource } from "./graph-in-file/byte-source.ts";
export type { GraphInFile } from "./graph-in-file/find-graph.ts";
export { graphInFile } from "./graph-in-file/graph-in-file.ts";
export type { JobEvent } from "./job-events.ts";
export {
  hasEnded,
  JobFailed,
  JobHandle,
  Jobs,
  type ListJobsOptions,
  type SubmitOptions,
  type WaitOptions,
  type WorkCall,
} from "./jobs.ts";
export {
  type ListRequestsOptions,
  ModelRequestHandle,
  Requests,
  type SubmitModelOptions,
  type SubscribeOptions,
  type WaitForModelOptions,
} from "./model-requests.ts";
export type { ModelResult } from "./model-result.ts";
export { type ModelMap, Models, type RunOptions } from "./models.ts";
export { PartnerA, PartnerB, Partners, type StartOptions } from "./partners.ts";
export type { PutOptions } from "./put-options.ts";
export { type PublishOptions, Registry, type SearchOptions } from "./registry.ts";
export {
  type ChangeWorkflowOptions,
  type KeptForm,
  type KeptWorkflow,
  type ListWorkflowsOptions,
  SavedWorkflows,
  type SaveOptions,
  type SaveVersionOptions,
  type WorkflowSource,
} from "./saved-workflows.ts";
export type { AtelierOptions, CallOptions, HashBlob } from "./transport.ts";
export { type EditorGraph, type Graph, GraphFile, type GraphNode, Workflow } from "./workflow.ts";
export type { Form, FormInput, PublishedVersion, SuggestedForm } from "./works/forms.ts";
export { type NewLink, WorkLinks } from "./works/work-links.ts";
export { type ChangeWorkOptions, type PublishedWork, type PublishWorkOptions, Works } from "./works/works.ts";
export { Budgets } from "./workspace/budgets.ts";
export type { LabelOptions } from "./workspace/labels.ts";
export { type PutRouteOptions, Routes } from "./workspace/routes.ts";
export { type MadeToken, type TokenOptions, Tokens } from "./workspace/tokens.ts";
