// A job in the form of the application's prompts: its outputs by node, how it ended, and its line in the queue. An
// application's file names are unique because it numbers them; ours are unique within a job, so the job is the subfolder.
import type { Job, JobId, JobOutput } from "../../capabilities/jobs/index.ts";
import { isRecord } from "../../foundation/json/json-record.ts";

export interface ViewedFile {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: "output" | "temp";
}

export type NodeOutputs = Record<string, Record<string, unknown[]>>;

// The name that the caller gave it, else our own id.
export function promptIdOf({ id, metadata }: Pick<Job, "id" | "metadata">): string {
  return labelOf(metadata, "prompt_id") ?? id;
}

export function clientIdOf({ metadata }: Pick<Job, "metadata">): string | null {
  return labelOf(metadata, "client_id");
}

// Null if a key submitted it.
export function personIdOf({ metadata }: Pick<Job, "metadata">): string | null {
  return labelOf(metadata, personLabel);
}

export const personLabel = "person_id";

function labelOf(metadata: Job["metadata"], name: string): string | null {
  if (metadata === null || typeof metadata === "string" || !Object.hasOwn(metadata, name)) return null;
  return metadata[name] ?? null;
}

// Images for viewers are not files here.
export const isFile = ({ folder }: Pick<JobOutput, "folder">): boolean => folder !== "shown";

export function fileOf(jobId: JobId, { name, folder }: Pick<JobOutput, "name" | "folder">): ViewedFile {
  const cut = name.lastIndexOf("/");
  const within = cut === -1 ? "" : `/${name.slice(0, cut)}`;
  return { filename: name.slice(cut + 1), subfolder: `${jobId}${within}`, type: folder === "temp" ? "temp" : "output" };
}

// The application's own video savers report videos as animated images.
const keys: Readonly<Record<JobOutput["kind"], string>> = {
  image: "images",
  video: "images",
  audio: "audio",
  text: "files",
  file: "files",
  latent: "latents",
};

// `textOf` returns the content of a text output, or null if it is not shown as text.
export function outputsOf(
  jobId: JobId,
  outputs: readonly JobOutput[],
  textOf: (output: JobOutput) => string | null,
): NodeOutputs {
  // A node can have any name, including `__proto__`.
  const nodes = new Map<string, Map<string, unknown[]>>();
  const push = (nodeId: string, key: string, value: unknown) => {
    const node = nodes.get(nodeId) ?? new Map<string, unknown[]>();
    nodes.set(nodeId, node.set(key, [...(node.get(key) ?? []), value]));
  };
  for (const output of outputs.filter(isFile)) {
    const { nodeId, kind } = output;
    push(nodeId, keys[kind], fileOf(jobId, output));
    if (kind === "video") nodes.get(nodeId)?.set("animated", [true]);
    const text = textOf(output);
    if (text !== null) push(nodeId, "text", text);
  }
  return Object.fromEntries(Array.from(nodes, ([nodeId, node]) => [nodeId, Object.fromEntries(node)]));
}

export const timeOf = (date: Date | null): number => date?.getTime() ?? 0;

// The application numbers prompts in order of arrival, with negative numbers for those put in front.
export function numberOf({ createdAt, priority }: Pick<Job, "createdAt" | "priority">): number {
  return priority > 0 ? -createdAt.getTime() : createdAt.getTime();
}

export function statusOf(job: Job) {
  return {
    status_str: job.state === "succeeded" ? "success" : "error",
    completed: job.state === "succeeded",
    messages: [
      ...(job.startedAt === null
        ? []
        : [
            ["execution_start", { prompt_id: promptIdOf(job), timestamp: timeOf(job.startedAt) }],
            ["execution_cached", { nodes: [], prompt_id: promptIdOf(job), timestamp: timeOf(job.startedAt) }],
          ]),
      endOf(job),
    ],
  };
}

// The final message about a prompt, the same in the history and on the websocket.
export function endOf(job: Job): [string, Record<string, unknown>] {
  const common = { prompt_id: promptIdOf(job), timestamp: timeOf(job.completedAt) };
  if (job.state === "succeeded") return ["execution_success", common];
  const { error } = job;
  const about = { node_id: error?.nodeId ?? "", node_type: error?.classType ?? "", executed: [] };
  if (job.state === "canceled") return ["execution_interrupted", { ...common, ...about }];
  return ["execution_error", { ...common, ...about, ...executionError(job) }];
}

// Does not say where in the engine it failed: that would show paths of the machine that ran it.
export function executionError({ error, state }: Pick<Job, "error" | "state">) {
  return {
    exception_message: error?.message ?? (state === "expired" ? "The prompt expired." : "The prompt failed."),
    exception_type: error?.code ?? state,
    traceback: [],
    current_inputs: {},
    current_outputs: [],
  };
}

const words: Readonly<Record<Job["state"], string>> = {
  queued: "pending",
  running: "in_progress",
  canceling: "in_progress",
  succeeded: "completed",
  failed: "failed",
  canceled: "cancelled",
  expired: "failed",
};
export const wordOf = ({ state }: Pick<Job, "state">): string => words[state];

export interface LineTexts {
  // As JSON, with its exact digits.
  readonly graph: string;
  // What its files carry besides the graph, as JSON. Null for nothing.
  readonly pngInfo: string | null;
}

// [number, id, graph, extra data, the nodes whose outputs were requested].
export function lineText(job: Job, texts: LineTexts, isOutputNode: (classType: string) => boolean): string {
  const parts = [extraText(job, texts.pngInfo), JSON.stringify(outputNodesOf(texts.graph, isOutputNode))];
  return `[${numberOf(job)},${JSON.stringify(promptIdOf(job))},${texts.graph},${parts.join(",")}]`;
}

// As JSON.
export function extraText(job: Job, pngInfo: string | null): string {
  const clientId = clientIdOf(job);
  const extra = { create_time: timeOf(job.createdAt), ...(clientId === null ? {} : { client_id: clientId }) };
  const info = pngInfo === null ? "" : `,"extra_pnginfo":${pngInfo}`;
  return `${JSON.stringify(extra).slice(0, -1)}${info}}`;
}

function outputNodesOf(graph: string, isOutputNode: (classType: string) => boolean): string[] {
  const nodes: unknown = JSON.parse(graph);
  if (!isRecord(nodes)) return [];
  return Object.entries(nodes).flatMap(([id, node]) => {
    const classType = isRecord(node) ? node["class_type"] : undefined;
    return typeof classType === "string" && isOutputNode(classType) ? [id] : [];
  });
}
