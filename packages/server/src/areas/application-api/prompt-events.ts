// What the websocket sends about one prompt, from snapshots of its job: each call compares with what was sent before and
// returns what is new, in the application's order. A snapshot can skip steps. A node that was never seen running is reported as
// started before it is reported as done, so that clients that count nodes get the same total.
import {
  decodeNodes,
  type Job,
  type JobOutput,
  type NodeEntry,
  terminalStates,
} from "../../capabilities/jobs/index.ts";
import { endOf, isFile, promptIdOf, timeOf } from "./prompt-picture.ts";

export interface PromptMessage {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  // Sent in `data` as `output`.
  readonly outputs?: readonly JobOutput[];
  // Images sent as they are, in this order; nothing else of this message is sent.
  readonly pictures?: readonly JobOutput[];
}

export class PromptEvents {
  #hasBegun = false;
  #isOver = false;
  readonly #begun = new Set<string>();
  readonly #cached = new Set<string>();
  readonly #executed = new Set<string>();
  readonly #shown = new Set<string>();
  #state = "";
  #step = "";

  get isOver(): boolean {
    return this.#isOver;
  }

  messagesFor(job: Job): PromptMessage[] {
    if (this.#isOver || job.state === "queued") return [];
    const isEnd = terminalStates.has(job.state);
    const text = job.progress?.nodes ?? null;
    const nodes = (text === null ? null : decodeNodes(text))?.nodes ?? [];
    const messages = [...this.#begin(job, nodes), ...this.#advance(job, nodes, isEnd)];
    if (!isEnd) return messages;
    this.#isOver = true;
    const [type, data] = endOf(job);
    const idle = { node: null, prompt_id: promptIdOf(job) };
    return [...messages, { type, data }, { type: "executing", data: idle }];
  }

  // A prompt that never ran reports only its end.
  #begin(job: Job, nodes: readonly NodeEntry[]): PromptMessage[] {
    const cached = nodes.filter(({ state, nodeId }) => state === "cached" && !this.#cached.has(nodeId));
    for (const { nodeId } of cached) this.#cached.add(nodeId);
    const hit = cached.filter(({ nodeId }) => !this.#begun.has(nodeId));
    if (this.#hasBegun && hit.length === 0) return [];
    const common = { prompt_id: promptIdOf(job), timestamp: timeOf(job.startedAt) };
    const hits = { type: "execution_cached", data: { nodes: hit.map(({ nodeId }) => nodeId), ...common } };
    if (this.#hasBegun) return [hits];
    if (job.startedAt === null) return [];
    this.#hasBegun = true;
    return [{ type: "execution_start", data: common }, hits];
  }

  #advance(job: Job, nodes: readonly NodeEntry[], isEnd: boolean): PromptMessage[] {
    const promptId = promptIdOf(job);
    const messages: PromptMessage[] = [];
    const ran = nodes.filter(({ state }) => state !== "waiting" && state !== "cached");
    const byTime = ran.toSorted((one, other) => (one.beganMs ?? 0) - (other.beganMs ?? 0));
    const state = ran.map(({ nodeId, state: now, share }) => `${nodeId} ${now} ${share}`).join();
    if (state !== this.#state && ran.length > 0) messages.push(stateOf(promptId, ran));
    this.#state = state;
    for (const { nodeId, state: now } of byTime) {
      if (!this.#begun.has(nodeId)) messages.push(this.#turnTo(promptId, nodeId));
      messages.push(...this.#show(job, nodeId));
      if (now === "running") messages.push(...this.#stepOf(job, nodeId));
      else messages.push(...this.#finish(job, nodeId));
    }
    for (const nodeId of isEnd ? new Set(job.outputs.map((output) => output.nodeId)) : this.#cached)
      messages.push(...this.#finish(job, nodeId));
    for (const { nodeId } of isEnd ? job.outputs.filter((output) => !isFile(output)) : []) {
      const pictures = this.#show(job, nodeId);
      if (pictures.length > 0 && !this.#begun.has(nodeId)) messages.push(this.#turnTo(promptId, nodeId));
      messages.push(...pictures);
    }
    return messages;
  }

  // Images that were not shown yet. Clients attribute them to the node that started last.
  #show(job: Job, nodeId: string): PromptMessage[] {
    const pictures = job.outputs.filter(
      (output) => output.nodeId === nodeId && !isFile(output) && !this.#shown.has(output.assetId),
    );
    for (const { assetId } of pictures) this.#shown.add(assetId);
    return pictures.length === 0 ? [] : [{ type: "", data: {}, pictures }];
  }

  #turnTo(promptId: string, nodeId: string): PromptMessage {
    this.#begun.add(nodeId);
    return { type: "executing", data: { node: nodeId, display_node: nodeId, prompt_id: promptId } };
  }

  #stepOf({ progress, ...job }: Job, nodeId: string): PromptMessage[] {
    if (progress?.currentNode !== nodeId || progress.steps === null || progress.step === null) return [];
    const step = `${nodeId} ${progress.step}/${progress.steps}`;
    if (step === this.#step) return [];
    this.#step = step;
    const data = { value: progress.step, max: progress.steps, prompt_id: promptIdOf(job), node: nodeId };
    return [{ type: "progress", data }];
  }

  // Once, with everything that the node made.
  #finish(job: Job, nodeId: string): PromptMessage[] {
    const outputs = job.outputs.filter((output) => output.nodeId === nodeId && isFile(output));
    if (outputs.length === 0 || this.#executed.has(nodeId)) return [];
    this.#executed.add(nodeId);
    return [{ type: "executed", data: { node: nodeId, display_node: nodeId, prompt_id: promptIdOf(job) }, outputs }];
  }
}

// Whether this node shows its own result, so that it gets no preview. A client keeps a preview until the node starts again: one
// that arrives with the end of a short run, or of a run that the client did not watch, would hide the result for good.
export function hasOwnResult(job: Job, nodeId: string, isOutputNode: (classType: string) => boolean): boolean {
  if (job.outputs.some((output) => output.nodeId === nodeId)) return true;
  const nodes = decodeNodes(job.progress?.nodes ?? "")?.nodes ?? [];
  return nodes.some((node) => node.nodeId === nodeId && isOutputNode(node.classType));
}

const stateWords = { running: "running", done: "finished", failed: "error" } as const;

function stateOf(promptId: string, ran: readonly NodeEntry[]): PromptMessage {
  const entries = ran.map(({ nodeId, state, share }) => {
    const ids = { node_id: nodeId, prompt_id: promptId, display_node_id: nodeId, real_node_id: nodeId };
    const word = state === "running" || state === "failed" ? stateWords[state] : stateWords.done;
    return [nodeId, { value: share, max: 1, state: word, ...ids, parent_node_id: null }];
  });
  return { type: "progress_state", data: { prompt_id: promptId, nodes: Object.fromEntries(entries) } };
}
