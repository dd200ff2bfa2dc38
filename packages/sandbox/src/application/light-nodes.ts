// Nodes that run inside the process: values, and the classes made for tests. A prompt of nothing else never starts an engine
// child, so hundreds of them a second cost little.
import { setTimeout as wait } from "node:timers/promises";
import type { Graph } from "@atelier/engine";
import type { Folders } from "./folders.ts";
import type { UiOutput } from "./history.ts";
import type { PromptAnnouncer } from "./prompt-announcer.ts";
import { Interrupted, NodeFailure } from "./run-ending.ts";
import { handedOn } from "./test-classes.ts";

export interface LightDeps {
  readonly folders: Folders;
  readonly announcer: PromptAnnouncer;
  readonly signal: AbortSignal;
}

const primitives: ReadonlySet<string> = new Set([
  "PrimitiveInt",
  "PrimitiveFloat",
  "PrimitiveString",
  "PrimitiveStringMultiline",
  "PrimitiveBoolean",
]);
const passing: ReadonlySet<string> = new Set(["TestSleep", "TestSyncError", "CheckpointLoaderSimple"]);
// One white pixel.
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg==",
  "base64",
);
// The application sends a hundred a second; the fault `progressPerSecond` restores that.
const tickMs = 100;

export function isLight(graph: Graph, id: string): boolean {
  const node = graph[id];
  if (!node) return false;
  if (primitives.has(node.class_type) || passing.has(node.class_type) || node.class_type === "TestFile") return true;
  return node.class_type === "PreviewAny" && constantOf(graph, node.inputs["source"]) !== null;
}

// The value itself, or the constant it is linked to; null if it has to be computed.
export function constantOf(graph: Graph, value: unknown): { readonly constant: unknown } | null {
  let given = value;
  while (Array.isArray(given)) {
    const node: Graph[string] | undefined = typeof given[0] === "string" ? graph[given[0]] : undefined;
    if (!node || !(primitives.has(node.class_type) || passing.has(node.class_type))) return null;
    given = node.inputs[handedOn(node.class_type)];
  }
  return { constant: given };
}

export async function runLight(deps: LightDeps, graph: Graph, id: string): Promise<UiOutput | null> {
  const node = graph[id];
  const inputs = node?.inputs ?? {};
  const input = (name: string) => constantOf(graph, inputs[name])?.constant;
  switch (node?.class_type) {
    case "TestSleep":
      await sleepWithProgress(deps, id, Number(input("seconds")));
      return null;
    case "TestSyncError":
      throw new NodeFailure(id, "RuntimeError", "Intentional sync execution error for testing\n");
    case "TestFile": {
      const name = { prefix: String(input("filename_prefix")), extension: String(input("extension")) };
      const file = await deps.folders.save("output", name, { bytes: Buffer.alloc(Number(input("bytes")), id) });
      if (!file) throw new NodeFailure(id, "Exception", "Saving outside of the output folder is not allowed.\n");
      return { [String(input("key"))]: [file] };
    }
    case "PreviewAny":
      return { text: [textOf(input("source"))] };
    default:
      return null;
  }
}

async function sleepWithProgress({ announcer, signal }: LightDeps, id: string, seconds: number): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const elapsed = performance.now() - startedAt;
    const leftMs = seconds * 1000 - elapsed;
    if (leftMs <= 0) return;
    if (leftMs > tickMs || elapsed < 1) announcer.tick(id, elapsed / 1000, seconds);
    await pause(Math.min(tickMs, leftMs), signal);
  }
}

export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => {});
  if (signal.aborted) throw new Interrupted();
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  return typeof value === "string" ? value : String(value);
}

// What nodes show if nothing is computed: every output node saves a small valid file of its kind. For measuring what is in front
// of an application, not the application.
export async function runStandIn(folders: Folders, graph: Graph, id: string): Promise<UiOutput | null> {
  const node = graph[id];
  if (node?.class_type === "PreviewAny") return { text: ["1"] };
  if (node?.class_type !== "SaveImage" && node?.class_type !== "PreviewImage") return null;
  const prefix = constantOf(graph, node.inputs["filename_prefix"])?.constant;
  const isPreview = node.class_type === "PreviewImage";
  const name = { prefix: typeof prefix === "string" ? prefix : "temp", extension: "png" };
  const file = await folders.save(isPreview ? "temp" : "output", name, { bytes: png });
  return file ? { images: [file] } : null;
}
