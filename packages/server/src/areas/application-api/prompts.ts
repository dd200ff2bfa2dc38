// Prompts are jobs of the workspace. A caller can name its prompt: the name becomes the submission's key, so the same name is
// the same prompt however often it is sent, and the prompt can be found by it.
import { applicationGraph } from "@atelier/engine";
import type { Assets } from "../../capabilities/assets/index.ts";
import {
  type Job,
  type JobOutput,
  type JobState,
  type Jobs,
  type PoolId,
  terminalStates,
} from "../../capabilities/jobs/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { parseId, type WorkspaceId } from "../../foundation/ids.ts";
import { readExactJson, writeExactJson } from "../../foundation/json/exact-json.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import type { ApplicationCaller } from "./application-person.ts";
import {
  extraText,
  type LineTexts,
  lineText,
  outputsOf,
  personIdOf,
  personLabel,
  promptIdOf,
  statusOf,
} from "./prompt-picture.ts";

export interface PromptsDeps {
  readonly jobs: Pick<Jobs, "get" | "list" | "workflow" | "pngInfo" | "cancel" | "isCleared" | "clearHistory">;
  readonly assets: Pick<Assets, "get" | "bytes">;
  readonly poolId: PoolId;
  readonly isOutputNode: (classType: string) => boolean;
}

export const openStates: readonly JobState[] = ["queued", "running", "canceling"];
export const endedStates: readonly JobState[] = [...terminalStates];
export const keyOf = (promptId: string): string => `prompt:${promptId}`;

const pageMax = 100;
const textBytesMax = 64 * 1024;
// The limit for one image that is shown whole.
const pictureBytesMax = 64 * 1024 * 1024;

// Limits how much of graphs and texts one answer holds; beyond that they are left out.
export class Room {
  #left = 32 * 1024 * 1024;

  get isFull(): boolean {
    return this.#left <= 0;
  }

  take(text: string): string {
    this.#left -= text.length;
    return text;
  }
}

// Whose prompts are meant: a person sees their own, a key those of the whole workspace.
export type PromptScope = Pick<ApplicationCaller, "workspaceId" | "personId">;

export function isWithin({ workspaceId, personId = null }: PromptScope, job: Job): boolean {
  return job.workspaceId === workspaceId && (personId === null || personIdOf(job) === personId);
}

export class Prompts {
  readonly #deps: PromptsDeps;

  constructor(deps: PromptsDeps) {
    this.#deps = deps;
  }

  isOutputNode(classType: string): boolean {
    return this.#deps.isOutputNode(classType);
  }

  // Null if it is unknown, belongs to another workspace or is past retention.
  async find(workspaceId: WorkspaceId, promptId: string): Promise<Job | null> {
    const jobId = parseId<"job">(promptId);
    if (jobId === null) return null;
    const { jobs, poolId } = this.#deps;
    try {
      return await this.#shown(await jobs.get({ workspaceId, poolId, jobId }));
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.code !== "not_found") throw thrown;
    }
    const [named] = await this.#list(workspaceId, { idempotencyKey: keyOf(promptId), limit: 1 });
    // Read in full: a list leaves out the state of the nodes.
    return named === undefined ? null : this.#shown(await jobs.get({ workspaceId, poolId, jobId: named.id }));
  }

  // Null if it was cleared from the history.
  async #shown(job: Job): Promise<Job | null> {
    if (!terminalStates.has(job.state)) return job;
    return (await this.#deps.jobs.isCleared({ workspaceId: job.workspaceId, jobId: job.id })) ? null : job;
  }

  // The same for what a caller may change: a person's own.
  async findOwn(scope: PromptScope, promptId: string): Promise<Job | null> {
    const job = await this.find(scope.workspaceId, promptId);
    return job !== null && isWithin(scope, job) ? job : null;
  }

  // Newest first.
  async newest(
    { workspaceId, personId = null }: PromptScope,
    states: readonly JobState[] | null,
    { offset, count }: { readonly offset: number; readonly count: number },
  ): Promise<Job[]> {
    const { jobs, poolId } = this.#deps;
    const found: Job[] = [];
    let cursor: string | null = null;
    do {
      const limit = Math.min(pageMax, offset + count - found.length);
      const page: Awaited<ReturnType<Jobs["list"]>> = await jobs.list({
        ...noFilter,
        workspaceId,
        poolId,
        states,
        ...(personId === null ? {} : { labels: [[personLabel, personId]] }),
        isUncleared: true,
        cursor,
        limit,
      });
      found.push(...page.jobs);
      cursor = page.nextCursor;
    } while (cursor !== null && found.length < offset + count);
    return found.slice(offset);
  }

  async cancel(job: Job): Promise<void> {
    await this.#deps.jobs.cancel({ workspaceId: job.workspaceId, poolId: this.#deps.poolId, jobId: job.id });
  }

  // Its line in queue and history, as JSON.
  async lineOf(job: Job, room = new Room()): Promise<string> {
    return lineText(job, await this.#textsOf(job, room), this.#deps.isOutputNode);
  }

  // The graph and what was sent with it, as JSON.
  async workflowOf(job: Job): Promise<string> {
    const { graph, pngInfo } = await this.#textsOf(job, new Room());
    return `{"prompt":${graph},"extra_data":${extraText(job, pngInfo)}}`;
  }

  async #textsOf({ workspaceId, id }: Job, room: Room): Promise<LineTexts> {
    if (room.isFull) return { graph: "{}", pngInfo: null };
    const { jobs, poolId } = this.#deps;
    const locator = { workspaceId, poolId, jobId: id };
    const [{ graph }, pngInfo] = await Promise.all([jobs.workflow(locator), jobs.pngInfo(locator)]);
    const named = inItsWords(graph.toString("utf8"));
    return { graph: room.take(named), pngInfo: pngInfo === null ? null : room.take(pngInfo) };
  }

  // Removes prompts from the history; the jobs stay. Null clears all that have ended.
  async clear(scope: PromptScope, promptIds: readonly string[] | null): Promise<void> {
    const { jobs, poolId } = this.#deps;
    const { workspaceId, personId = null } = scope;
    if (promptIds === null && personId !== null) return this.#clearOwn(scope);
    const found = promptIds && (await Promise.all(promptIds.map((promptId) => this.findOwn(scope, promptId))));
    const jobIds = found === null ? null : found.flatMap((job) => (job === null ? [] : [job.id]));
    await jobs.clearHistory({ workspaceId, poolId, jobIds });
  }

  // Page by page: what is cleared is no longer listed.
  async #clearOwn(scope: PromptScope): Promise<void> {
    const { jobs, poolId } = this.#deps;
    for (;;) {
      const page = await this.newest(scope, endedStates, { offset: 0, count: pageMax });
      const jobIds = page.map(({ id }) => id);
      if (jobIds.length > 0) await jobs.clearHistory({ workspaceId: scope.workspaceId, poolId, jobIds });
      if (page.length < pageMax) return;
    }
  }

  // The history entry of a finished prompt, as JSON.
  async recordOf(job: Job, room = new Room()): Promise<string> {
    const [line, outputs] = await Promise.all([this.lineOf(job, room), this.outputsOf(job, job.outputs, room)]);
    const meta = Object.fromEntries(Object.keys(outputs).map((id) => [id, metaOf(id)]));
    return `{"prompt":${line},${JSON.stringify({ outputs, meta, status: statusOf(job) }).slice(1)}`;
  }

  // Keyed by prompt id, oldest first.
  async recordsOf(jobs: readonly Job[]): Promise<string> {
    const records: string[] = [];
    const room = new Room();
    for (const job of jobs) {
      // One that has just been deleted is left out.
      const record = await this.recordOf(job, room).catch(unlessGone);
      if (record !== null) records.push(`${JSON.stringify(promptIdOf(job))}:${record}`);
    }
    return `{${records.join(",")}}`;
  }

  async outputsOf(job: Job, outputs: readonly JobOutput[], room = new Room()) {
    const texts = new Map<JobOutput, string>();
    for (const output of outputs) {
      if (output.kind !== "text" || output.sizeBytes > textBytesMax || room.isFull) continue;
      const text = await this.#readText(job, output);
      if (text !== null) texts.set(output, room.take(text));
    }
    return outputsOf(job.id, outputs, (output) => texts.get(output) ?? null);
  }

  // Null if it is gone, or too large to be shown.
  async pictureOf({ workspaceId }: Job, { assetId, sizeBytes }: JobOutput): Promise<Buffer | null> {
    if (sizeBytes > pictureBytesMax) return null;
    const { assets } = this.#deps;
    const read = async () => assets.bytes(await assets.get({ workspaceId, assetId }), pictureBytesMax);
    return read().catch(unlessGone);
  }

  async #readText({ workspaceId }: Job, { assetId }: JobOutput): Promise<string | null> {
    const { assets } = this.#deps;
    const read = async () => assets.bytes(await assets.get({ workspaceId, assetId }), textBytesMax);
    return read().then((bytes) => bytes.toString("utf8"), unlessGone);
  }

  async #list(
    workspaceId: WorkspaceId,
    asked: { readonly idempotencyKey: string; readonly limit: number },
  ): Promise<readonly Job[]> {
    const { jobs, poolId } = this.#deps;
    return (await jobs.list({ ...noFilter, ...asked, workspaceId, poolId })).jobs;
  }
}

const noFilter = { states: null, metadata: null, idempotencyKey: null, cursor: null } as const;

// The graph as the application's clients wrote it: with file names instead of our references to them.
function inItsWords(graph: string): string {
  if (!graph.includes(`"core/ASSET"`)) return graph;
  const parsed = readExactJson(graph);
  return isRecord(parsed) ? writeExactJson(applicationGraph(parsed)) : graph;
}

const metaOf = (id: string) => ({ node_id: id, display_node: id, parent_node: null, real_node_id: id });

function unlessGone(thrown: unknown): null {
  if (thrown instanceof Fault && thrown.code === "not_found") return null;
  throw thrown;
}
