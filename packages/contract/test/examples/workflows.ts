import { type Example, hash, laterTime, otherUuid, time, uuid } from "./example.ts";

const urls = { self: `/api/v2/assets/${uuid}`, content: `/api/v2/assets/${uuid}/content` };
const asset = {
  id: uuid,
  hash,
  size_bytes: 12,
  content_type: "image/png",
  file_path: "in.png",
  created_new: true,
  created_at: time,
  url: "https://content.example/c/1?e=1",
  url_expires_at: laterTime,
  urls,
};
const node = {
  node_id: "3",
  class_type: "ModelImage",
  title: "The picture",
  state: "running",
  progress: 0.5,
  ms: 1200,
};
const nodeCounts = { waiting: 0, running: 1, cached: 0, done: 1, failed: 0 };
const progress = {
  value: 0.5,
  nodes_done: 1,
  nodes_total: 2,
  current_node: "3",
  step: 21,
  steps: null,
  nodes: [{ node_id: "1", class_type: "EmptyImage", state: "done", progress: 1, began_ms: 12, ms: 3 }, node],
  node_counts: nodeCounts,
};
const jobError = { code: "node_execution_error", message: "No image", node_id: "3", traceback: null };
const output = {
  id: otherUuid,
  node_id: "9",
  name: "out.png",
  type: "image",
  content_type: "image/png",
  size_bytes: 12,
  hash: null,
  url: "https://api.example/api/v2/assets/1/content",
  url_expires_at: null,
  urls,
};
const jobUrls = {
  self: `/api/v2/jobs/${uuid}`,
  events: `/api/v2/jobs/${uuid}/events`,
  cancel: `/api/v2/jobs/${uuid}/cancel`,
  workflow: `/api/v2/jobs/${uuid}/workflow`,
  preview: `/api/v2/jobs/${uuid}/preview`,
};
const job = {
  id: uuid,
  status: "running",
  created_at: time,
  started_at: time,
  completed_at: null,
  expires_at: laterTime,
  queue_position: null,
  progress,
  outputs: [output],
  error: null,
  metrics: { queue_ms: 12, execution_ms: null },
  metadata: "order 7",
  priority: -3,
  urls: jobUrls,
};
const reference = { __type: "core/ASSET", info: { id: uuid } };
const graphNode = { class_type: "SaveImage", inputs: { images: ["8", 0], mask: reference }, _meta: { title: "Save" } };
const graph = { "9": graphNode };
const classInput = {
  name: "seed",
  type: "INT",
  is_required: true,
  is_link: false,
  is_file: false,
  default: 0,
  min: 0,
  max: 2 ** 53,
};
const nodeClass = {
  name: "KSampler",
  title: "KSampler",
  category: "sampling",
  description: "",
  is_output: false,
  is_deprecated: false,
  is_experimental: false,
  inputs: [classInput, { ...classInput, name: "scheduler", type: "COMBO", choices: ["normal", "karras"] }],
  outputs: [{ name: "LATENT", type: "LATENT", is_list: false }],
  runs_on: { engine: false, pools: [uuid], application: false },
};
const delivery = {
  id: uuid,
  subject_id: "p-1",
  sequence: 1,
  type: "job.succeeded",
  url: "https://hooks.example/a",
  endpoint_id: null,
  status: "dead",
  attempts: 10,
  next_attempt_at: null,
  last_status: 500,
  last_error: null,
  last_duration_ms: 120,
  created_at: time,
  delivered_at: null,
};

const indexUrls = {
  self: "/api/v2",
  jobs: "/api/v2/jobs",
  cancel_jobs: "/api/jobs/cancel",
  assets: "/api/v2/assets",
  assets_from_hash: "/api/v2/assets/from-hash",
  uploads: "/api/v2/uploads",
  node_classes: "/api/v2/node-classes",
  convert_workflow: "/api/v2/workflows/convert",
  health: "/api/v2/health",
  openapi: "/openapi.json",
};

export const workflowExamples: Record<string, Example> = {
  WorkflowError: {
    good: { error: { code: "invalid_workflow", message: "Bad graph", details: { node_errors: { "9": [] } } } },
    broken: { error: "invalid_workflow", "error.message": undefined, "error.details": "x" },
  },
  BlobHash: { good: hash, broken: { "": hash.toUpperCase() } },
  ContentUrls: { good: urls, broken: { content: undefined } },
  Asset: {
    good: asset,
    broken: {
      id: "x",
      hash: "sha256:1",
      size_bytes: -1,
      url_expires_at: undefined,
      urls: undefined,
      created_at: "now",
    },
  },
  AssetPage: {
    good: { data: [asset], has_more: true, next_cursor: "abc", next: "/api/v2/assets?cursor=abc", limit: 20 },
    broken: { next: null, data: [{}] },
  },
  AssetUpload: {
    good: { content_type: "image/png", file_path: "in.png", expected_hash: hash, tags: ["a"], file: "…" },
    broken: { file: undefined, file_path: "", content_type: undefined, expires_in: 59 },
  },
  AssetTags: { good: { add: ["starred"], remove: [] }, broken: { add: "starred" } },
  AssetFromHash: { good: { hash, file_path: "in.png" }, broken: { hash: "abc", expires_in: 604_801 } },
  AssetFromPath: {
    good: { file_path: "output/made.png", content_type: "image/png", tags: ["mine"] },
    broken: { file_path: "", expected_hash: "abc", expires_in: 59 },
  },
  JobState: { good: "canceling", broken: { "": "cancelled" } },
  NodeState: { good: "cached", broken: { "": "skipped" } },
  JobNode: { good: node, broken: { node_id: undefined, state: "queued", progress: 1.1, ms: -1 } },
  NodeCounts: { good: nodeCounts, broken: { failed: undefined, done: -1 } },
  Progress: { good: progress, broken: { value: 1.01, nodes_done: undefined, steps: -1, node_counts: {} } },
  JobError: { good: jobError, broken: { code: "", message: undefined } },
  Output: { good: output, broken: { type: "model", url_expires_at: undefined, hash: undefined } },
  JobUrls: { good: jobUrls, broken: { preview: undefined } },
  Job: {
    good: job,
    broken: {
      status: "cancelled",
      expires_at: null,
      outputs: null,
      error: undefined,
      "metrics.queue_ms": "12",
      urls: {},
    },
  },
  JobPage: { good: { data: [job], has_more: false, limit: 100 }, broken: { "data.0.id": undefined } },
  GraphNode: { good: graphNode, broken: { class_type: "", inputs: undefined } },
  NodeClassInput: { good: classInput, broken: { name: 7, is_link: undefined, max: "10", choices: "normal" } },
  NodeClassOutput: { good: nodeClass.outputs[0], broken: { type: undefined, is_list: null } },
  NodeClassLocation: { good: nodeClass.runs_on, broken: { pools: ["shared"], engine: undefined } },
  NodeClass: { good: nodeClass, broken: { name: undefined, inputs: null, runs_on: undefined } },
  NodeClassPage: {
    good: { data: [nodeClass], has_more: true, next_cursor: "a", next: "/api/v2/node-classes?cursor=a", limit: 20 },
    broken: { data: undefined, has_more: "no", limit: 0 },
  },
  ObjectInfo: { good: { KSampler: { input: { required: {} } } }, broken: { "": 7 } },
  WorkflowGraph: { good: graph, broken: { "9": { inputs: {} } } },
  EditorGraph: { good: { nodes: [{ id: 1, type: "EmptyImage" }], links: [] }, broken: { nodes: {} } },
  AssetReference: { good: reference, broken: { __type: "core/IMAGE", "info.id": undefined, info: null } },
  SubmitJob: {
    good: { workflow: graph, metadata: "order 7", priority: 100, extra_data: { api_key_service: "service-x" } },
    broken: {
      workflow: "none",
      priority: 101,
      metadata: "x".repeat(1_025),
      "extra_data.other": "x",
      webhook_url: "nowhere",
    },
  },
  JobWorkflow: { good: { workflow: graph, format: "api" }, broken: { format: "ui", workflow: [] } },
  CanceledJob: { good: { cancelled: false }, broken: { cancelled: [] } },
  CancelJobs: { good: { job_ids: [uuid] }, broken: { job_ids: [], "job_ids.0": "7" } },
  CanceledJobs: { good: { cancelled: [] }, broken: { cancelled: true } },
  ConvertWorkflow: { good: { workflow: { nodes: [], links: [] } }, broken: { workflow: [] } },
  ConvertedWorkflow: { good: { workflow: graph, format: "api" }, broken: { format: "save" } },
  JobNotification: { good: { ...job, sequence: 2, type: "job.running" }, broken: { sequence: 0, type: "running" } },
  StatusEvent: {
    good: { event: "status", id: "1", data: { status: "queued", queue_position: 3 } },
    broken: { data: {} },
  },
  ProgressEvent: { good: { event: "progress", data: progress }, broken: { event: "status" } },
  PreviewEvent: {
    good: { event: "preview", data: { node_id: "3", content_type: "image/jpeg", data_base64: "aGk=" } },
    broken: { "data.data_base64": undefined },
  },
  OutputEvent: { good: { event: "output", data: output }, broken: { data: job } },
  LogEvent: { good: { event: "log", data: { level: "info", message: "hi" } }, broken: { "data.level": "loud" } },
  OutputTarget: {
    good: { kind: "https", url: "https://files.example/in/{name}" },
    broken: { kind: "ftp", url: 7, secret: "x" },
  },
  WaitingFor: {
    good: { reason: "worker", node_classes: ["TestSleep"], models: [], last_seen_at: time },
    broken: { reason: "luck", node_classes: "TestSleep", models: undefined, last_seen_at: undefined },
  },
  OutputDelivery: {
    good: { delivered: 1, pending: 0, failed: 1, last_error: "The target answered 403." },
    broken: { delivered: -1, last_error: undefined },
  },
  JobMetadata: { good: { campaign: "spring", shot: "7" }, broken: { "": 7, shot: 7 } },
  JobEvent: { good: { event: "output", data: output }, broken: { event: "progress" } },
  WebhookHeaders: {
    good: { "webhook-id": uuid, "webhook-timestamp": "1763200000", "webhook-signature": "v1,aGk= v1,aG8=" },
    broken: { "webhook-id": "a.b", "webhook-timestamp": "now", "webhook-signature": "v2,aGk=" },
  },
  WebhookBody: { good: { ...job, sequence: 2, type: "job.running" }, broken: { sequence: undefined, type: "running" } },
  WebhookDeliveryStatus: { good: "gone", broken: { "": "failed" } },
  WebhookDelivery: { good: delivery, broken: { attempts: -1, last_error: undefined, status: "failed" } },
  WebhookDeliveryPage: { good: { data: [delivery], has_more: false, limit: 20 }, broken: { "data.0.url": "x" } },
  WebhookSecret: {
    good: { id: uuid, secret: "whsec_aGk=", created_at: time, signs_until: null },
    broken: { secret: "aGk=", signs_until: undefined },
  },
  WorkflowUrls: { good: indexUrls, broken: { self: undefined, jobs: 7 } },
  WorkflowIndex: { good: { version: "v2", urls: indexUrls }, broken: { version: "v1", urls: undefined } },
};
