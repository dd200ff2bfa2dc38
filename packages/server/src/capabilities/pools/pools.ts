// Who works for a pool and what its workers can run. Reports are rare: one every few seconds per worker.
import type { Background } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Acting, ChangeAudit } from "../../foundation/database/acting.ts";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { Fault, orNotFound } from "../../foundation/fault.ts";
import type { Id } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import type { PoolId, WorkerId } from "../jobs/index.ts";
import type { PoolEnvironment } from "./awaited-worker.ts";
import { hashEnvironment, type NodeClassDescriptions, type WorkerEnvironment } from "./environment.ts";
import { ClassesByPool, noClasses, type PoolClasses, packDescriptions } from "./pool-classes.ts";
import { keptEnvironments, presentSeconds, readEnvironments } from "./pool-environments.ts";
import {
  deleteForgotten,
  findEnvironment,
  findLoadedModels,
  findPresent,
  findWorkerStatus,
  insertEnvironment,
  markLeft,
  setDraining,
  touchWorker,
  upsertWorker,
  type WorkerRecord,
} from "./pool-store.ts";
import type { PoolWorker, ReportedWorker, WorkerStatus } from "./pool-worker.ts";

export interface ReportedBy {
  // Null for a worker of our own.
  readonly tokenId: Id<"worker-token"> | null;
  // Identifies the document that says what it can run, sent with `describe`.
  readonly environmentId: Buffer;
}

export interface Pools {
  // A worker reports that it is present. Throws conflict if the id belongs to another token.
  report(worker: ReportedWorker, by?: ReportedBy): Promise<void>;
  // The worker is still present.
  seen(workerId: WorkerId, modelsLoaded: readonly string[] | null): Promise<void>;
  leave(workerId: WorkerId): Promise<void>;
  // Whether the worker takes no more jobs. At most two seconds old.
  isDraining(workerId: WorkerId): Promise<boolean>;
  // The worker takes no more jobs, or takes them again. Throws not_found.
  setDraining(worker: { workerId: WorkerId; poolId: PoolId }, isDraining: boolean, by: Acting): Promise<void>;
  // Workers seen within a minute that have not left.
  present(poolId: PoolId): Promise<readonly PoolWorker[]>;
  // Models that the present workers of all pools have loaded.
  loadedModels(): Promise<readonly string[]>;
  // Null if no worker has reported under this id.
  statusOf(workerId: WorkerId): Promise<WorkerStatus | null>;
  // Null if the environment is unknown.
  environment(id: Buffer): Promise<WorkerEnvironment | null>;
  // Stores the class descriptions of an environment, for the checks at submission.
  describe(id: Buffer, environment: WorkerEnvironment, descriptions: NodeClassDescriptions): Promise<void>;
  // At most a second old.
  classesOf(poolId: PoolId): Promise<PoolClasses>;
  // The same as last read, without waiting. Empty before the first read is done.
  classesNow(poolId: PoolId): PoolClasses;
  // All remembered environments, at most a second old, and whether a worker of each is present.
  environments(poolId: PoolId): Promise<readonly PoolEnvironment[]>;
  // Forgets workers that have been gone for long, until the signal fires.
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export interface PoolsDeps {
  readonly database: Database;
  // Records who drained a worker, in the change's own transaction.
  readonly audit: ChangeAudit;
  readonly clock: Clock;
  readonly log: Log;
  // Whether the token is neither revoked nor expired, as its owner says.
  isTokenUsable(id: Id<"worker-token">): Promise<boolean>;
}

const drainingKeptMs = 2_000;
const forgetSeconds = 7 * 86_400;
const forgetEveryMs = 3_600_000;

export function createPools({ database, clock, log, audit, isTokenUsable }: PoolsDeps): Pools {
  const draining = new TtlCache<WorkerId, boolean>({ clock, keepMs: drainingKeptMs, entriesMax: 1_000 });
  const classes = new ClassesByPool({ database, clock });
  const classesOf = async (poolId: PoolId): Promise<PoolClasses> => {
    const known = classes.isFresh(poolId) ? classes.last(poolId) : null;
    return known ?? classes.read(poolId);
  };
  const environments = keptEnvironments({ database, clock, classesOf });
  return {
    async report(worker, by) {
      const environmentId = by?.environmentId ?? hashEnvironment(worker.environment);
      if (!by)
        await insertEnvironment(database, { id: environmentId, environment: worker.environment, descriptions: null });
      const record = { ...worker, environmentId, tokenId: by?.tokenId ?? null };
      const isOwn = (await upsertWorker(database, record)) || (await takeOver({ database, isTokenUsable }, record));
      if (!isOwn) throw new Fault("conflict", "This worker id is registered with another worker token.");
      classes.age([worker.poolId]);
      environments.forget(worker.poolId);
    },
    seen: (workerId, modelsLoaded) => touchWorker(database, workerId, modelsLoaded),
    leave: (workerId) => markLeft(database, workerId),
    async isDraining(workerId) {
      const known = draining.get(workerId);
      if (known !== undefined) return known;
      const isDraining = (await findWorkerStatus(database, workerId))?.isDraining ?? false;
      draining.set(workerId, isDraining);
      return isDraining;
    },
    async setDraining(worker, isDraining, by) {
      await database.transaction(async (tx) => {
        const changed = orNotFound(await setDraining(tx, worker, isDraining), "This pool has no such worker.");
        if (changed.wasDraining === isDraining) return;
        await audit.append(tx, {
          ...by,
          action: isDraining ? "worker.drain" : "worker.resume",
          subject: { kind: "worker", id: worker.workerId },
          workspaceId: null,
          before: { draining: changed.wasDraining },
          after: { draining: isDraining },
        });
      });
      draining.delete(worker.workerId);
      environments.forget(worker.poolId);
    },
    loadedModels: () => findLoadedModels(database, presentSeconds),
    present: (poolId) => presentWorkers(database, poolId),
    statusOf: (workerId) => findWorkerStatus(database, workerId),
    environment: (id) => findEnvironment(database, id),
    async describe(id, environment, descriptions) {
      await insertEnvironment(database, { id, environment, descriptions: await packDescriptions(descriptions) });
      classes.age();
    },
    classesOf,
    environments: (poolId) => environments.of(poolId),
    classesNow(poolId) {
      const known = classes.last(poolId);
      if (!classes.isFresh(poolId))
        classes.read(poolId).catch((err: unknown) => log.warn({ err }, "node classes could not be read"));
      return known ?? noClasses;
    },
    run(background, signal) {
      const round = () => deleteForgotten(database, forgetSeconds);
      const work = { name: "pools: forget workers that are gone", role: "background", everyMs: forgetEveryMs } as const;
      return background.run({ ...work, round }, signal);
    },
  };
}

// Workers seen within a minute that have not left.
export function presentWorkers(db: Queryable, poolId: PoolId): Promise<PoolWorker[]> {
  return findPresent(db, poolId, presentSeconds);
}

// For one-off lookups. Leaves out the weight files.
export function environmentsOf(db: Queryable, poolId: PoolId): Promise<readonly PoolEnvironment[]> {
  return readEnvironments({ database: db, classesOf: async () => noClasses }, poolId);
}

// A worker id moves to another token if its old token no longer works. Such a token never works again, so the answer is
// still true when we write the row; and the row is written only if it still names the token we asked about.
async function takeOver(
  { database, isTokenUsable }: Pick<PoolsDeps, "database" | "isTokenUsable">,
  record: WorkerRecord,
): Promise<boolean> {
  const before = await findWorkerStatus(database, record.workerId);
  if (before?.tokenId && (await isTokenUsable(before.tokenId))) return false;
  return upsertWorker(database, record, before?.tokenId ?? null);
}
