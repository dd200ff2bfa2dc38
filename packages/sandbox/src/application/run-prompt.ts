// Runs one prompt: known results are reported again, the rest runs in the application's order, light nodes here and the others
// in the engine. Returns how it ended; the teller has what the sockets heard and the history will hold.
import { randomBytes } from "node:crypto";
import type { EnginePool, Graph } from "@atelier/engine";
import { runSegment } from "./engine-segment.ts";
import type { ApplicationFaults } from "./faults.ts";
import type { Folders } from "./folders.ts";
import type { UiOutput } from "./history.ts";
import { isLight, pause, runLight, runStandIn } from "./light-nodes.ts";
import { neededFor, orderOf } from "./node-order.ts";
import type { Prompt } from "./prompt.ts";
import type { PromptAnnouncer } from "./prompt-announcer.ts";
import type { ResultMemory } from "./result-memory.ts";
import { Interrupted, NodeFailure } from "./run-ending.ts";
import { neverCached } from "./test-classes.ts";

interface RunDeps {
  readonly pool: () => EnginePool;
  readonly scope: string;
  readonly folders: Folders;
  readonly memory: ResultMemory;
  readonly faults: () => ApplicationFaults;
  // Every prompt takes this long, and nothing is computed; null to compute everything.
  readonly latencyMs: number | null;
  readonly crash: () => void;
}

export async function runPrompt(
  deps: RunDeps,
  prompt: Prompt,
  announcer: PromptAnnouncer,
  signal: AbortSignal,
): Promise<"success" | "error"> {
  announcer.say("execution_start", {});
  const endFlood = flood(deps.faults(), announcer);
  try {
    await new PromptRun(deps, prompt, announcer, signal).run();
    announcer.say("execution_success", {});
    return "success";
  } catch (thrown) {
    if (thrown instanceof Interrupted || signal.aborted) {
      const node_id = announcer.currentNode ?? "";
      const node_type = prompt.graph[node_id]?.class_type ?? "";
      announcer.say("execution_interrupted", { node_id, node_type, executed: [...announcer.executed] }, true);
    } else announcer.say("execution_error", failureOf(thrown, prompt.graph, announcer));
    return "error";
  } finally {
    endFlood();
  }
}

class PromptRun {
  readonly #deps: RunDeps;
  readonly #prompt: Prompt;
  readonly #announcer: PromptAnnouncer;
  readonly #signal: AbortSignal;
  readonly #outputs: ReadonlySet<string>;
  readonly #signatures: ReadonlyMap<string, string>;

  constructor(deps: RunDeps, prompt: Prompt, announcer: PromptAnnouncer, signal: AbortSignal) {
    this.#deps = deps;
    this.#prompt = prompt;
    this.#announcer = announcer;
    this.#signal = signal;
    this.#outputs = new Set(prompt.outputs);
    const all = neededFor(prompt.graph, prompt.outputs, () => false);
    const isRemembering = deps.latencyMs === null;
    this.#signatures = isRemembering
      ? deps.memory.sign(prompt.graph, orderOf(prompt.graph, all, this.#outputs))
      : new Map([...all].map((id) => [id, ""]));
  }

  async run(): Promise<void> {
    const { graph, outputs } = this.#prompt;
    const { memory, latencyMs } = this.#deps;
    memory.forgetAllBut(this.#signatures.values());
    const isKnown = (id: string) => memory.find(this.#signatures.get(id)) !== undefined;
    const cached = Object.keys(graph).filter(isKnown);
    this.#announcer.say("execution_cached", { nodes: cached });
    for (const id of outputs)
      if (isKnown(id)) this.#announcer.replay(id, memory.find(this.#signatures.get(id)) ?? null);
    const order = orderOf(graph, neededFor(graph, outputs, isKnown), this.#outputs);
    if (latencyMs !== null) return this.#standIn(order, latencyMs);
    for (let at = 0; at < order.length; ) {
      const isHeavy = (index: number) => index < order.length && !isLight(graph, order[index] ?? "");
      let end = at;
      while (isHeavy(end)) end += 1;
      if (end > at) await this.#runHeavy(order.slice(at, end));
      else {
        await this.#runLight(order[at] ?? "");
        end += 1;
      }
      at = end;
    }
  }

  async #runHeavy(segment: readonly string[]): Promise<void> {
    const { pool, scope, folders } = this.#deps;
    const { id, graph, extraData } = this.#prompt;
    const info = extraData["extra_pnginfo"];
    const pngInfo = typeof info === "object" && info !== null && !Array.isArray(info) ? { ...info } : null;
    await runSegment(
      {
        pool: pool(),
        // Otherwise the engine would remember that such a node has run, and show nothing the second time.
        scope: isNeverCached(graph) ? `${scope} ${id}` : scope,
        folders,
        announcer: this.#announcer,
        signal: this.#signal,
        begins: (nodeId) => this.#begin(nodeId),
        ended: (nodeId, shown) => this.#end(nodeId, shown),
      },
      { id, graph, pngInfo },
      segment,
      this.#outputs,
    );
  }

  async #runLight(id: string): Promise<void> {
    this.#begin(id);
    this.#end(id, await this.#compute(id));
    if (this.#signal.aborted) throw new Interrupted();
  }

  async #standIn(order: readonly string[], latencyMs: number): Promise<void> {
    const { graph } = this.#prompt;
    for (const [index, id] of order.entries()) {
      this.#begin(id);
      if (index === 0) await pause(latencyMs, this.#signal);
      const { folders } = this.#deps;
      this.#end(id, isLight(graph, id) ? await this.#compute(id) : await runStandIn(folders, graph, id));
    }
  }

  #compute(id: string): Promise<UiOutput | null> {
    const deps = { folders: this.#deps.folders, announcer: this.#announcer, signal: this.#signal };
    return runLight(deps, this.#prompt.graph, id);
  }

  #begin(id: string): void {
    if (this.#signal.aborted) throw new Interrupted();
    this.#announcer.begin(id);
    if (this.#deps.faults().crashesMidJob) this.#deps.crash();
  }

  #end(id: string, shown: UiOutput | null): void {
    this.#announcer.finish(id, shown);
    this.#deps.memory.keep(this.#signatures.get(id), shown);
  }
}

const isNeverCached = (graph: Graph) => Object.values(graph).some(({ class_type }) => neverCached.has(class_type));

// The traceback names paths of its machine, as a real one does: it must not be relayed.
function failureOf(thrown: unknown, graph: Graph, announcer: PromptAnnouncer): Readonly<Record<string, unknown>> {
  const nodeId = thrown instanceof NodeFailure ? thrown.nodeId : (announcer.currentNode ?? "");
  const inputs = Object.entries(graph[nodeId]?.inputs ?? {}).map(([name, value]) => [name, [describe(value)]]);
  return {
    node_id: nodeId,
    node_type: graph[nodeId]?.class_type ?? "",
    executed: [...announcer.executed],
    exception_message: thrown instanceof Error ? thrown.message : String(thrown),
    exception_type: thrown instanceof NodeFailure ? thrown.exceptionType : "Exception",
    traceback: [`  File "/srv/application/execution.py", line 496, in execute\n    run(${JSON.stringify(nodeId)})\n`],
    current_inputs: Object.fromEntries(inputs),
    current_outputs: [...announcer.executed],
  };
}

const describe = (value: unknown) => (Array.isArray(value) ? `value of node ${String(value[0])}` : String(value));

// Faults `progressPerSecond` and `previewBytes`: more messages than any client wants, about whatever node runs.
function flood({ progressPerSecond, previewBytes }: ApplicationFaults, announcer: PromptAnnouncer): () => void {
  if (progressPerSecond === 0 && previewBytes === 0) return () => {};
  const rate = progressPerSecond || 10;
  const bytes = previewBytes === 0 ? null : Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), randomBytes(previewBytes)]);
  const picture = bytes ? ({ contentType: "image/jpeg", bytes } as const) : null;
  let step = 0;
  let sent = 0;
  const startedAt = performance.now();
  // A timer fires at most once per millisecond and often late, so we make up for missed ticks.
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * rate;
    const node = announcer.currentNode;
    for (; sent < due; sent++) if (node !== null) announcer.tick(node, step++ % 1000, 1000, picture);
  }, 1000 / rate);
  return () => clearInterval(timer);
}
