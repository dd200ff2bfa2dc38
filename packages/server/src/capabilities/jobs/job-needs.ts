// What a graph needs from its worker: its node classes, and the models it loads. The queue stores only a hash. Two jobs with
// the same hash can run on the same workers. A dispatcher that meets a hash for the first time reads the needs from the
// graph of any such job.
import { createHash } from "node:crypto";

export interface JobNeeds {
  readonly classes: readonly string[];
  readonly models: readonly string[];
}

// What a worker that asks for jobs can run.
export interface WorkerOffer {
  // Null if it takes any job.
  readonly classes: ReadonlySet<string> | null;
  // Models it would not have to load first.
  readonly modelsLoaded: ReadonlySet<string>;
  // Models that other workers have and this one lacks. Absent if none are known.
  readonly modelsLacking?: ReadonlySet<string>;
}

export const anyWork: WorkerOffer = { classes: null, modelsLoaded: new Set() };

// Weight files, by the names that loaders get.
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

// In the form of a UUID, so it takes sixteen bytes in the database.
export function needsIdOf(needs: JobNeeds): string {
  const hex = createHash("sha256")
    .update(JSON.stringify([needs.classes, needs.models]))
    .digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

// A model name that no worker has is no reason to keep a job waiting: it may be plain text that looks like a file name.
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
