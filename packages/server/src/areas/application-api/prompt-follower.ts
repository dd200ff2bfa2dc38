// Tells one socket of one prompt until it is over. Changes that come while an earlier one is still being told are told as
// one: only the newest picture is kept.
import type { Job, JobChange, JobPreview, Jobs, PoolId } from "../../capabilities/jobs/index.ts";
import type { Log } from "../../foundation/log.ts";
import { oneLoop } from "../../foundation/one-loop.ts";
import { PromptEvents } from "./prompt-events.ts";
import { promptIdOf } from "./prompt-picture.ts";
import type { Prompts } from "./prompts.ts";
import { previewFrame } from "./socket-frames.ts";

export interface PromptFollowerDeps {
  readonly prompts: Pick<Prompts, "outputsOf">;
  readonly jobs: Pick<Jobs, "get" | "watch">;
  readonly poolId: PoolId;
  readonly log: Log;
  readonly job: Job;
  tell(type: string, data: object): void;
  show(frame: Buffer): void;
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

  // A watch tells what changes from now on; how it is now is asked for.
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
    void this.#tellNewest();
  }

  readonly #tellNewest = oneLoop(
    () => this.#newest !== null,
    async () => {
      const [job, preview] = [this.#newest, this.#preview];
      this.#newest = null;
      this.#preview = null;
      if (job === null || this.#events.isOver) return;
      await this.#tell(job, preview).catch((err: unknown) => {
        this.#deps.log.debug({ err }, "a prompt could not be told to its websocket");
      });
    },
  );

  async #tell(job: Job, preview: JobPreview | null): Promise<void> {
    const { prompts, tell, show, hasNamedPreviews } = this.#deps;
    const messages = this.#events.tell(job);
    const frame = preview && previewFrame(preview, promptIdOf(job), hasNamedPreviews());
    // A preview belongs to what runs: after the beginning of its node, and before the end of the prompt.
    const end = messages.findIndex(({ type }) => ends.has(type));
    for (const [at, { type, data, outputs }] of messages.entries()) {
      if (frame && at === end) show(frame);
      if (outputs === undefined) tell(type, data);
      else tell(type, { ...data, output: Object.values(await prompts.outputsOf(job, outputs))[0] ?? {} });
    }
    if (frame && end === -1) show(frame);
    if (!this.#events.isOver) return;
    this.stop();
    this.#deps.over();
  }
}

const ends: ReadonlySet<string> = new Set(["execution_success", "execution_error", "execution_interrupted"]);
