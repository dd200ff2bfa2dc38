// What a graph needs of its worker: the node classes it is made of, and the models it loads. The queue keeps only a
// hash of it; two jobs with the same hash can run on the same workers, and what it stands for is read from any of their
// graphs when a dispatcher meets it for the first time.
import { createHash } from "node:crypto";

export interface JobNeeds {
  readonly classes: readonly string[];
  readonly models: readonly string[];
}

// What a worker that asks for jobs can run.
export interface WorkerOffer {
  // Null: whatever comes.
  readonly classes: ReadonlySet<string> | null;
  // Models that it would not have to load first.
  readonly modelsLoaded: ReadonlySet<string>;
  // Models that others have and it has not; absent: none that is known.
  readonly modelsLacking?: ReadonlySet<string>;
}

export const anyWork: WorkerOffer = { classes: null, modelsLoaded: new Set() };

// Files of weights, by the names that loaders are given.
const modelPattern = /\.(safetensors|sft|ckpt|pt|pt2|pth|bin|gguf|onnx)$/i;
export const isModelFile = (name: string): boolean => modelPattern.test(name);
const modelsMax = 32;

export function needsOf(graph: unknown): JobNeeds {
  const classes = new Set<string>();
  const models = new Set<string>();
  for (const node of valuesOf(graph)) {
    if (typeof node !== "object" || node === null) continue;
    if ("class_type" in node && typeof node.class_type === "string") classes.add(node.class_type);
    if (!("inputs" in node)) continue;
    for (const value of valuesOf(node.inputs)) {
      if (typeof value === "string" && models.size < modelsMax && isModelFile(value)) models.add(value);
    }
  }
  return { classes: [...classes].sort(), models: [...models].sort() };
}

// In the form of an id, so that it is stored in sixteen bytes.
export function needsIdOf(needs: JobNeeds): string {
  const hex = createHash("sha256")
    .update(JSON.stringify([needs.classes, needs.models]))
    .digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

// A name that looks like a model and that no worker has is no reason to keep a job waiting: it may be a mere text.
export function isCovered({ classes, modelsLacking }: WorkerOffer, needs: JobNeeds | null): boolean {
  if (needs === null) return true;
  if (modelsLacking !== undefined && needs.models.some((name) => modelsLacking.has(name))) return false;
  return classes === null || needs.classes.every((name) => classes.has(name));
}

// How many of the graph's models are loaded.
export function warmth({ modelsLoaded }: WorkerOffer, needs: JobNeeds | null): number {
  return needs === null ? 0 : needs.models.filter((name) => modelsLoaded.has(name)).length;
}

const valuesOf = (value: unknown): readonly unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value) : [];
