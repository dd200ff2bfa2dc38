// v2 jobs: submit, follow, wait, cancel. We follow the server's links and never build them (Spec, v2 design rule 4). Every
// submission has an idempotency key, so a lost answer does not run the graph twice.

import { type Assets, referenceTo } from "./assets.ts";
import { limitHeader } from "./credit-limit.ts";
import { parseJson } from "./exact-json.ts";
import { AtelierError } from "./failures.ts";
import type { Job, JobCharge, JobChargeList, JobCharges, JobWorkflow, Output, OutputTarget } from "./generated/wire.ts";
import { hasEnded, type JobEvent, jobEvents } from "./job-events.ts";
import type { InputOf } from "./models.ts";
import { readJson, walk } from "./pages.ts";
import { pause } from "./pause.ts";
import { type Ask, type CallOptions, pickCallOptions, pickSignal, type Transport } from "./transport.ts";
import { type EditorGraph, type Graph, type GraphFile, placeFiles, Workflow } from "./workflow.ts";
import { labelHeaders } from "./workspace/labels.ts";

/** How to submit a graph. */
export interface SubmitOptions extends CallOptions {
  readonly idempotencyKey?: string;
  readonly webhookUrl?: string;
  /** Kept with the job and given back: a text of at most 1024 bytes, or at most 16 labels: texts of at most 256 bytes by key. */
  readonly metadata?: string | Readonly<Record<string, string>>;
  /** Your own id of the person the job is for. Labels in `metadata` are what usage and budgets count it under. */
  readonly endUser?: string;
  /** -100 to 100; larger first, among your own jobs. */
  readonly priority?: number;
  /** The key that model nodes of the graph pay with, when it is another one. */
  readonly modelKey?: string;
  /** Where each output is put as well: an https address or a bucket. The job's `output_delivery` tells how that stands. */
  readonly outputTarget?: OutputTarget;
  /** Milliseconds to wait for room in a full queue, or for a deployment that still starts; 60,000. */
  readonly queueWaitMs?: number;
  /** The most that the job may cost; what could cost more fails with PriceAboveLimit, and nothing is submitted. */
  readonly maxCredits?: string | number;
}

/** A work to run as a job, with its inputs. A file among them is uploaded first. */
export interface WorkCall<Id extends string = string> {
  /** w.acme/lighthouse, or a version of it: w.acme/lighthouse.v3. */
  readonly work: Id;
  readonly inputs?: InputOf<Id>;
}

/** How to wait for a job. */
export interface WaitOptions extends CallOptions {
  readonly onEvent?: (event: JobEvent) => void;
}

/** Which jobs to list. */
export interface ListJobsOptions extends CallOptions {
  readonly status?: string;
  /** The text that they carry, or texts by key that all of them must have. */
  readonly metadata?: string | Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  readonly pageSize?: number;
}

/** The job failed, was canceled or expired; `job` says more. */
export class JobFailed extends Error {
  readonly job: Job;
  constructor(job: Job) {
    const { error } = job;
    const node = error?.node_id ? ` at node ${error.node_id}${error.class_type ? ` (${error.class_type})` : ""}` : "";
    super(`Job ${job.id} ${job.status}${node}${error ? `: ${error.message}` : ""}`);
    this.name = "JobFailed";
    this.job = job;
  }
}

/** A submitted job. It can be found again by its id after a crash: `atelier.jobs.get(id)`. */
export class JobHandle {
  /** What was last known. */
  current: Job;
  /** What it cost, in decimal credits, once it has ended; null before, and where the server does not say. */
  creditsUsed: string | null;
  readonly #transport: Transport;

  constructor(transport: Transport, { job, creditsUsed }: ReadJob) {
    this.#transport = transport;
    this.current = job;
    this.creditsUsed = creditsUsed;
  }

  get id(): string {
    return this.current.id;
  }

  /** Asks the server how far it is. */
  async refresh(options: CallOptions = {}): Promise<Job> {
    return this.#keep(await readJob(this.#transport, this.current.urls.self, options));
  }

  /**
   * What happens to it, until it has ended: by the stream, or by reading where there is none.
   * @example
   * for await (const event of job.events()) if (event.type === "progress") console.log(event.progress.value);
   */
  events(options: CallOptions = {}): AsyncGenerator<JobEvent, void> {
    return jobEvents(this.#transport, this.current.urls, options.signal);
  }

  /**
   * Waits until it has ended, and gives the job with its outputs. Throws JobFailed unless it succeeded.
   * @example
   * const { outputs } = await job.wait({ timeoutMs: 600_000 });
   */
  async wait(options: WaitOptions = {}): Promise<Job> {
    const { timeoutMs, onEvent } = options;
    const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const signals = [limit, options.signal].filter((signal) => signal !== undefined);
    const signal = signals.length === 0 ? undefined : AbortSignal.any(signals);
    for await (const event of this.events(pickSignal({ signal }))) onEvent?.(event);
    const job = await this.refresh(pickSignal({ signal }));
    if (job.status !== "succeeded") throw new JobFailed(job);
    return job;
  }

  /** Cancels it; a job that has ended stays as it is. */
  async cancel(options: CallOptions = {}): Promise<Job> {
    const ask = { ...options, method: "POST", isRepeatable: true } as const;
    return this.#keep(await readJob(this.#transport, this.current.urls.cancel, ask));
  }

  /** The graph that it ran. */
  workflow(options: CallOptions = {}): Promise<JobWorkflow> {
    return readJson(this.#transport, this.current.urls.workflow, options);
  }

  #keep({ job, creditsUsed }: ReadJob): Job {
    this.current = job;
    this.creditsUsed = creditsUsed;
    return job;
  }
}

interface ReadJob {
  readonly job: Job;
  readonly creditsUsed: string | null;
}

// v2 bodies do not mention credits; a header on reads of a job does.
async function readJob(transport: Transport, path: string, ask: Ask): Promise<ReadJob> {
  const response = await transport.send(path, ask);
  const creditsUsed = response.headers.get("x-service-credits-used");
  return { job: parseJson(await response.text()) as Job, creditsUsed };
}

const chargesPerQuestion = 100;

/** v2 jobs: `atelier.jobs`. */
export class Jobs {
  readonly #transport: Transport;
  readonly #assets: Assets;

  constructor(transport: Transport, assets: Assets) {
    this.#transport = transport;
    this.#assets = assets;
  }

  /**
   * Uploads the graph's files, submits it, waits, and gives the job with its outputs.
   * @example
   * const { outputs } = await atelier.jobs.run(graph, { onEvent: (event) => console.log(event.type) });
   */
  async run<Id extends string>(
    what: Graph | EditorGraph | Workflow | WorkCall<Id>,
    options: SubmitOptions & WaitOptions = {},
  ): Promise<Job> {
    const { timeoutMs: _ofTheWait, onEvent, ...submit } = options;
    const job = await this.submit(what, submit);
    return job.wait({ ...pickCallOptions(options), ...(onEvent === undefined ? {} : { onEvent }) });
  }

  /**
   * Submits a graph, or a work with its inputs. A full queue or a deployment that still starts is waited for, for a minute.
   * @example
   * const job = await atelier.jobs.submit(graph, { metadata: "spring campaign" });
   * const made = await atelier.jobs.submit({ work: "w.acme/lighthouse", inputs: { prompt: "a lighthouse in fog" } });
   */
  async submit<Id extends string>(
    what: Graph | EditorGraph | Workflow | WorkCall<Id>,
    options: SubmitOptions = {},
  ): Promise<JobHandle> {
    const placed = await this.#placed(what, options);
    const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
    const json = {
      ...placed,
      ...(options.webhookUrl === undefined ? {} : { webhook_url: options.webhookUrl }),
      ...(options.metadata === undefined ? {} : { metadata: options.metadata }),
      ...(options.priority === undefined ? {} : { priority: options.priority }),
      ...(options.outputTarget === undefined ? {} : { output_target: options.outputTarget }),
      ...(options.modelKey === undefined ? {} : { extra_data: { api_key_service: options.modelKey } }),
    };
    const giveUpAt = Date.now() + (options.queueWaitMs ?? 60_000);
    const call = pickCallOptions(options);
    for (;;) {
      try {
        const { endUser } = options;
        const headers = {
          ...limitHeader(options.maxCredits),
          ...labelHeaders(endUser === undefined ? {} : { endUser }),
        };
        const ask = { ...call, method: "POST", json, headers, idempotencyKey, isRepeatable: true } as const;
        return new JobHandle(this.#transport, await readJob(this.#transport, "/api/v2/jobs", ask));
      } catch (thrown) {
        const wait = thrown instanceof AtelierError && thrown.status === 429 ? thrown.retryAfterSeconds : null;
        if (wait === null || Date.now() + wait * 1000 > giveUpAt) throw thrown;
        await pause(wait * 1000, options.signal);
      }
    }
  }

  /**
   * A job by its id.
   * @example
   * const job = await atelier.jobs.get(id);
   * await job.wait();
   */
  async get(id: string, options: CallOptions = {}): Promise<JobHandle> {
    const path = `/api/v2/jobs/${encodeURIComponent(id)}`;
    return new JobHandle(this.#transport, await readJob(this.#transport, path, options));
  }

  /**
   * What a job was charged, in all, for its running time and for each node that called models. Asked of the server
   * itself, also for jobs of its deployments.
   * @example
   * const { credits, nodes } = await atelier.jobs.charges(job.id);
   */
  charges(id: string, options: CallOptions = {}): Promise<JobCharges> {
    return readJson(this.#transport, `/account/jobs/${encodeURIComponent(id)}/charges`, options);
  }

  /** What each of these jobs was charged; those that are not yours are left out. */
  async chargesOf(ids: readonly string[], options: CallOptions = {}): Promise<readonly JobCharge[]> {
    const found: JobCharge[] = [];
    for (let at = 0; at < ids.length; at += chargesPerQuestion) {
      const asked = new URLSearchParams(ids.slice(at, at + chargesPerQuestion).map((id) => ["job_id", id]));
      const page: JobChargeList = await readJson(this.#transport, `/account/jobs/charges?${asked}`, options);
      found.push(...page.data);
    }
    return found;
  }

  /**
   * Your jobs, newest first.
   * @example
   * for await (const job of atelier.jobs.list({ status: "running" })) console.log(job.id, job.progress?.value);
   */
  list(options: ListJobsOptions = {}): AsyncGenerator<Job, void> {
    const { status, metadata, idempotencyKey, pageSize, ...call } = options;
    const query = { status, ...metadataQuery(metadata), idempotency_key: idempotencyKey, limit: pageSize };
    return walk(this.#transport, "/api/v2/jobs", { ...call, query });
  }

  /** Cancels a job by its id. */
  async cancel(id: string, options: CallOptions = {}): Promise<Job> {
    return (await this.get(id, options)).cancel(options);
  }

  /**
   * Makes an API graph of the editor's export.
   * @example
   * const { workflow } = await atelier.jobs.convert(editorExport);
   */
  convert(workflow: object, options: CallOptions = {}): Promise<{ readonly workflow: Graph; readonly format: "api" }> {
    const ask = { ...options, method: "POST", json: { workflow }, isRepeatable: true } as const;
    return readJson(this.#transport, "/api/v2/workflows/convert", ask);
  }

  /**
   * The bytes of an output, read under your key.
   * @example
   * for (const output of job.outputs) await writeFile(output.name, await atelier.jobs.download(output));
   */
  download(output: Pick<Output, "urls">, options: CallOptions = {}): Promise<Uint8Array> {
    return this.#assets.download(output, options);
  }

  async #placed(what: Graph | EditorGraph | Workflow | WorkCall, options: SubmitOptions): Promise<object> {
    const call = pickCallOptions(options);
    const put = ({ source, options: given }: GraphFile) => this.#assets.put(source, { ...call, ...given });
    // In the inputs of a work, a file is the id of an asset.
    if (isWorkCall(what))
      return { work: what.work, inputs: await placeFiles(what.inputs ?? {}, async (file) => (await put(file)).id) };
    const graph = what instanceof Workflow ? what.graph : what;
    return { workflow: await placeFiles(graph, async (file) => referenceTo(await put(file))) };
  }
}

// No node of a graph is a text.
function isWorkCall(what: Graph | EditorGraph | Workflow | WorkCall): what is WorkCall {
  return "work" in what && typeof what.work === "string";
}

// A map becomes one parameter per key: metadata[key]=value.
function metadataQuery(metadata: ListJobsOptions["metadata"]): Readonly<Record<string, string | undefined>> {
  if (typeof metadata !== "object") return { metadata };
  return Object.fromEntries(Object.entries(metadata).map(([key, value]) => [`metadata[${key}]`, value]));
}

export { hasEnded };
