// What processes that start workers (scalers) want to know, and what operators want to know about them. A scaler reports in one
// call that waits until the wanted number changes: submissions wake it, and a look every second finds changes that no wake-up announced.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { parseId } from "../../foundation/ids.ts";
import type { PoolId } from "../jobs/index.ts";
import { countUnfinishedJobs } from "../jobs/shared-sql.ts";
import type { Deployment, DeploymentId } from "./deployment.ts";
import type { PoolScaler } from "./pool-scaler.ts";
import { deleteForgottenScalers, findScalers, upsertScaler } from "./pool-scaler-store.ts";
import { jobsThatMatter, wantedWorkers } from "./wanted-workers.ts";

export interface ScalerReport
  extends Pick<PoolScaler, "id" | "name" | "running" | "starting" | "draining" | "failure"> {
  readonly poolId: PoolId;
  readonly tokenId: string;
  // Null: the deployment's own, or the usual ones without a deployment.
  readonly workersMin: number | null;
  readonly workersMax: number | null;
  readonly jobsPerWorker: number | null;
  readonly idleSeconds: number;
  // The number it follows now. Null: none yet.
  readonly knownWanted: number | null;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

export interface ScalerAnswer extends Pick<PoolScaler, "workersMin" | "workersMax" | "workersWanted"> {
  readonly unfinishedJobs: number;
}

export interface PoolScaling {
  // Answers when the wanted number differs from the one it knows, or the time is up.
  report(report: ScalerReport): Promise<ScalerAnswer>;
  // Those that reported within a minute.
  scalers(poolId: PoolId): Promise<readonly PoolScaler[]>;
  // Something may have changed the wanted number of this pool.
  news(poolId: PoolId): void;
  forget(): Promise<void>;
}

export interface PoolScalingDeps {
  readonly database: Database;
  readonly clock: Clock;
  find(id: DeploymentId): Promise<Deployment | null>;
}

const lookEveryMs = 1_000;
const presentSeconds = 60;
const forgetSeconds = 7 * 86_400;
const defaults = { workersMin: 0, workersMax: 1, jobsPerWorker: 1, stoppedAt: null, askedAt: null };

export function createPoolScaling({ database, clock, find }: PoolScalingDeps): PoolScaling {
  const waiting = new Map<PoolId, Set<() => void>>();

  async function look(report: ScalerReport): Promise<ScalerAnswer> {
    const id = parseId<"deployment">(report.poolId);
    const own = (id === null ? null : await find(id)) ?? defaults;
    const workersMax = report.workersMax ?? own.workersMax;
    const rules = {
      ...own,
      workersMin: Math.min(report.workersMin ?? own.workersMin, workersMax),
      workersMax,
      jobsPerWorker: report.jobsPerWorker ?? own.jobsPerWorker,
    };
    const asked = [{ poolId: report.poolId, bound: jobsThatMatter(rules) + 1 }];
    const unfinishedJobs = (await countUnfinishedJobs(database, asked)).get(report.poolId) ?? 0;
    const workersWanted = wantedWorkers(rules, unfinishedJobs, clock.now(), report.idleSeconds);
    return { workersMin: rules.workersMin, workersMax, workersWanted, unfinishedJobs };
  }

  async function pause(poolId: PoolId, ms: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const wake = () => woken.abort();
    const others = waiting.get(poolId) ?? new Set();
    waiting.set(poolId, others.add(wake));
    await clock.sleep(ms, AbortSignal.any([woken.signal, signal]));
    others.delete(wake);
    if (others.size === 0) waiting.delete(poolId);
  }

  return {
    async report(report) {
      const untilMs = clock.monotonicMs() + report.waitMs;
      let written = false;
      for (;;) {
        const answer = await look(report);
        const leftMs = untilMs - clock.monotonicMs();
        const isOver = answer.workersWanted !== report.knownWanted || leftMs <= 0 || report.signal.aborted;
        if (!written || isOver) await upsertScaler(database, { ...report, ...answer });
        written = true;
        if (isOver) return answer;
        await pause(report.poolId, Math.min(leftMs, lookEveryMs), report.signal);
      }
    },
    scalers: (poolId) => findScalers(database, poolId, presentSeconds),
    news(poolId) {
      for (const wake of waiting.get(poolId) ?? []) wake();
    },
    forget: () => deleteForgottenScalers(database, forgetSeconds),
  };
}
