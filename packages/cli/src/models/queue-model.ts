// `atelier models run --queue` and `atelier requests get`: a model call that waits for its turn on the server. Its answer is
// output like that of a synchronous call.
import {
  type AcceptedModelRequest,
  AtelierError,
  type LabelOptions,
  type ModelRequest,
  type ModelRequestHandle,
  type Progress,
} from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { exitCodes } from "../exit-codes.ts";
import { given } from "../given.ts";
import type { Asked } from "../server/over-http.ts";
import { isWorkId } from "../works/named-work.ts";
import { handOut } from "./hand-out.ts";

type Handle = ModelRequestHandle<unknown>;

interface QueuedRun {
  readonly id: string;
  readonly body: Record<string, unknown>;
  readonly present: typeof handOut;
}

export async function queueModel(
  asked: Asked,
  { id, body, present }: QueuedRun,
  options: LabelOptions & { readonly idempotencyKey?: string; readonly maxCredits?: string },
): Promise<CommandResult> {
  const { call, atelier, input } = asked;
  const webhook = given({ webhookUrl: call.text("webhook-url") });
  const request = await atelier.models.submit(id, body, { ...options, ...webhook });
  if (call.has("no-wait")) return { data: request.current, text: request.id };
  if (!input.json) input.say(`  request ${request.id}`);
  return collect(asked, request, "cancel", present);
}

// Waits for the end, then fetches the answer. The caller decides what Ctrl-C does: the command that submitted the call tries to
// cancel it.
export async function collect(
  asked: Asked,
  request: Handle,
  onInterrupt: "cancel" | "leave",
  present: typeof handOut = handOut,
): Promise<CommandResult> {
  const { input } = asked;
  const leaving = new AbortController();
  const screen = new RequestLine(asked, request);
  let isInterrupted = false;
  const interrupt = () => {
    if (isInterrupted) input.exit(exitCodes.interrupted);
    isInterrupted = true;
    if (onInterrupt === "leave") leaving.abort();
    else request.cancel().catch((error: unknown) => leaving.abort(error));
  };
  process.on("SIGINT", interrupt);
  try {
    await request.wait({ signal: leaving.signal, onUpdate: (now) => screen.show(now) });
    screen.close();
    return await present(asked, await request.result());
  } catch (error) {
    if (!isInterrupted || !(leaving.signal.aborted || isCancelled(error))) throw error;
    screen.close();
    const problem = isCancelled(error)
      ? `The request ${request.id} was cancelled. Nothing was charged.`
      : `The request is still running${refusalOf(leaving.signal.reason)}. Get its result: atelier requests get ${request.id}`;
    input.say(problem);
    return { data: request.current, text: "", exitCode: exitCodes.interrupted, problem };
  } finally {
    screen.close();
    process.off("SIGINT", interrupt);
  }
}

const isCancelled = (error: unknown): boolean => error instanceof AtelierError && error.code === "cancelled";

const refusalOf = (reason: unknown): string =>
  reason instanceof AtelierError && reason.code === "cancel_refused" ? ": the provider has it already" : "";

// One redrawn line on a terminal; elsewhere a line for each change.
class RequestLine {
  readonly #asked: Asked;
  readonly #request: Handle;
  readonly #startedSeconds = process.uptime();
  readonly #ticking = setInterval(() => this.#draw(), 200);
  readonly #looking: NodeJS.Timeout;
  #text = "";
  #progress = "";

  constructor(asked: Asked, request: Handle) {
    this.#asked = asked;
    this.#request = request;
    this.#looking = setInterval(() => void this.#look(), lookEveryMs);
  }

  // The request of a work is a job as well, and says how far its nodes are.
  async #look(): Promise<void> {
    if (!isWorkId(this.#request.model) || this.#text !== "running" || !this.#asked.input.isTerminal) return;
    const job = await this.#asked.atelier.jobs.get(this.#request.id).catch(() => null);
    const progress = job?.current.progress;
    if (progress) this.#progress = nodesText(progress);
  }

  show(now: AcceptedModelRequest | ModelRequest): void {
    this.#text = stateText(now);
    if (this.#asked.input.json || now.status === "COMPLETED") return;
    if (!this.#draw()) this.#asked.input.say(this.#text);
  }

  #draw(): boolean {
    if (this.#text === "") return true;
    const seconds = (process.uptime() - this.#startedSeconds).toFixed(1);
    return this.#asked.input.redraw(`${this.#request.model}   ${this.#text}${this.#progress}   ${seconds} s`);
  }

  close(): void {
    clearInterval(this.#ticking);
    clearInterval(this.#looking);
    this.#text = "";
    this.#asked.input.redraw("");
  }
}

const lookEveryMs = 1_000;

const nodesText = ({ value, nodes_done: done, nodes_total: total }: Progress): string =>
  ` ${Math.floor(value * 100)}%, node ${Math.min(done + 1, total)} of ${total}`;

export function stateText({ status, queue_position: ahead }: AcceptedModelRequest | ModelRequest): string {
  if (status === "IN_QUEUE") return ahead === undefined || ahead === 0 ? "queued" : `queued, ${ahead} ahead`;
  return status === "IN_PROGRESS" ? "running" : status.toLowerCase();
}
