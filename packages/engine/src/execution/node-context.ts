// All that a running node can touch: bounded memory, its files, the model router, its outputs, and a regular pause in which a
// cancellation can arrive.
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Picture } from "../pictures/picture.ts";
import type { Budget } from "./budget.ts";
import type { ExecutionJob, ExecutionServices, LocalFile } from "./execution-services.ts";
import { Canceled, NodeError } from "./node-error.ts";
import type { NodeContext, OutputFile } from "./node-runner.ts";
import { makePreview } from "./preview.ts";
import type { ProgressMeter } from "./progress.ts";

// How long a loop may block messages.
const breathEveryMs = 20;
const previewEveryMs = 250;
// Previews may take a twentieth of the time.
const previewCostShare = 20;

// What the nodes of one job share.
export interface JobState {
  readonly job: ExecutionJob;
  readonly services: ExecutionServices;
  readonly budget: Budget;
  readonly progress: ProgressMeter;
  readonly counters: Map<string, number>;
  breathedAt: number;
  previewedAt: number;
  // How long the last one took.
  previewMs: number;
  outputBytes: number;
  outputs: number;
  modelCalls: number;
}

interface NodeState {
  readonly id: string;
  readonly classType: string;
  // This node's files that were already fetched, by reference.
  readonly files: ReadonlyMap<string, LocalFile>;
  // Collects what the node saves, for the cache.
  readonly saved: OutputFile[];
}

export function contextFor(state: JobState, node: NodeState): NodeContext {
  const { job, services, budget } = state;
  const floats = (count: number, what: string) => budget.floats(count, what);
  return {
    nodeId: node.id,
    jobId: job.id,
    graph: job.graph,
    pngInfo: job.pngInfo,
    pixelsMax: job.limits.pixels,
    inputBytesMax: job.limits.inputBytes,
    profile: job.limits.profile,
    floats,
    image(batch, height, width, channels) {
      checkPixels(width, height, job.limits.pixels);
      const data = floats(batch * height * width * channels, `A picture of ${width} × ${height}`);
      return { kind: "image", batch, height, width, channels, data };
    },
    mask(batch, height, width) {
      checkPixels(width, height, job.limits.pixels);
      const data = floats(batch * height * width, `A mask of ${width} × ${height}`);
      return { kind: "mask", batch, height, width, data };
    },
    expect: (bytes, what) => budget.expect(bytes, what),
    breathe: (step, steps) => breathe(state, step, steps),
    async file(reference) {
      const known = node.files.get(JSON.stringify(reference));
      return (known ?? (await services.readAsset(reference))).path;
    },
    scratch: () => services.scratch(),
    async callModel({ model, input }) {
      state.modelCalls += 1;
      const hash = createHash("sha256").update(`${model}\n`).update(input).digest("hex");
      return services.callModel({ nodeId: node.id, model, input, callKey: `job:${job.id}:${node.id}:${hash}` });
    },
    async save(file) {
      node.saved.push(file);
      await saveOutput(state, node, file, false);
    },
    nextCounter(folder, prefix, subfolder) {
      const key = JSON.stringify([folder, subfolder, prefix.toLowerCase()]);
      const counter = (state.counters.get(key) ?? 0) + 1;
      state.counters.set(key, counter);
      return counter;
    },
    preview: (picture, always) => preview(state, node.id, picture, always),
    now: () => new Date(),
  };
}

function checkPixels(width: number, height: number, pixelsMax: number): void {
  if (width * height <= pixelsMax) return;
  throw new NodeError(
    `A picture of ${width} × ${height} is larger than the ${pixelsMax} pixels allowed.`,
    "out_of_memory",
  );
}

export async function breathe(state: JobState, step: number, steps: number): Promise<void> {
  state.progress.step(step, steps);
  const { now, isCanceled } = state.services;
  if (now() - state.breathedAt >= breathEveryMs) {
    await nextTurn();
    state.breathedAt = now();
  }
  if (isCanceled()) throw new Canceled();
}

export async function preview(state: JobState, nodeId: string, picture: Picture, always = false): Promise<void> {
  const now = state.services.now();
  if (!always && now - state.previewedAt < Math.max(previewEveryMs, state.previewMs * previewCostShare)) return;
  const small = await makePreview(picture);
  state.previewedAt = state.services.now();
  state.previewMs = state.previewedAt - now;
  state.services.emit({ kind: "preview", nodeId, ...small });
}

export async function saveOutput(
  state: JobState,
  node: Pick<NodeState, "id" | "classType">,
  file: OutputFile,
  reused: boolean,
): Promise<void> {
  state.outputBytes += file.bytes.byteLength;
  state.outputs += 1;
  if (state.outputBytes > state.job.limits.outputBytes) {
    const megabytes = Math.floor(state.job.limits.outputBytes / 1024 ** 2);
    throw new NodeError(`The job's outputs are larger than the ${megabytes} MiB allowed.`, "out_of_memory");
  }
  await state.services.saveOutput({ ...file, nodeId: node.id, classType: node.classType, reused });
}
