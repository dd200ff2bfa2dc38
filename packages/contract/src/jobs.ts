// v2 jobs. States: queued → running → succeeded | failed; queued → canceled; running → canceling → canceled;
// queued | running → expired. A terminal state never changes (decisions, section 6).
import { type Static, Type } from "typebox";
import { BlobHash, ContentUrls } from "./assets.ts";
import { limits } from "./limits.ts";
import { linkedPageOf } from "./pagination.ts";
import { entity, mapOf, nullable, OpenObject, Timestamp, Uuid, webhookUrl, wordOf } from "./wire-values.ts";

export const jobStates = ["queued", "running", "canceling", "succeeded", "failed", "canceled", "expired"] as const;
export const terminalJobStates = ["succeeded", "failed", "canceled", "expired"] as const;

export const JobState = wordOf(jobStates, { title: "JobState", description: "How far the job is." });
export type JobState = Static<typeof JobState>;

const nullableText = (description: string) => Type.Optional(nullable(Type.String(), description));
const nullableInteger = (description: string) => Type.Optional(nullable(Type.Integer({ minimum: 0 }), description));
const link = (description: string) => Type.String({ format: "uri-reference", description });

export const nodeStates = ["waiting", "running", "cached", "done", "failed"] as const;
export const NodeState = wordOf(nodeStates, {
  title: "NodeState",
  description:
    "waiting: not begun. cached: not run, an earlier result was used. failed: it began and was not completed, also because the job was canceled or ran out of time.",
});
export type NodeState = Static<typeof NodeState>;

export const JobNode = entity("JobNode", "How one node of the graph is doing in the job's newest attempt.", {
  node_id: Type.String({ description: "The node's id in the submitted graph." }),
  class_type: Type.String({ description: "Its class." }),
  title: Type.Optional(Type.String({ description: "What the graph calls it (_meta.title); absent if nothing." })),
  state: NodeState,
  progress: Type.Number({ minimum: 0, maximum: 1, description: "Share of the node; it never falls." }),
  began_ms: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        "When it began to run, in milliseconds after its worker took the attempt; absent if it did not run or the worker does not tell.",
    }),
  ),
  ms: nullable(Type.Integer({ minimum: 0 }), "How long it ran, so far or in all; null if it did not run."),
});
export type JobNode = Static<typeof JobNode>;

const count = (state: string) => Type.Integer({ minimum: 0, description: `Nodes that are ${state}.` });

export const NodeCounts = entity("NodeCounts", "How many nodes are in each state: exact, however large the graph is.", {
  waiting: count("waiting"),
  running: count("running"),
  cached: count("cached"),
  done: count("done"),
  failed: count("failed"),
});
export type NodeCounts = Static<typeof NodeCounts>;

export const Progress = entity("Progress", "A whole picture of how far the job is.", {
  value: Type.Number({ minimum: 0, maximum: 1, description: "Share of the whole graph; it never falls." }),
  nodes_done: Type.Integer({ minimum: 0, description: "Nodes that ended." }),
  nodes_total: Type.Integer({ minimum: 0, description: "Nodes of the submitted graph." }),
  current_node: nullableText("The node that runs."),
  current_node_class: nullableText("Its class."),
  step: nullableInteger("The step it is at."),
  steps: nullableInteger("How many steps it has."),
  message: nullableText("The same for people."),
  nodes: Type.Optional(
    Type.Array(JobNode, {
      maxItems: limits.jobNodesShownMax,
      description:
        "The nodes that the outputs need, in the order of the graph. Of a graph with more than 500: those that failed, that run, and that changed last. Absent in lists and webhooks, while no attempt has begun, and where the worker does not tell.",
    }),
  ),
  node_counts: Type.Optional(NodeCounts),
});
export type Progress = Static<typeof Progress>;

export const JobError = entity(
  "JobError",
  "Why a job failed. It stands in the job; reading the job still answers 200.",
  {
    code: Type.String({ minLength: 1, description: "A stable code, such as node_execution_error." }),
    message: Type.String({ description: "What went wrong, for people." }),
    node_id: nullableText("The node that failed."),
    class_type: nullableText("Its class."),
    traceback: nullableText("Where it failed, when that may be told."),
  },
);
export type JobError = Static<typeof JobError>;

export const Output = entity("Output", "Something a job made. Its id is also an asset id while the job is kept.", {
  id: Uuid,
  node_id: Type.String({ description: "The node that made it." }),
  name: Type.String({ description: "The file's name, without folders; the asset's file_path has them." }),
  type: wordOf(["image", "video", "audio", "text", "file", "latent"], {
    description: "What kind of thing it is, told by its bytes.",
  }),
  content_type: Type.String({ description: "The media type." }),
  size_bytes: Type.Integer({ minimum: 0, description: "How many bytes it has." }),
  hash: nullable(BlobHash, "What the bytes hash to; null until it is known."),
  url: Type.String({
    format: "uri",
    description:
      "The content endpoint: it needs the credential and is not for sharing. A signed address that can be shared is the `url` of GET /api/v2/assets/{id} (urls.self), with this output's id.",
  }),
  url_expires_at: nullable(
    Timestamp,
    "The job's expires_at; null on self-hosted surfaces. Not the expiry of a signed URL.",
  ),
  job_id: Type.Optional(nullable(Uuid, "The job that made it.")),
  is_preview: Type.Optional(
    Type.Boolean({
      description:
        "True: a node that only shows made it (PreviewImage and its kin), so it is no saved result; an output target is not sent it. Absent: a result.",
    }),
  ),
  urls: ContentUrls,
});
export type Output = Static<typeof Output>;

export const JobMetadata = Type.Union(
  [
    Type.String({
      maxLength: limits.jobMetadataBytesMax,
      description: "A text, as it is; found by metadata=…",
    }),
    mapOf(Type.String({ maxLength: limits.jobLabelValueBytesMax }), {
      maxProperties: limits.jobLabelsMax,
      description: "Labels, text to text; found by metadata[key]=value.",
    }),
  ],
  {
    title: "JobMetadata",
    description:
      "What the caller keeps with the job, given back in the form it came in: a text of at most 1024 bytes of UTF-8, or a map of at most 16 labels. A key has 1 to 40 of A–Z, a–z, 0–9, `_`, `-` and `.`, a value at most 256 bytes. Others are refused with metadata_invalid.",
  },
);
export type JobMetadata = Static<typeof JobMetadata>;

export const JobUrls = entity("JobUrls", "Where to go from here, relative to the host.", {
  self: link("The job."),
  events: link("Its event stream."),
  cancel: link("POST here to cancel it."),
  workflow: link("The executed graph."),
  preview: link("Its newest preview picture."),
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
            "An https URL of a public host with {name} in its path or query, in place of which each output's name comes; {job_id} may stand there too. PUT here, signed like webhooks.",
        }),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        kind: Type.Literal("s3"),
        endpoint: Type.String({ description: "https and a public host; the bucket comes in the path." }),
        bucket: Type.String({ pattern: "^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$", description: "The bucket." }),
        prefix: Type.Optional(Type.String({ maxLength: 512, description: "Stands before each name." })),
        region: Type.Optional(Type.String({ pattern: "^[a-z0-9-]{1,64}$", description: "us-east-1 if left out." })),
        access_key_id: Type.String({ minLength: 1, maxLength: 128, description: "Who writes there." }),
        secret_access_key: Type.String({
          minLength: 1,
          maxLength: 256,
          description: "Sealed; in no read, log or event.",
        }),
      },
      { additionalProperties: false },
    ),
  ],
  {
    title: "OutputTarget",
    description:
      "Where each output is also put as soon as the job has it. Never read back, and not part of what a key compares.",
  },
);
export type OutputTarget = Static<typeof OutputTarget>;

export const OutputDelivery = entity("OutputDelivery", "How the deliveries to the output target stand.", {
  delivered: Type.Integer({ minimum: 0, description: "Outputs that are there." }),
  pending: Type.Integer({ minimum: 0, description: "Outputs that are on their way or tried again." }),
  failed: Type.Integer({ minimum: 0, description: "Outputs that were given up after ten attempts." }),
  last_error: nullable(Type.String(), "What the newest failed attempt came to."),
});
export type OutputDelivery = Static<typeof OutputDelivery>;

export const WaitingFor = entity(
  "WaitingFor",
  "Why a queued job does not run although its turn may have come: no worker that is here can run its graph. It begins by itself when one comes.",
  {
    reason: wordOf(["worker"], { description: "What it waits for: a worker that can run its graph." }),
    node_classes: Type.Array(Type.String(), {
      description:
        "Node classes of its graph that no worker has that is here; all of its classes where workers have each of them and none has all.",
    }),
    models: Type.Array(Type.String(), {
      description: "Files of weights in its graph that no worker has that is here.",
    }),
    last_seen_at: nullable(Timestamp, "When a worker that could run it was here last; null: none is remembered."),
  },
);
export type WaitingFor = Static<typeof WaitingFor>;

export const Job = entity("Job", "One run of a workflow.", {
  id: Uuid,
  status: JobState,
  created_at: Timestamp,
  started_at: nullable(Timestamp, "When it began to run."),
  completed_at: nullable(Timestamp, "When it ended."),
  expires_at: Timestamp,
  queue_position: nullable(Type.Integer({ minimum: 0 }), "How many jobs are ahead, while queued."),
  waiting_for: Type.Optional(WaitingFor),
  progress: nullable(Progress),
  outputs: Type.Array(Output, { description: "What it has made so far; grows while it runs." }),
  error: nullable(JobError),
  metrics: Type.Optional(
    Type.Record(Type.String(), nullable(Type.Integer()), {
      description: "Durations such as queue_ms and execution_ms; null until known.",
    }),
  ),
  outputs_reused: Type.Optional(Type.Boolean({ description: "True when at least one node was not run again." })),
  metadata: Type.Optional(JobMetadata),
  priority: Type.Optional(Type.Integer({ description: "What the submission carried; 0 if nothing." })),
  output_delivery: Type.Optional(OutputDelivery),
  urls: JobUrls,
});
export type Job = Static<typeof Job>;

export const JobPage = linkedPageOf(Job, "JobPage", "One page of jobs, newest first.");
export type JobPage = Static<typeof JobPage>;

export const GraphNode = entity("GraphNode", "One node of a graph.", {
  class_type: Type.String({ minLength: 1, description: "The node's class." }),
  inputs: Type.Record(Type.String(), Type.Unknown(), {
    description: "Values, links as [node id, output index], or asset references (__type core/ASSET with info.id).",
  }),
  _meta: Type.Optional(OpenObject),
});
export type GraphNode = Static<typeof GraphNode>;

export const WorkflowGraph = Type.Record(Type.String(), GraphNode, {
  title: "WorkflowGraph",
  description: "A workflow in API format: nodes by id.",
});
export type WorkflowGraph = Static<typeof WorkflowGraph>;

export const EditorGraph = Type.Object(
  { nodes: Type.Array(OpenObject) },
  { title: "EditorGraph", description: "A workflow as the editor saves it.", additionalProperties: true },
);
export type EditorGraph = Static<typeof EditorGraph>;

export const AssetReference = entity("AssetReference", "Stands anywhere in a graph for one of the caller's assets.", {
  __type: Type.Literal("core/ASSET"),
  info: Type.Object({
    id: Type.String({ minLength: 1, description: "The asset; this decides." }),
    hash: nullableText("A hint."),
    file_path: nullableText("A hint."),
  }),
});
export type AssetReference = Static<typeof AssetReference>;

export const SubmitJob = entity("SubmitJob", "A workflow to run. The member inputs is reserved and refused.", {
  workflow: Type.Union([WorkflowGraph, EditorGraph], {
    description: "In API format, or as the editor saves it where every node class of it is known.",
  }),
  webhook_url: Type.Optional(webhookUrl("Told by us on every status change: https, on the port of https.")),
  metadata: Type.Optional(JobMetadata),
  priority: Type.Optional(
    Type.Integer({
      minimum: limits.jobPriorityMin,
      maximum: limits.jobPriorityMax,
      description: "Larger first; orders only the caller's own jobs.",
    }),
  ),
  output_target: Type.Optional(OutputTarget),
  extra_data: Type.Optional(
    Type.Object(
      {
        api_key_service: Type.Optional(Type.String({ minLength: 1, description: "The key that partner nodes use." })),
      },
      { additionalProperties: false, description: "Given to the running attempt only; in no read, log or event." },
    ),
  ),
});
export type SubmitJob = Static<typeof SubmitJob>;

export const JobWorkflow = entity("JobWorkflow", "The graph that a job executed.", {
  workflow: OpenObject,
  format: wordOf(["api", "save"], { description: "api: the graph as executed; save: the editor's version." }),
});
export type JobWorkflow = Static<typeof JobWorkflow>;

export const CanceledJob = entity("CanceledJob", "Whether this call canceled the job.", {
  cancelled: Type.Boolean({ description: "True when this call began the cancel; false when it had ended or begun." }),
});
export type CanceledJob = Static<typeof CanceledJob>;

export const CancelJobs = entity("CancelJobs", "Jobs to cancel in one call: all of them known, or none is canceled.", {
  job_ids: Type.Array(Uuid, { minItems: 1, maxItems: limits.cancelManyJobsMax, description: "Jobs to cancel." }),
});
export type CancelJobs = Static<typeof CancelJobs>;

export const CanceledJobs = entity("CanceledJobs", "Which jobs this call canceled.", {
  cancelled: Type.Array(Uuid, { description: "The jobs this call began to cancel; ended ones are left out." }),
});
export type CanceledJobs = Static<typeof CanceledJobs>;

export const ConvertWorkflow = entity("ConvertWorkflow", "A workflow as the editor exports it.", {
  workflow: OpenObject,
});
export type ConvertWorkflow = Static<typeof ConvertWorkflow>;

export const ConvertedWorkflow = entity("ConvertedWorkflow", "The same workflow in API format.", {
  workflow: WorkflowGraph,
  format: Type.Literal("api"),
});
export type ConvertedWorkflow = Static<typeof ConvertedWorkflow>;

export const JobNotification = entity("JobNotification", "What webhook_url receives about a job.", {
  ...Job.properties,
  sequence: Type.Integer({ minimum: 1, description: "Rises with every status change." }),
  type: Type.String({ pattern: "^job[.]", description: "What happened: job.running, job.succeeded. Not in reads." }),
});
export type JobNotification = Static<typeof JobNotification>;
