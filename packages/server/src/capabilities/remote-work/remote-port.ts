// The port of workers over HTTPS, for a worker that has no database. The other side fences every call by the attempt;
// here is what makes calls safe over a line that breaks: each may be made twice, and an answer that did not come is asked
// for again (a claim by asking what this worker has).
import type { FileReference } from "@atelier/engine";
import type { Clock } from "../../foundation/clock.ts";
import { AwayFault, Fault } from "../../foundation/fault.ts";
import { trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import { retry } from "../../foundation/retry.ts";
import type { ClaimedJob, JobLease, JobOutput, OutputWish, WorkerId, WorkerPort } from "../jobs/index.ts";
import { createLiveNews } from "./live-news.ts";
import { createNewestCalls } from "./newest-call.ts";
import { type DoorDownload, DoorProblem, type ServerDoor } from "./server-door.ts";
import { spoolOutput } from "./spooled-output.ts";
import { readJobs, readKept, readStates, wireEnding, wireLease, wireProgress } from "./wire.ts";

export interface RemotePortDeps {
  readonly door: ServerDoor;
  readonly workerId: WorkerId;
  readonly spoolDirectory: string;
  readonly clock: Clock;
  readonly log: Log;
  // Makes sure that the server knows this worker; false: there is nothing to claim for now.
  ready(signal: AbortSignal): Promise<boolean>;
  // The server does not know this worker any more.
  onForgotten(): void;
}

export interface RemotePort extends WorkerPort {
  held(): readonly ClaimedJob[];
  openFile(workspaceId: WorkspaceId, reference: FileReference): Promise<DoorDownload | null>;
  close(): void;
}

const callMs = 15_000;
const claimMarginMs = 10_000;
const heartbeatMs = 8_000;
// As long as a lease may be believed in without a heartbeat; after that the server decides.
const insistMs = 30_000;
const refusedPauseMs = 10_000;
const uploadMs = 3_600_000;
// Below it, asking whether the bytes are known costs as much as bringing them.
const askBytesMin = 16 * 1024;
const previewBytesMax = 128 * 1024;

export function createRemotePort(deps: RemotePortDeps): RemotePort {
  const { door, workerId, clock } = deps;
  const base = `/api/workers/${workerId}`;
  const pathOf = ({ jobId, attempt }: JobLease) => `${base}/jobs/${jobId}/${attempt}`;
  const held = new Map<string, ClaimedJob>();
  // A claim whose answer did not come may have given us jobs.
  let isUnsure = false;

  const insist = <T>(run: () => Promise<T>) =>
    retry(run, {
      attemptsMax: 100,
      totalMsMax: insistMs,
      firstDelayMs: 100,
      delayMsMax: 2_000,
      isRetryable: (failure) => failure instanceof DoorProblem && failure.isPassing && !isRefused(failure),
      retryAfterMs: (failure) => (failure instanceof DoorProblem ? failure.retryAfterMs : undefined),
      clock,
      random: Math.random,
    }).catch(orAway);

  const live = createLiveNews({
    clock,
    async send(news) {
      const entries = news.map(({ lease, progress }) => ({ ...wireLease(lease), progress: wireProgress(progress) }));
      await door.call({ method: "POST", path: `${base}/progress`, json: { entries }, totalMs: callMs });
    },
  });

  const previews = createNewestCalls(clock);

  function remember(jobs: readonly ClaimedJob[]): readonly ClaimedJob[] {
    const fresh = jobs.filter(({ lease }) => !held.has(keyOf(lease)));
    for (const job of fresh) held.set(keyOf(job.lease), job);
    return fresh;
  }

  async function resume(): Promise<readonly ClaimedJob[]> {
    const answer = await door.call({ method: "GET", path: `${base}/jobs`, totalMs: callMs });
    isUnsure = false;
    return remember(readJobs(answer, workerId, "resumed"));
  }

  async function claim(asked: Parameters<WorkerPort["claim"]>[0]): Promise<readonly ClaimedJob[]> {
    if (!(await deps.ready(asked.signal))) return [];
    if (isUnsure) {
      const found = await resume();
      if (found.length > 0) return found;
    }
    const json = {
      slots: Math.min(asked.slots, 64),
      wait_ms: asked.waitMs,
      models_loaded: [...(asked.offer?.modelsLoaded ?? [])].slice(0, 200),
    };
    try {
      isUnsure = true;
      const totalMs = asked.waitMs + claimMarginMs;
      const answer = await door.call({ method: "POST", path: `${base}/claims`, json, totalMs, signal: asked.signal });
      isUnsure = false;
      return remember(readJobs(answer, workerId, "claimed"));
    } catch (error) {
      // Stopped while it waited: what it was given meanwhile is given back by the other side, or asked for once more.
      if (asked.signal.aborted) return [];
      noticed(error);
      if (error instanceof DoorProblem && error.status === 401) {
        deps.log.error({ err: error }, "the server refuses this worker's token");
        await clock.sleep(refusedPauseMs, asked.signal);
      }
      throw error;
    }
  }

  // Whatever says that the server has forgotten us makes us report again.
  function noticed(error: unknown): unknown {
    if (error instanceof DoorProblem && error.status === 403) deps.onForgotten();
    return error;
  }

  function over(lease: JobLease): void {
    live.forget(lease);
    previews.forget(keyOf(lease));
    held.delete(keyOf(lease));
  }

  async function bring(lease: JobLease, wish: OutputWish): Promise<JobOutput | null> {
    const spooled = await spoolOutput(wish.source, deps.spoolDirectory);
    const { nodeId, index, name, contentType } = wish;
    const place = { node_id: nodeId, index, name, hash: spooled.hash };
    const path = `${pathOf(lease)}/outputs`;
    const query = new URLSearchParams({ ...place, index: String(index) });
    const ask = () =>
      door.call({ method: "POST", path, json: { ...place, content_type: contentType }, totalMs: callMs });
    const upload = () =>
      door.call({
        method: "PUT",
        path: `${path}?${query}`,
        body: { contentType, source: () => spooled.source(), bytes: spooled.bytes },
        totalMs: uploadMs,
      });
    try {
      const known = spooled.bytes < askBytesMin ? null : await insist(ask).catch(unlessUnknown);
      const kept = readKept(known ?? (await insist(upload)));
      return {
        assetId: trustedId(kept.asset_id),
        nodeId,
        name,
        kind: "file",
        contentType,
        sizeBytes: kept.size,
        hash: kept.hash,
        version: 0,
      };
    } catch (error) {
      if (error instanceof DoorProblem && isRefused(error))
        throw new Fault(error.code, error.message, { cause: error });
      return lostOr(error);
    } finally {
      await spooled.remove();
    }
  }

  return {
    claim,
    resume: async () => ((await deps.ready(new AbortController().signal)) ? resume() : []),
    async heartbeat(leases) {
      const json = { leases: leases.map(wireLease) };
      try {
        const answer = await door.call({ method: "POST", path: `${base}/heartbeats`, json, totalMs: heartbeatMs });
        const states = readStates(answer);
        for (const [at, lease] of leases.entries()) if (states[at] === "lost") over(lease);
        return states;
      } catch (error) {
        throw noticed(error);
      }
    },
    progress: (lease, progress) => live.tell(lease, progress),
    preview(lease, { nodeId, contentType, bytes }) {
      if (bytes.byteLength > previewBytesMax) return;
      const path = `${pathOf(lease)}/preview?${new URLSearchParams({ node_id: nodeId })}`;
      const body = { contentType, source: () => bytes, bytes: bytes.byteLength };
      previews.tell(keyOf(lease), () => door.call({ method: "PUT", path, body, totalMs: callMs }));
    },
    output: bring,
    async finish(lease, ending) {
      await previews.settle(keyOf(lease));
      over(lease);
      const json = wireEnding(ending);
      const call = () => door.call({ method: "POST", path: `${pathOf(lease)}/finish`, json, totalMs: callMs });
      return insist(call).then(
        () => true,
        (error: unknown) => lostOr(error) !== null,
      );
    },
    async giveBack(lease) {
      over(lease);
      await insist(() => door.call({ method: "POST", path: `${pathOf(lease)}/give-back`, totalMs: callMs }));
    },
    // What pays for itself does not run outside.
    releasePart: async () => undefined,
    held: () => [...held.values()],
    async openFile(workspaceId, reference) {
      const assetId = reference.kind === "asset" ? reference.id : null;
      const job = [...held.values()].find(
        (one) => assetId !== null && one.workspaceId === workspaceId && one.workflow.includes(assetId),
      );
      if (!job || assetId === null) return null;
      return insist(() => door.download(`${pathOf(job.lease)}/inputs/${assetId}`)).catch(lostOr);
    },
    close() {
      live.close();
      previews.close();
    },
  };
}

const keyOf = ({ jobId, attempt }: JobLease) => `${jobId} ${attempt}`;

const isRefusal = (error: unknown, code: string) => error instanceof DoorProblem && error.code === code;

// What the server will not keep however often it is brought: the job's fault, or its workspace's, and not the worker's.
const refusals = ["invalid_request", "payload_too_large", "quota_exceeded"] as const;
type Refusal = (typeof refusals)[number];
const isRefused = (problem: DoorProblem): problem is DoorProblem & { readonly code: Refusal } =>
  refusals.some((code) => code === problem.code);

// A server that cannot be reached or cannot do it now is no word about the job.
function orAway(error: unknown): never {
  if (!(error instanceof DoorProblem) || !error.isPassing || isRefused(error)) throw error;
  if (error.code === "storage_full") throw new Fault("storage_full", error.message, { cause: error });
  throw new AwayFault(error.message, error);
}

// Null: the job is somebody else's by now.
function lostOr(error: unknown): null {
  if (isRefusal(error, "not_found")) return null;
  throw error;
}

// Null: the bytes have to be brought.
function unlessUnknown(error: unknown): null {
  if (isRefusal(error, "blob_not_found")) return null;
  throw error;
}
