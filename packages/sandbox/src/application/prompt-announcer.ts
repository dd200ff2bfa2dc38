// What the submitter's socket hears about one prompt, in the application's order: a node's progress, that it is executing, what
// it showed, its progress again. Messages that belong in the history are recorded as they go out.
import type { Clients } from "./clients.ts";
import { type PreviewPicture, presentOwner } from "./frames.ts";
import type { UiOutput } from "./history.ts";
import type { Prompt } from "./prompt.ts";

interface NodeProgress {
  value: number;
  max: number;
  state: "running" | "finished" | "error";
}

export class PromptAnnouncer {
  readonly messages: [string, Readonly<Record<string, unknown>>][] = [];
  readonly outputs: Record<string, UiOutput> = {};
  readonly executed: string[] = [];
  currentNode: string | null = null;
  readonly #clients: Clients;
  readonly #prompt: Prompt;
  readonly #nodes = new Map<string, NodeProgress>();
  #isMuted = false;

  constructor(clients: Clients, prompt: Prompt) {
    this.#clients = clients;
    this.#prompt = prompt;
  }

  hasStarted(nodeId: string): boolean {
    return this.#nodes.has(nodeId);
  }

  isFinished(nodeId: string): boolean {
    return this.#nodes.get(nodeId)?.state === "finished";
  }

  // Its process is gone: anything that still happens is not reported.
  mute(): void {
    this.#isMuted = true;
  }

  // Records a message and sends it to the submitter, or to every client.
  say(event: string, data: Readonly<Record<string, unknown>>, isForAll = false): void {
    const full = { prompt_id: this.#prompt.id, ...data, timestamp: Date.now() };
    this.messages.push([event, full]);
    if (this.#isMuted) return;
    if (isForAll) this.#clients.broadcast(event, full);
    else this.#clients.send(this.#prompt.clientId, event, full);
  }

  begin(nodeId: string): void {
    this.currentNode = nodeId;
    this.#nodes.set(nodeId, { value: 0, max: 1, state: "running" });
    this.#announceNodes();
    this.#send("executing", { node: nodeId, display_node: nodeId });
  }

  tick(nodeId: string, value: number, max: number, picture: PreviewPicture | null = null): void {
    this.#nodes.set(nodeId, { value, max, state: "running" });
    this.#announceNodes();
    if (picture) this.preview(nodeId, picture);
    this.#send("progress", { value, max, node: nodeId });
  }

  preview(nodeId: string, picture: PreviewPicture): void {
    if (this.#isMuted) return;
    this.#clients.sendPreview(this.#prompt.clientId, { nodeId, promptId: this.#prompt.id }, picture);
  }

  finish(nodeId: string, shown: UiOutput | null): void {
    this.executed.push(nodeId);
    this.replay(nodeId, shown);
  }

  // What was shown, now or by an earlier prompt, under the names it had then.
  replay(nodeId: string, shown: UiOutput | null): void {
    if (shown) {
      this.outputs[nodeId] = shown;
      this.#send("executed", { node: nodeId, display_node: nodeId, output: shown });
    }
    const max = this.#nodes.get(nodeId)?.max ?? 1;
    this.#nodes.set(nodeId, { value: max, max, state: "finished" });
    this.#announceNodes();
  }

  // After the history is written.
  close(): void {
    this.currentNode = null;
    this.#send("executing", { node: null });
  }

  #announceNodes(): void {
    if (this.#isMuted || !this.#clients.has(this.#prompt.clientId)) return;
    const { id } = this.#prompt;
    const nodes = Array.from(this.#nodes, ([nodeId, progress]) => [
      nodeId,
      { ...progress, ...presentOwner({ nodeId, promptId: id }) },
    ]);
    this.#clients.send(this.#prompt.clientId, "progress_state", { prompt_id: id, nodes: Object.fromEntries(nodes) });
  }

  #send(type: string, data: Readonly<Record<string, unknown>>): void {
    if (this.#isMuted) return;
    this.#clients.send(this.#prompt.clientId, type, { ...data, prompt_id: this.#prompt.id });
  }
}
