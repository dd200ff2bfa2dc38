// Who works for a pool and what its workers can run. Reports are few (one in some seconds of each worker), reads are kept
// for a moment, and the parsed node classes are one object for as long as nothing changes, so that whoever derives
// something from them can keep it beside them.

import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Background } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Id } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import type { PoolId, WorkerId } from "../jobs/index.ts";
import { environmentIdOf, type NodeClassDescriptions, type WorkerEnvironment } from "./environment.ts";
import { mergeDescriptions, modelsIn } from "./merge-descriptions.ts";
import {
  deleteForgotten,
  findEnvironment,
  findPresent,
  findStanding,
  insertEnvironment,
  listEnvironments,
  markLeft,
  readDescriptions,
  touchWorker,
  upsertWorker,
} from "./pool-store.ts";
import type { PoolWorker, ReportedWorker, WorkerStanding } from "./pool-worker.ts";

export interface PoolClasses {
  // By class; of the environments of all workers that the pool has had within a day. Frozen, and the same object while
  // nothing changes.
  readonly descriptions: NodeClassDescriptions;
  // By the hexadecimal id of an environment: files of weights that others of the pool have and it has not.
  readonly modelsLacking: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface ReportedBy {
  readonly tokenId: Id<"worker-token">;
  // The document that says what it can run, brought by `describe`.
  readonly environmentId: Buffer;
}

export interface Pools {
  // A worker is here. Throws conflict when the id belongs to another token.
  report(worker: ReportedWorker, by?: ReportedBy): Promise<void>;
  // Still here.
  seen(workerId: WorkerId, modelsLoaded: readonly string[] | null): Promise<void>;
  leave(workerId: WorkerId): Promise<void>;
  // Those that were seen within a minute and have not left.
  present(poolId: PoolId): Promise<readonly PoolWorker[]>;
  // Null: nobody has reported under this id.
  standingOf(workerId: WorkerId): Promise<WorkerStanding | null>;
  // What one environment is; null: nobody has brought it.
  environment(id: Buffer): Promise<WorkerEnvironment | null>;
  // What the classes of an environment look like, for the checks at submission.
  describe(id: Buffer, environment: WorkerEnvironment, descriptions: NodeClassDescriptions): Promise<void>;
  // As of now or a second ago.
  classesOf(poolId: PoolId): Promise<PoolClasses>;
  // The same as last read, without waiting; nothing before the first read has come.
  classesNow(poolId: PoolId): PoolClasses;
  // Forgets workers that are gone for long, until the signal fires.
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export interface PoolsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

const presentSeconds = 60;
const knownSeconds = 86_400;
const forgetSeconds = 7 * 86_400;
const forgetEveryMs = 3_600_000;
const freshMs = 1_000;
const noClasses: PoolClasses = Object.freeze({ descriptions: Object.freeze({}), modelsLacking: new Map() });

const compress = promisify(gzip);
const expand = promisify(gunzip);

interface Kept {
  readonly key: string;
  readonly classes: PoolClasses;
  readonly untilMs: number;
}

export function createPools({ database, clock, log }: PoolsDeps): Pools {
  const kept = new Map<PoolId, Kept>();
  const reading = new Map<PoolId, Promise<PoolClasses>>();

  async function readClasses(poolId: PoolId): Promise<PoolClasses> {
    const ids = await listEnvironments(database, poolId, knownSeconds);
    const key = ids.map((id) => id.toString("hex")).join(" ");
    const before = kept.get(poolId);
    const classes = before?.key === key ? before.classes : await loadClasses(ids);
    kept.set(poolId, { key, classes, untilMs: clock.monotonicMs() + freshMs });
    return classes;
  }

  async function loadClasses(ids: readonly Buffer[]): Promise<PoolClasses> {
    if (ids.length === 0) return noClasses;
    const stored = await readDescriptions(database, ids);
    const byId = new Map<string, NodeClassDescriptions>();
    for (const id of ids) {
      const packed = stored.get(id.toString("hex"));
      if (packed === undefined) continue;
      const parsed: unknown = JSON.parse((await expand(packed)).toString("utf8"));
      if (typeof parsed === "object" && parsed !== null) byId.set(id.toString("hex"), { ...parsed });
    }
    return Object.freeze({
      descriptions: Object.freeze(mergeDescriptions([...byId.values()])),
      modelsLacking: lackingOf(new Map([...byId].map(([id, descriptions]) => [id, modelsIn(descriptions)]))),
    });
  }

  function readOnce(poolId: PoolId): Promise<PoolClasses> {
    let read = reading.get(poolId);
    if (!read) {
      read = readClasses(poolId).finally(() => reading.delete(poolId));
      reading.set(poolId, read);
    }
    return read;
  }

  // Read again when it is next asked for.
  function aged(poolId: PoolId): void {
    const known = kept.get(poolId);
    if (known) kept.set(poolId, { ...known, untilMs: Number.NEGATIVE_INFINITY });
  }

  const isFresh = (one: Kept | undefined): one is Kept => one !== undefined && one.untilMs > clock.monotonicMs();

  return {
    async report(worker, by) {
      const environmentId = by?.environmentId ?? environmentIdOf(worker.environment);
      if (!by)
        await insertEnvironment(database, { id: environmentId, environment: worker.environment, descriptions: null });
      const isOwn = await upsertWorker(database, { ...worker, environmentId, tokenId: by?.tokenId ?? null });
      if (!isOwn) throw new Fault("conflict", "This worker id belongs to another worker token.");
      aged(worker.poolId);
    },
    seen: (workerId, modelsLoaded) => touchWorker(database, workerId, modelsLoaded),
    leave: (workerId) => markLeft(database, workerId),
    present: (poolId) => findPresent(database, poolId, presentSeconds),
    standingOf: (workerId) => findStanding(database, workerId),
    environment: (id) => findEnvironment(database, id),
    async describe(id, environment, descriptions) {
      const packed = await compress(Buffer.from(JSON.stringify(descriptions)));
      await insertEnvironment(database, { id, environment, descriptions: packed });
      for (const poolId of [...kept.keys()]) aged(poolId);
    },
    async classesOf(poolId) {
      const known = kept.get(poolId);
      return isFresh(known) ? known.classes : readOnce(poolId);
    },
    classesNow(poolId) {
      const known = kept.get(poolId);
      if (!isFresh(known))
        readOnce(poolId).catch((err: unknown) => log.warn({ err }, "node classes could not be read"));
      return known?.classes ?? noClasses;
    },
    run(background, signal) {
      const round = () => deleteForgotten(database, forgetSeconds);
      return background.run({ name: "pools: forget workers that are gone", everyMs: forgetEveryMs, round }, signal);
    },
  };
}

function lackingOf(models: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Set([...models.values()].flatMap((each) => [...each]));
  return new Map([...models].map(([id, own]) => [id, new Set([...all].filter((name) => !own.has(name)))]));
}
