// Runs a graph: only what its outputs need, each node once, each value released after its last use. One job at a time; only the
// cache outlives it.
import { createHash } from "node:crypto";
import { classTableOf } from "../classes/class-table.ts";
import { declaredRunner } from "../declared/run-declared.ts";
import type { EngineFailure, EngineMetrics, EngineResult } from "../engine-host.ts";
import { exactJson } from "../files/embed-graph.ts";
import { type FileReference, fileReferenceOf, isLink, type Link, unwrapped } from "../graph/graph.ts";
import type { GraphVerdict } from "../graph/graph-problem.ts";
import { validateGraph } from "../graph/validate-graph.ts";
import { linksOf, nodeOf } from "../graph/walk-graph.ts";
import { itemsOf, type Value } from "../pictures/picture.ts";
import { Budget } from "./budget.ts";
import type { ExecutionJob, ExecutionServices, LocalFile } from "./execution-services.ts";
import { Inputs } from "./inputs.ts";
import { breathe, contextFor, type JobState, preview, saveOutput } from "./node-context.ts";
import { Canceled, NodeError } from "./node-error.ts";
import type { NodeRunner, OutputFile } from "./node-runner.ts";
import { type Plan, planFor } from "./plan.ts";
import { ProgressMeter, type ProgressNode } from "./progress.ts";
import type { ResultCache } from "./result-cache.ts";
import { runOver } from "./run-over.ts";
import { signaturesOf } from "./signature.ts";

export async function executeGraph(
  job: ExecutionJob,
  services: ExecutionServices,
  cache: ResultCache,
): Promise<EngineResult> {
  const { profile } = job.limits;
  const classes = runnersFor(job);
  const described = new Map(Array.from(classes, ([name, { description }]) => [name, description]));
  const known = { profile, ...(job.declared.length === 0 ? {} : { classes: described }) };
  const verdict = validateGraph(job.graph, job.outputs ? { ...known, outputs: job.outputs } : known);
  if (!verdict.ok) return { status: "failed", failure: refusalOf(verdict), metrics: null };
  return new Execution(job, classes, services, cache, verdict).run();
}

function runnersFor({ declared, limits }: ExecutionJob): ReadonlyMap<string, NodeRunner> {
  const builtIn = classTableOf(limits.profile);
  if (declared.length === 0) return builtIn;
  const runners = declared.map((each): [string, NodeRunner] => [each.name, declaredRunner(each)]);
  return new Map([...runners, ...builtIn]);
}

function refusalOf({ problem, nodeErrors }: GraphVerdict): EngineFailure {
  const [nodeId, first] = Object.entries(nodeErrors)[0] ?? [null, null];
  const reason = first?.errors[0] ?? problem;
  const message = reason ? `${reason.message}${reason.details ? `: ${reason.details}` : ""}` : "The graph cannot run.";
  return { code: "invalid_workflow", message, nodeId, classType: first?.class_type ?? null, isRetryable: false };
}

class Execution {
  readonly #job: ExecutionJob;
  readonly #classes: ReadonlyMap<string, NodeRunner>;
  readonly #services: ExecutionServices;
  readonly #cache: ResultCache;
  readonly #order: readonly string[];
  readonly #outputs: readonly string[];
  readonly #state: JobState;
  readonly #values = new Map<string, readonly Value[]>();
  readonly #usesLeft = new Map<string, number>();
  readonly #files = new Map<string, Map<string, LocalFile>>();
  readonly #startedAt: number;
  #signatures: ReadonlyMap<string, string> = new Map();
  #current: ProgressNode | null = null;
  #nodesRun = 0;
  #nodesCached = 0;

  constructor(
    job: ExecutionJob,
    classes: ReadonlyMap<string, NodeRunner>,
    services: ExecutionServices,
    cache: ResultCache,
    verdict: GraphVerdict,
  ) {
    this.#job = job;
    this.#classes = classes;
    this.#services = services;
    this.#cache = cache;
    this.#order = verdict.nodes;
    this.#outputs = verdict.outputs;
    this.#startedAt = services.now();
    const nodes = this.#order.map((id) => this.#progressNode(id));
    this.#state = {
      job,
      services,
      budget: new Budget(job.limits.memoryBytes, { spare: cache.spare, isKept: (buffer) => cache.holds(buffer) }),
      progress: new ProgressMeter(nodes, (progress) => services.emit({ kind: "progress", progress }), services.now),
      counters: new Map(),
      breathedAt: services.now(),
      previewedAt: services.now(),
      previewMs: 0,
      outputBytes: 0,
      outputs: 0,
      modelCalls: 0,
    };
  }

  async run(): Promise<EngineResult> {
    try {
      await this.#fetchFiles();
      this.#current = null;
      this.#sign();
      const plan = planFor(this.#job.graph, this.#order, this.#outputs, (id) => this.#isKnown(id));
      this.#services.emit({ kind: "started", nodesTotal: this.#order.length, cached: plan.cached });
      this.#countUses(plan);
      await this.#replay(plan);
      for (const id of plan.run) await this.#runNode(id);
      return { status: "succeeded", metrics: this.#metrics() };
    } catch (thrown) {
      if (thrown instanceof Canceled || this.#services.isCanceled()) {
        return { status: "canceled", metrics: this.#metrics() };
      }
      if (!(thrown instanceof NodeError)) this.#services.onUnexpected(thrown);
      return { status: "failed", failure: failureOf(thrown, this.#current), metrics: this.#metrics() };
    } finally {
      this.#state.progress.close();
    }
  }

  // Files come first: their content decides what is unchanged.
  async #fetchFiles(): Promise<void> {
    for (const id of this.#order) {
      const { classType } = this.#progressNode(id);
      const names = this.#classes.get(classType)?.files ?? [];
      if (names.length === 0) continue;
      this.#current = this.#progressNode(id);
      const files = new Map<string, LocalFile>();
      for (const name of names) {
        const reference = fileReferenceOf(unwrapped(nodeOf(this.#job.graph, id)?.inputs[name]));
        if (reference) files.set(name, await this.#fetch(reference));
      }
      this.#files.set(id, files);
    }
  }

  async #fetch(reference: FileReference): Promise<LocalFile> {
    await breathe(this.#state, 0, 1);
    return this.#services.readAsset(reference);
  }

  #sign(): void {
    const fileHashes = new Map(
      Array.from(this.#files, ([id, files]) => [id, new Map(Array.from(files, ([name, file]) => [name, file.hash]))]),
    );
    const { profile } = this.#job.limits;
    const scope = `${profile} ${this.#job.cacheScope ?? `job ${this.#job.id}`}`;
    const { pngInfo } = this.#job;
    const info = pngInfo === null ? null : createHash("sha256").update(exactJson(pngInfo)).digest("hex");
    // The same picture with another editor's graph embedded is another file.
    const embeddedBy = (name: string) =>
      this.#classes.get(name)?.description.hidden?.includes("EXTRA_PNGINFO") === true
        ? info
        : (this.#classes.get(name)?.version ?? null);
    this.#signatures = signaturesOf(this.#job.graph, this.#order, { scope, fileHashes, embeddedBy });
  }

  #isKnown(id: string): boolean {
    const runner = this.#classes.get(nodeOf(this.#job.graph, id)?.class_type ?? "");
    return runner?.runsAlways !== true && this.#cache.has(this.#signatures.get(id) ?? "");
  }

  // Nodes that need not run: we report their outputs again and count them as done.
  async #replay(plan: Plan): Promise<void> {
    const isOutput = new Set(this.#outputs);
    for (const id of plan.cached) {
      const node = this.#progressNode(id);
      this.#nodesCached += 1;
      const known = this.#cache.get(this.#signatures.get(id) ?? "");
      if (known && this.#usesLeft.has(id)) this.#keep(id, known.values);
      if (isOutput.has(id)) {
        this.#services.emit({ kind: "node_started", nodeId: id, classType: node.classType });
        for (const file of known?.files ?? []) await saveOutput(this.#state, node, file, true);
      }
      this.#state.progress.finish(node);
      this.#services.emit({ kind: "node_finished", nodeId: id, classType: node.classType, cached: true, ms: 0 });
    }
  }

  #countUses(plan: Plan): void {
    for (const id of plan.run) {
      for (const [, [source]] of linksOf(this.#job.graph, id)) {
        this.#usesLeft.set(source, (this.#usesLeft.get(source) ?? 0) + 1);
      }
    }
  }

  async #runNode(id: string): Promise<void> {
    const node = this.#progressNode(id);
    this.#current = node;
    await breathe(this.#state, 0, 1);
    const runner = this.#classes.get(node.classType);
    if (!runner) throw new NodeError(`Unknown node class ${node.classType}.`);
    const startedAt = this.#services.now();
    this.#state.progress.start(node);
    this.#services.emit({ kind: "node_started", nodeId: id, classType: node.classType });
    const twin = this.#cache.get(this.#signatures.get(id) ?? "");
    const isTwin = twin !== undefined && !runner.description.isOutputNode;
    if (isTwin) this.#keep(id, twin.values);
    else await this.#compute(node, runner);
    this.#nodesRun += 1;
    for (const [, [source]] of linksOf(this.#job.graph, id)) this.#used(source);
    this.#state.budget.dropUnheld();
    if ((this.#usesLeft.get(id) ?? 0) === 0) this.#letGo(id);
    this.#state.progress.finish(node);
    const ms = isTwin ? 0 : Math.round(this.#services.now() - startedAt);
    this.#services.emit({ kind: "node_finished", nodeId: id, classType: node.classType, cached: isTwin, ms });
  }

  async #compute(node: ProgressNode, runner: NodeRunner): Promise<void> {
    const saved: OutputFile[] = [];
    const references = new Map<string, LocalFile>();
    const inputs = this.#gather(node.id, runner);
    for (const [name, file] of this.#files.get(node.id) ?? []) references.set(JSON.stringify(inputs.file(name)), file);
    const nodeState = { id: node.id, classType: node.classType, files: references, saved };
    const values = await runOver(runner, inputs, contextFor(this.#state, nodeState), this.#state.budget);
    this.#values.set(node.id, values);
    const [first] = values.flatMap(itemsOf);
    if (typeof first === "object" && first.kind === "image") await preview(this.#state, node.id, first);
    if (this.#job.cacheScope !== null && runner.runsAlways !== true) {
      const isHeld = (buffer: ArrayBufferLike) => this.#state.budget.holds(buffer);
      this.#cache.put(this.#signatures.get(node.id) ?? "", { values, files: saved }, isHeld);
    }
  }

  #gather(id: string, runner: NodeRunner): Inputs {
    const values = new Map<string, unknown>();
    const floats = new Set<string>();
    const given = nodeOf(this.#job.graph, id)?.inputs ?? {};
    for (const { name } of runner.description.inputs) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value === undefined) continue;
      values.set(name, isLink(value) ? this.#values.get(value[0])?.[value[1]] : unwrapped(value));
      if (isLink(value) && this.#typeOf(value) === "FLOAT") floats.add(name);
    }
    return new Inputs(values, runner.description.inputs, floats);
  }

  #typeOf([id, output]: Link): string | undefined {
    return this.#classes.get(nodeOf(this.#job.graph, id)?.class_type ?? "")?.description.outputs[output]?.type;
  }

  #keep(id: string, values: readonly Value[]): void {
    this.#state.budget.hold(values);
    this.#values.set(id, values);
  }

  #used(id: string): void {
    const left = (this.#usesLeft.get(id) ?? 1) - 1;
    this.#usesLeft.set(id, left);
    if (left === 0) this.#letGo(id);
  }

  #letGo(id: string): void {
    const values = this.#values.get(id);
    if (!values) return;
    this.#values.delete(id);
    this.#state.budget.release(values);
  }

  #progressNode(id: string): ProgressNode {
    const classType = nodeOf(this.#job.graph, id)?.class_type ?? "";
    return { id, classType, weight: this.#classes.get(classType)?.weight ?? 1 };
  }

  #metrics(): EngineMetrics {
    return {
      executionMs: Math.round(this.#services.now() - this.#startedAt),
      nodesRun: this.#nodesRun,
      nodesCached: this.#nodesCached,
      memoryBytesPeak: this.#state.budget.peak,
      outputs: this.#state.outputs,
      modelCalls: this.#state.modelCalls,
    };
  }
}

// We do not show the message of an unexpected error: it may contain our paths.
function failureOf(thrown: unknown, node: ProgressNode | null): EngineFailure {
  const origin = { nodeId: node?.id ?? null, classType: node?.classType ?? null, isRetryable: false };
  if (thrown instanceof NodeError) return { code: thrown.code, message: thrown.message, ...origin };
  if (thrown instanceof RangeError) {
    return { code: "out_of_memory", message: "The node needs more memory than is available.", ...origin };
  }
  return { code: "node_execution_error", message: "The node failed unexpectedly.", ...origin };
}
