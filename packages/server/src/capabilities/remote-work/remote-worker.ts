// A remote worker: it introduces itself, keeps the server informed of what it can run, takes jobs and runs them with the
// given runner. When it stops, it leaves nothing behind under its name.

import { createHash } from "node:crypto";
import type { AssetContent, FileReference } from "@atelier/engine";
import type { Background } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import { trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import { writeExactJson } from "../../foundation/json/exact-json.ts";
import type { Log } from "../../foundation/log.ts";
import type { Tracer } from "../../foundation/tracing/index.ts";
import { createGraphWorker, type GraphRunner } from "../graph-runs/index.ts";
import type { JobId, PoolId, WorkerId } from "../jobs/index.ts";
import type { NodeClassDescriptions, WorkerEnvironment, WorkerLock } from "../pools/index.ts";
import { watchCancels } from "./remote-cancels.ts";
import { createRemotePort } from "./remote-port.ts";
import { ServerCallProblem, type ServerClient } from "./server-client.ts";
import { readWorkerStatus, wireLock } from "./wire.ts";

export interface RemoteEnvironment extends WorkerEnvironment {
  readonly descriptions: NodeClassDescriptions;
}

export interface RemoteWorkerOptions {
  readonly server: ServerClient;
  readonly workerId: WorkerId;
  // Null means the token's only pool.
  readonly poolId: PoolId | null;
  readonly name: string;
  readonly slots: number;
  readonly spoolDirectory: string;
  readonly drainMs: number;
  readonly clock: Clock;
  readonly log: Log;
  // Null or absent: no traces.
  readonly tracer?: Tracer | null;
  // What it can run now. Null if nothing, because the application is away. The same object while nothing has changed.
  environment(): Promise<RemoteEnvironment | null>;
  modelsLoaded(): readonly string[];
  // What it found in the application's folder. The same object while nothing has changed. Absent if it looks at none.
  lock?(): WorkerLock | null;
  // Called with the lock that the server wants it to equal, null for any.
  onPinned?(lockId: string | null): void;
  runner(files: RemoteFiles): GraphRunner;
}

export type RemoteFiles = (
  workspaceId: WorkspaceId,
  reference: FileReference,
) => Promise<(AssetContent & { readonly name?: string }) | null>;

export interface RemoteWorker {
  // Resolves when the server knows this worker.
  readonly introduced: Promise<void>;
  // Runs until the signal fires and all running jobs have ended or were given back. Rejects if the server refuses this
  // worker for good.
  run(background: Background, signal: AbortSignal): Promise<void>;
  readonly running: number;
  // Reports what has changed now, without waiting for the next claim.
  refresh(): Promise<void>;
}

const reportEveryMs = 20_000;
const awayPauseMs = 1_000;
const callMs = 15_000;
const describeMs = 120_000;

export function createRemoteWorker(options: RemoteWorkerOptions): RemoteWorker {
  const { server, workerId, clock, log } = options;
  const base = `/api/workers/${workerId}`;
  const introduced = Promise.withResolvers<void>();
  let running = 0;

  // Reports when the worker is new, when something changed, and from time to time.
  const reporting = createReporting(options, base);
  const port = createRemotePort({
    ...options,
    async ready(signal) {
      const isReady = await reporting.upToDate();
      if (!isReady) await clock.sleep(awayPauseMs, signal);
      return isReady;
    },
    onForgotten: () => reporting.forget(),
  });

  // Gives back jobs we were handed while stopping and do not know.
  async function leaveNothing(): Promise<void> {
    for (const job of await port.resume({ workerId, poolId: reporting.poolId() })) await port.giveBack(job.lease);
    await server.call({ method: "DELETE", path: base, totalMs: callMs });
  }

  return {
    introduced: introduced.promise,
    get running() {
      return running;
    },
    refresh: () => reporting.refresh(),
    async run(background, signal) {
      const status = await reporting.first(signal);
      if (status === null) return;
      introduced.resolve();
      const canceled = new Map<JobId, () => void>();
      const ended = new AbortController();
      const watching = watchCancels({
        server,
        workerId,
        clock,
        held: () => port.held(),
        canceled,
        signal: ended.signal,
      });
      const worker = createGraphWorker({
        workerId,
        poolId: reporting.poolId(),
        slots: options.slots,
        port,
        runner: options.runner(async (workspaceId, reference) => {
          const file = await port.openFile(workspaceId, reference);
          return file && contentOf(file);
        }),
        offer: () => ({ classes: null, modelsLoaded: new Set(options.modelsLoaded()) }),
        clock,
        log,
        tracer: options.tracer ?? null,
        heartbeatMs: status.heartbeat_seconds * 1000,
        selfFenceMs: status.self_fence_seconds * 1000,
        drainMs: options.drainMs,
        onCancel(jobId, cancel) {
          running += 1;
          canceled.set(jobId, cancel);
          return () => {
            running -= 1;
            canceled.delete(jobId);
          };
        },
      });
      await worker.run(background, signal);
      ended.abort();
      await watching;
      await leaveNothing().catch((err: unknown) =>
        log.warn({ err }, "could not tell the server that this worker is leaving"),
      );
      port.close();
    },
  };
}

function contentOf(file: Awaited<ReturnType<ServerClient["download"]>>) {
  const { stream, hash, name } = file;
  return { stream, ...(hash === null ? {} : { hash }), ...(name === null ? {} : { name }) };
}

// The environment as it is sent, made once for each.
function keptDocument() {
  let document: { readonly of: RemoteEnvironment; readonly bytes: Buffer; readonly id: string } | null = null;
  return (environment: RemoteEnvironment) => {
    if (document?.of === environment) return document;
    const bytes = Buffer.from(writeExactJson(environment));
    document = { of: environment, bytes, id: createHash("sha256").update(bytes).digest("hex") };
    return document;
  };
}

// The server may be away for hours, so the same message is logged once.
function warner(log: Log): (why: string) => void {
  let lastReason = "";
  return (why) => {
    if (why !== lastReason) log.warn({ why }, "this worker cannot start yet; it keeps trying");
    lastReason = why;
  };
}

function createReporting(options: RemoteWorkerOptions, base: string) {
  const { server, clock, log } = options;
  let poolId: PoolId | null = null;
  let reported: RemoteEnvironment | null = null;
  let reportedLock: WorkerLock | null = null;
  const documentOf = keptDocument();
  let nextMs = Number.NEGATIVE_INFINITY;
  const warnOnce = warner(log);

  async function report(environment: RemoteEnvironment) {
    const { bytes, id } = documentOf(environment);
    const lock = options.lock?.() ?? null;
    const json = {
      pool_id: options.poolId,
      name: options.name,
      slots: options.slots,
      environment_id: id,
      models_loaded: options.modelsLoaded().slice(0, 200),
      ...(lock === null ? {} : { lock: wireLock(lock) }),
    };
    const ask = async () => readWorkerStatus(await server.call({ method: "PUT", path: base, json, totalMs: callMs }));
    let status = await ask();
    if (status.environment_wanted) {
      const body = { contentType: "application/json", source: () => bytes, bytes: bytes.byteLength };
      await server.call({ method: "PUT", path: `${base}/environment`, body, totalMs: describeMs });
      status = await ask();
    }
    reported = environment;
    reportedLock = lock;
    options.onPinned?.(status.lock_id ?? null);
    nextMs = clock.monotonicMs() + reportEveryMs;
    return status;
  }

  return {
    poolId(): PoolId {
      if (poolId === null) throw new Error("no report yet");
      return poolId;
    },
    forget() {
      nextMs = Number.NEGATIVE_INFINITY;
    },
    async upToDate(): Promise<boolean> {
      const environment = await options.environment();
      if (environment === null) return false;
      const isNew = environment !== reported || (options.lock?.() ?? null) !== reportedLock;
      if (isNew || clock.monotonicMs() >= nextMs) await report(environment);
      return true;
    },
    // Nothing before the first report, and a failure is left to the next one.
    async refresh(): Promise<void> {
      if (reported !== null) await report(reported).catch(() => this.forget());
    },
    // Null if stopped before the server answered. Throws if the server refuses for good.
    async first(signal: AbortSignal) {
      for (let misses = 0; !signal.aborted; ) {
        try {
          const environment = await options.environment();
          if (environment !== null) {
            const status = await report(environment);
            poolId = trustedId<"pool">(status.pool_id);
            return status;
          }
          misses += 1;
          // A runner that has just started to answer describes itself a moment later.
          if (misses > 1) warnOnce("The engine or application behind this worker does not answer.");
        } catch (error) {
          if (error instanceof ServerCallProblem && !error.isPassing) throw error;
          warnOnce(error instanceof Error ? error.message : String(error));
        }
        await clock.sleep(awayPauseMs, signal);
      }
      return null;
    },
  };
}
