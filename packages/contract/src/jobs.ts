// v2 jobs. States: queued → running → succeeded | failed; queued → canceled; running → canceling → canceled;
// queued | running → expired. A terminal state never changes (decisions, section 6).
import { type Static, Type } from "typebox";
import { BlobHash, ContentUrls } from "./assets.ts";
import { limits } from "./limits.ts";
import { ModelId } from "./models.ts";
import { linkedPageOf } from "./pagination.ts";
import { entity, mapOf, nullable, OpenObject, Timestamp, Uuid, webhookUrl, wordOf } from "./wire-values.ts";

export const jobStates = ["queued", "running", "canceling", "succeeded", "failed", "canceled", "expired"] as const;
export const terminalJobStates = ["succeeded", "failed", "canceled", "expired"] as const;

export const JobState = wordOf(jobStates, { title: "JobState", description: "The job's status." });
export type JobState = Static<typeof JobState>;

const nullableText = (description: string) => Type.Optional(nullable(Type.String(), description));
const nullableInteger = (description: string) => Type.Optional(nullable(Type.Integer({ minimum: 0 }), description));
const link = (description: string) => Type.String({ format: "uri-reference", description });

export const nodeStates = ["waiting", "running", "cached", "done", "failed"] as const;
export const NodeState = wordOf(nodeStates, {
  title: "NodeState",
  description:
    "waiting: not started. cached: not run; an earlier result was reused. failed: started but not completed, including when the job was canceled or timed out.",
});
export type NodeState = Static<typeof NodeState>;

export const JobNode = entity("JobNode", "The state of one graph node in the job's newest attempt.", {
  node_id: Type.String({ description: "The node's id in the submitted graph." }),
  class_type: Type.String({ description: "Its class." }),
  title: Type.Optional(Type.String({ description: "Its title in the graph (_meta.title). Absent if it has none." })),
  state: NodeState,
  progress: Type.Number({ minimum: 0, maximum: 1, description: "The node's progress from 0 to 1. Never decreases." }),
  began_ms: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        "When it started, in milliseconds after its worker took the attempt. Absent if it did not run or the worker does not report it.",
    }),
  ),
  ms: nullable(Type.Integer({ minimum: 0 }), "How long it has run so far, or in total; null if it did not run."),
});
export type JobNode = Static<typeof JobNode>;

const count = (state: string) => Type.Integer({ minimum: 0, description: `Nodes in the state ${state}.` });

export const NodeCounts = entity(
  "NodeCounts",
  "How many nodes are in each state. Exact, no matter how large the graph is.",
  {
    waiting: count("waiting"),
    running: count("running"),
    cached: count("cached"),
    done: count("done"),
    failed: count("failed"),
  },
);
export type NodeCounts = Static<typeof NodeCounts>;

export const Progress = entity("Progress", "A complete progress snapshot of the job.", {
  value: Type.Number({
    minimum: 0,
    maximum: 1,
    description: "Progress of the whole graph from 0 to 1. Never decreases.",
  }),
  nodes_done: Type.Integer({ minimum: 0, description: "Nodes that have ended." }),
  nodes_total: Type.Integer({ minimum: 0, description: "Nodes of the submitted graph." }),
  current_node: nullableText("The running node."),
  current_node_class: nullableText("Its class."),
  step: nullableInteger("The current step."),
  steps: nullableInteger("The total number of steps."),
  message: nullableText("The progress as text."),
  nodes: Type.Optional(
    Type.Array(JobNode, {
      maxItems: limits.jobNodesShownMax,
      description:
        "The nodes that the outputs depend on, in graph order. If there are more than 500: the failed, the running and the most recently changed ones. Absent in lists and webhooks, before the first attempt, and if the worker does not report them.",
    }),
  ),
  node_counts: Type.Optional(NodeCounts),
});
export type Progress = Static<typeof Progress>;

export const JobError = entity("JobError", "Why a job failed. Part of the job; reading the job still returns 200.", {
  code: Type.String({ minLength: 1, description: "A stable code, such as node_execution_error." }),
  message: Type.String({ description: "A human-readable message." }),
  node_id: nullableText("The node that failed."),
  class_type: nullableText("Its class."),
  traceback: nullableText("Where it failed, if the caller may see that."),
});

export const Output = entity("Output", "A job output. While the job is kept, its id is also an asset id.", {
  id: Uuid,
  node_id: Type.String({ description: "The node that made it." }),
  name: Type.String({ description: "The file name without folders. The asset's file_path includes them." }),
  type: wordOf(["image", "video", "audio", "text", "file", "latent"], {
    description: "The kind of file, detected from its bytes.",
  }),
  content_type: Type.String({ description: "The media type." }),
  size_bytes: Type.Integer({ minimum: 0, description: "Size in bytes." }),
  hash: nullable(BlobHash, "The hash of the bytes; null until known."),
  url: Type.String({
    format: "uri",
    description:
      "The content endpoint. It needs the credential, so do not share it. For a signed URL to share, use the `url` of GET /api/v2/assets/{id} (urls.self) with this output's id.",
  }),
  url_expires_at: nullable(
    Timestamp,
    "The job's expires_at; null on self-hosted surfaces. Not the expiry of a signed URL.",
  ),
  job_id: Type.Optional(nullable(Uuid, "The job that made it.")),
  is_preview: Type.Optional(
    Type.Boolean({
      description:
        "true: made by a preview node such as PreviewImage, so it is not a saved result and is not sent to an output target. Absent for results.",
    }),
  ),
  urls: ContentUrls,
});
export type Output = Static<typeof Output>;

export const JobMetadata = Type.Union(
  [
    Type.String({
      maxLength: limits.jobMetadataBytesMax,
      description: "A string. Filter with metadata=…",
    }),
    mapOf(Type.String({ maxLength: limits.jobLabelValueBytesMax }), {
      maxProperties: limits.jobLabelsMax,
      description: "Labels, string to string. Filter with metadata[key]=value.",
    }),
  ],
  {
    title: "JobMetadata",
    description:
      "The caller's own data, stored with the job and returned unchanged: a string of at most 1024 UTF-8 bytes, or a map of at most 16 labels. A key has 1 to 40 characters from A–Z, a–z, 0–9, `_`, `-` and `.`; a value has at most 256 bytes. Anything else is refused with metadata_invalid.",
  },
);

export const JobUrls = entity("JobUrls", "Related links, relative to the host.", {
  self: link("The job."),
  events: link("Its event stream."),
  cancel: link("POST here to cancel it."),
  workflow: link("The executed graph."),
  preview: link("Its newest preview image."),
});
export type JobUrls = Static<typeof JobUrls>;

export const OutputTarget = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal("https"),
        url: Type.String({
          minLength: 1,
          maxLength: 2_048,
          description:
            "An https URL of a public host with {name} in its path or query, which is replaced with each output's name; it may also contain {job_id}. Outputs are sent with PUT, signed like webhooks.",
        }),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        kind: Type.Literal("s3"),
        endpoint: Type.String({ description: "An https URL of a public host. The bucket is added to the path." }),
        bucket: Type.String({ pattern: "^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$", description: "The bucket." }),
        prefix: Type.Optional(Type.String({ maxLength: 512, description: "A prefix for each name." })),
        region: Type.Optional(Type.String({ pattern: "^[a-z0-9-]{1,64}$", description: "Defaults to us-east-1." })),
        access_key_id: Type.String({ minLength: 1, maxLength: 128, description: "The id of the access key." }),
        secret_access_key: Type.String({
          minLength: 1,
          maxLength: 256,
          description: "Stored encrypted. Never in reads, logs or events.",
        }),
      },
      { additionalProperties: false },
    ),
  ],
  {
    title: "OutputTarget",
    description:
      "Where to also deliver each output as soon as it exists. Never returned by reads, and ignored when an idempotency key compares bodies.",
  },
);

export const OutputDelivery = entity("OutputDelivery", "The state of the deliveries to the output target.", {
  delivered: Type.Integer({ minimum: 0, description: "Delivered outputs." }),
  pending: Type.Integer({ minimum: 0, description: "Outputs being delivered or retried." }),
  failed: Type.Integer({ minimum: 0, description: "Outputs abandoned after ten attempts." }),
  last_error: nullable(Type.String(), "The error of the newest failed attempt."),
});
export type OutputDelivery = Static<typeof OutputDelivery>;

export const WaitingFor = entity(
  "WaitingFor",
  "Why a queued job may not start even when it is next: no connected worker can run its graph. It starts by itself when one connects.",
  {
    reason: wordOf(["worker"], { description: "What it waits for: a worker that can run its graph." }),
    node_classes: Type.Array(Type.String(), {
      description:
        "Node classes of its graph that no connected worker has. All of its classes if each is available somewhere but no worker has them all.",
    }),
    models: Type.Array(Type.String(), {
      description: "Model files of its graph that no connected worker has.",
    }),
    last_seen_at: nullable(Timestamp, "When a worker that could run it was last connected; null if unknown."),
  },
);
export type WaitingFor = Static<typeof WaitingFor>;

const LockId = Type.String({
  pattern: "^[0-9a-f]{64}$",
  description: "The lock of the environment that ran it. Absent if its worker had none, or it has not run.",
});

export const Job = entity("Job", "One run of a workflow.", {
  id: Uuid,
  status: JobState,
  created_at: Timestamp,
  started_at: nullable(Timestamp, "When it started running."),
  completed_at: nullable(Timestamp, "When it ended."),
  expires_at: Timestamp,
  queue_position: nullable(Type.Integer({ minimum: 0 }), "How many jobs are ahead of it while it is queued."),
  waiting_for: Type.Optional(WaitingFor),
  progress: nullable(Progress),
  outputs: Type.Array(Output, { description: "Its outputs so far. Grows while it runs." }),
  error: nullable(JobError),
  metrics: Type.Optional(
    Type.Record(Type.String(), nullable(Type.Integer()), {
      description: "Durations such as queue_ms and execution_ms; null until known.",
    }),
  ),
  outputs_reused: Type.Optional(Type.Boolean({ description: "true if at least one node reused an earlier result." })),
  metadata: Type.Optional(JobMetadata),
  priority: Type.Optional(Type.Integer({ description: "The priority of the submission; 0 by default." })),
  output_delivery: Type.Optional(OutputDelivery),
  lock_id: Type.Optional(LockId),
  urls: JobUrls,
});
export type Job = Static<typeof Job>;

export const JobPage = linkedPageOf(Job, "JobPage", "One page of jobs, newest first.");
export type JobPage = Static<typeof JobPage>;

export const GraphNode = entity("GraphNode", "One node of a graph.", {
  class_type: Type.String({ minLength: 1, description: "The node's class." }),
  inputs: Type.Record(Type.String(), Type.Unknown(), {
    description: "Values, links ([node id, output index]) or asset references (__type core/ASSET with info.id).",
  }),
  _meta: Type.Optional(OpenObject),
});

export const WorkflowGraph = Type.Record(Type.String(), GraphNode, {
  title: "WorkflowGraph",
  description: "A workflow in API format: nodes by id.",
});

export const EditorGraph = Type.Object(
  { nodes: Type.Array(OpenObject) },
  { title: "EditorGraph", description: "A workflow in the editor's format.", additionalProperties: true },
);

export const AssetReference = entity("AssetReference", "Stands anywhere in a graph for one of the caller's assets.", {
  __type: Type.Literal("core/ASSET"),
  info: Type.Object({
    id: Type.String({ minLength: 1, description: "The asset; this decides." }),
    hash: nullableText("A hint."),
    file_path: nullableText("A hint."),
  }),
});

export const SubmitJob = entity("SubmitJob", "What to run: a workflow, or a work with its inputs.", {
  workflow: Type.Optional(
    Type.Union([WorkflowGraph, EditorGraph], {
      description: "In API format, or as the editor saves it if this server knows all of its node classes.",
    }),
  ),
  work: Type.Optional(ModelId),
  inputs: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "The inputs of the work, as its openapi.json describes them. Refused without a work.",
    }),
  ),
  webhook_url: Type.Optional(webhookUrl("Called on every status change. Must be https on port 443.")),
  metadata: Type.Optional(JobMetadata),
  priority: Type.Optional(
    Type.Integer({
      minimum: limits.jobPriorityMin,
      maximum: limits.jobPriorityMax,
      description: "Higher runs first. Only orders the caller's own jobs.",
    }),
  ),
  output_target: Type.Optional(OutputTarget),
  extra_data: Type.Optional(
    Type.Object(
      {
        api_key_service: Type.Optional(Type.String({ minLength: 1, description: "The key that partner nodes use." })),
      },
      {
        additionalProperties: false,
        description: "Only passed to the running attempt. Never in reads, logs or events.",
      },
    ),
  ),
});
export type SubmitJob = Static<typeof SubmitJob>;

export const JobWorkflow = entity("JobWorkflow", "The graph that a job executed.", {
  workflow: OpenObject,
  format: wordOf(["api", "save"], { description: "api: the executed graph. save: the editor's version." }),
  lock_id: Type.Optional(LockId),
});

export const CanceledJob = entity("CanceledJob", "Whether this call canceled the job.", {
  cancelled: Type.Boolean({
    description:
      "true if this call started the cancellation; false if the job had ended or was already being canceled.",
  }),
});

export const CancelJobs = entity("CancelJobs", "Jobs to cancel in one call. If any is unknown, none is canceled.", {
  job_ids: Type.Array(Uuid, { minItems: 1, maxItems: limits.cancelManyJobsMax, description: "Jobs to cancel." }),
});

export const CanceledJobs = entity("CanceledJobs", "Which jobs this call canceled.", {
  cancelled: Type.Array(Uuid, { description: "The jobs this call started to cancel. Ended jobs are left out." }),
});

export const ConvertWorkflow = entity("ConvertWorkflow", "A workflow as the editor exports it.", {
  workflow: OpenObject,
});

export const ConvertedWorkflow = entity("ConvertedWorkflow", "The same workflow in API format.", {
  workflow: WorkflowGraph,
  format: Type.Literal("api"),
});

export const JobNotification = entity("JobNotification", "What webhook_url receives about a job.", {
  ...Job.properties,
  sequence: Type.Integer({ minimum: 1, description: "Rises with every status change." }),
  type: Type.String({ pattern: "^job[.]", description: "What happened: job.running, job.succeeded. Not in reads." }),
});
