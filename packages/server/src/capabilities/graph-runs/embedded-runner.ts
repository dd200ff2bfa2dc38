// Runs a job's graph with the engine in our own child processes. The engine holds no credential and opens no socket: files,
// models and results go through the ports passed in here, within the job's workspace only.
import { createReadStream } from "node:fs";
import {
  type AssetContent,
  builtInSet,
  type ClassSet,
  type EngineEvent,
  type EngineHost,
  type EngineLimits,
  type EnginePool,
  type EngineResult,
  type FileReference,
  type Graph,
  HostRefusal,
  type NodeDeclaration,
} from "@atelier/engine";
import { Fault, isPassingFault } from "../../foundation/fault.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { readExactJson } from "../../foundation/json/exact-json.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import { type ClaimedJob, holdPart, type JobEnding } from "../jobs/index.ts";
import { type GraphRunner, LeaseLost, type RunReport } from "./graph-runner.ts";
import { classIn, neededNodes, titleIn } from "./needed-nodes.ts";
import { type BoardClock, type BoardNode, NodeBoard } from "./node-board.ts";

export interface NodeModelCall {
  readonly job: ClaimedJob;
  readonly nodeId: string;
  readonly model: string;
  readonly input: Buffer;
  // The idempotency key of the call: a second attempt collects the answer instead of paying again.
  readonly callKey: string;
  readonly signal: AbortSignal;
}

export interface EmbeddedRunnerDeps {
  readonly engine: Pick<EnginePool, "run">;
  // The bytes of one of the workspace's assets, by id or by the path it was given. Null if there is none.
  openFile(workspaceId: WorkspaceId, reference: FileReference): Promise<AssetContent | null>;
  // Throws a Fault whose message is meant for people.
  callModel(call: NodeModelCall): Promise<{ readonly contentType: string; readonly bytes: Uint8Array }>;
  // Whether a workspace's jobs must not share their engine process with another one's. The job says it if absent.
  isAlone?(workspaceId: WorkspaceId): boolean | Promise<boolean>;
  readonly limits: Partial<EngineLimits>;
  // The engine's classes if absent.
  readonly classes?: ClassSet;
  readonly clock: BoardClock;
}

export function embeddedRunner(deps: EmbeddedRunnerDeps): GraphRunner {
  return {
    async run(job, report, signal) {
      const graph = graphOf(job);
      const pngInfo = job.pngInfo ? readExactJson(job.pngInfo) : null;
      const { classes = builtInSet } = deps;
      const declared = declaredIn(graph, classes);
      const board = new NodeBoard(boardNodes(graph, classes), deps.clock);
      report.nodes(board);
      const run = new EmbeddedRun(deps, job, report, board);
      const isAlone = job.isAlone || ((await deps.isAlone?.(job.workspaceId)) ?? false);
      const result = await deps.engine.run(
        {
          id: job.lease.jobId,
          graph,
          ...(isRecord(pngInfo) ? { pngInfo } : {}),
          ...(declared.length === 0 ? {} : { declared }),
          // Results are reused within one workspace, never across.
          cacheScope: job.workspaceId,
          isAlone,
          limits: { ...deps.limits, ...limitsOf(job) },
        },
        run,
        signal,
      );
      if (run.leaseLost) throw new LeaseLost();
      // If a node failed because of a problem on our side, that says nothing about the graph.
      if (result.status === "failed" && run.trouble !== null) throw run.trouble;
      return toJobEnding(result, run.reused);
    },
  };
}

// The deployment's bounds take precedence over this worker's own.
function limitsOf({ bounds }: ClaimedJob): Partial<EngineLimits> {
  const { secondsMax = null, memoryMegabytesMax = null } = bounds ?? {};
  return {
    ...(secondsMax === null ? {} : { seconds: secondsMax }),
    ...(memoryMegabytesMax === null ? {} : { memoryBytes: memoryMegabytesMax * 1024 * 1024 }),
  };
}

class EmbeddedRun implements EngineHost {
  reused = false;
  leaseLost = false;
  // A problem on our side that did not pass in time.
  trouble: Fault | null = null;
  readonly #deps: EmbeddedRunnerDeps;
  readonly #job: ClaimedJob;
  readonly #report: RunReport;
  readonly #board: NodeBoard;
  readonly #indexes = new Map<string, number>();

  constructor(deps: EmbeddedRunnerDeps, job: ClaimedJob, report: RunReport, board: NodeBoard) {
    this.#deps = deps;
    this.#job = job;
    this.#report = report;
    this.#board = board;
  }

  async readAsset(reference: FileReference): Promise<AssetContent> {
    const content = await this.#insist(() => this.#deps.openFile(this.#job.workspaceId, reference));
    if (content === null) throw new HostRefusal("The workspace has no such asset.");
    return content;
  }

  async callModel(call: Parameters<EngineHost["callModel"]>[0], signal: AbortSignal) {
    const input = Buffer.from(call.input.buffer, call.input.byteOffset, call.input.byteLength);
    const { nodeId, model, callKey } = call;
    // Because of the key, a second call gets the first one's answer.
    return this.#insist(async () => {
      await this.#report.releasePart(holdPart(nodeId));
      return this.#deps.callModel({ job: this.#job, nodeId, model, input, callKey, signal });
    });
  }

  async saveOutput(output: Parameters<EngineHost["saveOutput"]>[0]): Promise<void> {
    if (output.reused) this.reused = true;
    const index = this.#indexes.get(output.nodeId) ?? 0;
    this.#indexes.set(output.nodeId, index + 1);
    await this.#report
      .output({
        nodeId: output.nodeId,
        index,
        name: output.subfolder === "" ? output.name : `${output.subfolder}/${output.name}`,
        contentType: output.contentType,
        folder: output.folder,
        open: () => createReadStream(output.path),
      })
      .catch((error: unknown) => this.#inItsWords(error));
  }

  #insist<T>(work: () => Promise<T>): Promise<T> {
    return this.#report.insist(work).catch((error: unknown) => this.#inItsWords(error));
  }

  // A foreseen failure keeps its message; for any other, the caller only learns what could not be done.
  #inItsWords(error: unknown): never {
    if (error instanceof LeaseLost) this.leaseLost = true;
    if (isPassingFault(error)) this.trouble = error;
    throw error instanceof Fault ? new HostRefusal(error.message) : error;
  }

  onEvent(event: EngineEvent): void {
    switch (event.kind) {
      case "started":
        if (event.cached.length > 0) this.reused = true;
        return;
      case "node_started":
        this.#board.begin(event.nodeId);
        return;
      case "node_finished":
        if (event.cached) this.#board.cached(event.nodeId);
        else this.#board.finish(event.nodeId, event.ms);
        return;
      case "progress": {
        const { currentNode, step, steps } = event.progress;
        if (currentNode !== null && step !== null && steps) this.#board.advance(currentNode, step / steps);
        this.#report.progress(event.progress);
        return;
      }
      case "preview":
        this.#report.preview({
          nodeId: event.nodeId,
          contentType: event.contentType,
          bytes: Buffer.from(event.bytes.buffer, event.bytes.byteOffset, event.bytes.byteLength),
        });
        return;
    }
  }
}

function declaredIn(graph: Graph, classes: ClassSet): NodeDeclaration[] {
  const names = new Set(Object.values(graph).map(classIn));
  return [...names].flatMap((name) => classes.declaration(name) ?? []);
}

function boardNodes(graph: Graph, classes: ClassSet): BoardNode[] {
  const isOutput = (classType: string) => classes.get(classType)?.isOutputNode === true;
  return neededNodes(graph, isOutput).map((id) => ({ id, classType: classIn(graph[id]), title: titleIn(graph[id]) }));
}

function toJobEnding(result: EngineResult, reused: boolean): JobEnding {
  switch (result.status) {
    case "succeeded":
      return { kind: "succeeded", outputsReused: reused, executedWorkflow: null };
    case "canceled":
      return { kind: "canceled" };
    case "failed": {
      const { code, message, nodeId, classType, isRetryable } = result.failure;
      return { kind: "failed", problem: { code, message, nodeId, classType }, isRetryable };
    }
  }
}

// The graph was checked at submission, and we wrote the row. Seeds keep all their digits.
function graphOf(job: ClaimedJob): Graph {
  return readExactJson(job.workflow.toString("utf8")) as Graph;
}
