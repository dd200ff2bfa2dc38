// Runs a graph in this process, with real files in a folder, and records everything it reports.
import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeDeclaration } from "../../src/declared/declaration.ts";
import {
  defaultLimits,
  type EngineEvent,
  type EngineLimits,
  type EngineResult,
  type ModelCall,
} from "../../src/engine-host.ts";
import { executeGraph } from "../../src/execution/execute-graph.ts";
import type { ExecutionServices, SavedFile } from "../../src/execution/execution-services.ts";
import { NodeError } from "../../src/execution/node-error.ts";
import { ResultCache } from "../../src/execution/result-cache.ts";
import type { Graph } from "../../src/graph/graph.ts";

export interface GraphRun {
  readonly result: EngineResult;
  readonly events: readonly EngineEvent[];
  readonly saved: readonly SavedFile[];
  readonly calls: readonly ModelCall[];
  // The nodes that really ran.
  readonly ran: readonly string[];
}

interface GraphRunOptions {
  readonly cache?: ResultCache;
  readonly scope?: string | null;
  readonly jobId?: string;
  readonly limits?: Partial<EngineLimits>;
  readonly files?: Readonly<Record<string, Uint8Array>>;
  readonly outputs?: readonly string[];
  readonly pngInfo?: Readonly<Record<string, unknown>>;
  readonly declared?: readonly NodeDeclaration[];
  readonly services?: Partial<ExecutionServices>;
}

export async function runGraph(graph: Graph, options: GraphRunOptions = {}): Promise<GraphRun> {
  const folder = await mkdtemp(join(tmpdir(), "atelier-engine-test-"));
  const events: EngineEvent[] = [];
  const saved: SavedFile[] = [];
  const calls: ModelCall[] = [];
  const services: ExecutionServices = {
    async readAsset(reference) {
      const bytes = reference.kind === "name" ? options.files?.[reference.name] : undefined;
      if (!bytes) throw new NodeError("There is no such file.", "asset_unavailable");
      const path = join(folder, "file");
      await writeFile(path, bytes);
      return { path, hash: createHash("sha256").update(bytes).digest("hex") };
    },
    async callModel(call) {
      calls.push(call);
      throw new NodeError("No model is there.", "model_call_failed");
    },
    async saveOutput(file) {
      saved.push(file);
    },
    scratch: () => join(folder, randomUUID()),
    emit: (event) => events.push(event),
    onUnexpected: () => {},
    isCanceled: () => false,
    now: () => performance.now(),
    ...options.services,
  };
  try {
    const job = {
      id: options.jobId ?? "job",
      graph,
      pngInfo: options.pngInfo ?? null,
      cacheScope: options.scope === undefined ? "scope" : options.scope,
      outputs: options.outputs ?? null,
      declared: options.declared ?? [],
      limits: { ...defaultLimits, ...options.limits },
    };
    const result = await executeGraph(job, services, options.cache ?? new ResultCache(64 * 1024 ** 2));
    const ran = events.flatMap((event) => (event.kind === "node_finished" && !event.cached ? [event.nodeId] : []));
    return { result, events, saved, calls, ran };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
