// Reports one prompt to one socket until it is over. Changes that arrive while an earlier one is still being sent are merged:
// only the newest snapshot is kept.
import type { Job, JobChange, JobOutput, JobPreview, Jobs, PoolId } from "../../capabilities/jobs/index.ts";
import type { Log } from "../../foundation/log.ts";
import { oneLoop } from "../../foundation/memory/one-loop.ts";
import { hasOwnResult, PromptEvents, type PromptMessage } from "./prompt-events.ts";
import { promptIdOf } from "./prompt-picture.ts";
import type { Prompts } from "./prompts.ts";
import { previewFrame } from "./socket-frames.ts";

export interface PromptFollowerDeps {
  readonly prompts: Pick<Prompts, "outputsOf" | "pictureOf" | "isOutputNode">;
  readonly jobs: Pick<Jobs, "get" | "watch">;
  readonly poolId: PoolId;
  readonly log: Log;
  readonly job: Job;
  emit(type: string, data: object): void;
  // A preview; it may be skipped.
  show(frame: Buffer): void;
  // Resolves when it is sent, or the socket is gone.
  deliver(frame: Buffer): Promise<void>;
  hasNamedPreviews(): boolean;
  over(): void;
}

export class PromptFollower {
  readonly #deps: PromptFollowerDeps;
  readonly #events = new PromptEvents();
  #unwatch: () => void = () => undefined;
  #newest: Job | null = null;
  #preview: JobPreview | null = null;

  constructor(deps: PromptFollowerDeps) {
    this.#deps = deps;
  }

  // A watch reports changes from now on; the current state is read separately.
  start(): void {
    const { jobs, job, poolId, log } = this.#deps;
    this.#unwatch = jobs.watch(job.id, (change) => this.#take(change));
    jobs.get({ workspaceId: job.workspaceId, poolId, jobId: job.id }).then(
      (found) => this.#take({ kind: "status", job: found, preview: null }),
      (err: unknown) => log.debug({ err }, "a prompt could not be read for its websocket"),
    );
  }

  stop(): void {
    this.#unwatch();
    this.#newest = null;
    this.#preview = null;
  }

  #take({ job, preview }: JobChange): void {
    if (this.#events.isOver) return;
    if (this.#newest === null || job.version >= this.#newest.version) this.#newest = job;
    if (preview !== null) this.#preview = preview;
    void this.#emitNewest();
  }

  readonly #emitNewest = oneLoop(
    () => this.#newest !== null,
    async () => {
      const [job, preview] = [this.#newest, this.#preview];
      this.#newest = null;
      this.#preview = null;
      if (job === null || this.#events.isOver) return;
      await this.#emit(job, preview);
    },
  );

  async #emit(job: Job, preview: JobPreview | null): Promise<void> {
    const { prompts, show, hasNamedPreviews } = this.#deps;
    const messages = this.#events.messagesFor(job);
    const isOutputNode = (classType: string) => prompts.isOutputNode(classType);
    const isWanted = preview !== null && !hasOwnResult(job, preview.nodeId, isOutputNode);
    const frame = isWanted ? previewFrame(preview, promptIdOf(job), hasNamedPreviews()) : null;
    // A preview belongs between the start of its node and the end of the prompt.
    const end = messages.findIndex(({ type }) => ends.has(type));
    for (const [at, message] of messages.entries()) {
      if (frame && at === end) show(frame);
      // What cannot be read now is in the history; the rest, and above all the end, is sent.
      await this.#send(job, message).catch((err: unknown) => {
        this.#deps.log.debug({ err }, "a prompt's result could not be sent to its websocket");
      });
    }
    if (frame && end === -1) show(frame);
    if (!this.#events.isOver) return;
    this.stop();
    this.#deps.over();
  }

  async #send(job: Job, { type, data, outputs, pictures }: PromptMessage): Promise<void> {
    const { prompts, emit } = this.#deps;
    if (pictures !== undefined) await this.#deliver(job, pictures);
    else if (outputs === undefined) emit(type, data);
    else emit(type, { ...data, output: Object.values(await prompts.outputsOf(job, outputs))[0] ?? {} });
  }

  async #deliver(job: Job, pictures: readonly JobOutput[]): Promise<void> {
    const { prompts, deliver, hasNamedPreviews, log } = this.#deps;
    for (const output of pictures) {
      const bytes = await prompts.pictureOf(job, output);
      const { nodeId, contentType } = output;
      const frame = bytes && previewFrame({ nodeId, contentType, bytes }, promptIdOf(job), hasNamedPreviews());
      if (frame) await deliver(frame);
      else log.warn({ jobId: job.id, sizeBytes: output.sizeBytes }, "a picture could not be sent to the websocket");
    }
  }
}

const ends: ReadonlySet<string> = new Set(["execution_success", "execution_error", "execution_interrupted"]);
