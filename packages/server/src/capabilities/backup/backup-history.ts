// The history of scheduled backups, for operators and monitoring: what was made, the last good one, and whether it is too old.
import type { Clock } from "../../foundation/clock.ts";
import type { Queryable } from "../../foundation/database/index.ts";
import type { Metrics } from "../../foundation/metrics.ts";
import { findFirstStart, findLastGood, findNewest, hasHistory, listBackups } from "./backup-history-store.ts";
import type { BackupRecord } from "./backup-record.ts";
import { dueAt } from "./keep-backups.ts";

export interface BackupSchedule {
  readonly everySeconds: number;
  readonly keep: number;
  // Without credentials.
  readonly location: string;
}

export interface BackupHistory {
  // Null if this process's settings have no schedule. A command may still make backups.
  readonly schedule: BackupSchedule | null;
  readonly lastGood: BackupRecord | null;
  // Null without a schedule, and while a backup is made.
  readonly nextAt: Date | null;
  // The last good one is too old.
  readonly isLate: boolean;
  // Newest first.
  readonly backups: readonly BackupRecord[];
}

export interface BackupHistoryDeps {
  readonly database: Queryable;
  readonly clock: Pick<Clock, "now">;
  readonly schedule: BackupSchedule | null;
}

const shownMax = 100;

export async function readHistory({ database, clock, schedule }: BackupHistoryDeps): Promise<BackupHistory> {
  const [backups, lastGood] = await Promise.all([listBackups(database, shownMax), findLastGood(database)]);
  const health = await backupHealth({ database, clock, schedule });
  const next = await nextAt({ database, clock, schedule });
  return { schedule, lastGood, nextAt: next, isLate: health?.isLate ?? false, backups };
}

async function nextAt({ database, clock, schedule }: BackupHistoryDeps): Promise<Date | null> {
  if (schedule === null) return null;
  const newest = await findNewest(database, schedule.location);
  if (newest?.state === "running") return null;
  return new Date(Math.max(dueAt(newest, schedule.everySeconds).getTime(), clock.now().getTime()));
}

export interface BackupHealth {
  // As the last run or the settings say. Null if backups were never scheduled.
  readonly everySeconds: number | null;
  readonly lastGood: BackupRecord | null;
  readonly newest: BackupRecord | null;
  // The last good one, or else the first attempt, is older than two intervals and an hour.
  readonly isLate: boolean;
}

export async function backupHealth({ database, clock, schedule }: BackupHistoryDeps): Promise<BackupHealth | null> {
  if (!(await hasHistory(database))) return null;
  const [lastGood, [newest = null], firstAt] = await Promise.all([
    findLastGood(database),
    listBackups(database, 1),
    findFirstStart(database),
  ]);
  const everySeconds = schedule?.everySeconds ?? newest?.everySeconds ?? null;
  const since = lastGood?.startedAt ?? firstAt;
  const lateMs = everySeconds === null ? Number.POSITIVE_INFINITY : (2 * everySeconds + 3_600) * 1000;
  return { everySeconds, lastGood, newest, isLate: since !== null && clock.now().getTime() - since.getTime() > lateMs };
}

// Every process reports the same, from the database.
export function registerBackupMetrics(metrics: Pick<Metrics, "gauge">, deps: BackupHistoryDeps): void {
  let looking: Promise<BackupHealth | null> | undefined;
  const health = () => {
    looking ??= backupHealth(deps).finally(() => {
      looking = undefined;
    });
    return looking;
  };
  metrics.gauge(
    "atelier_backup_interval_seconds",
    "How often backups are scheduled, or 0 if they are not.",
    async () => (await health())?.everySeconds ?? 0,
  );
  metrics.gauge(
    "atelier_backup_last_good_seconds",
    "When the last backup that was verified began, in Unix seconds; 0 if there is none.",
    async () => ((await health())?.lastGood?.startedAt.getTime() ?? 0) / 1000,
  );
  metrics.gauge(
    "atelier_backup_last_good_bytes",
    "The size of the last backup that was verified.",
    async () => (await health())?.lastGood?.bytes ?? 0,
  );
  metrics.gauge(
    "atelier_backup_is_late",
    "1 if the last good backup is older than two intervals and an hour, else 0.",
    async () => Number((await health())?.isLate ?? false),
  );
}
