import { type Backup, type BackupList, operations } from "@atelier/contract";
import type { NewAuditEntry } from "../../../capabilities/audit/index.ts";
import type { BackupHistory, BackupRecord } from "../../../capabilities/backup/index.ts";
import { type AdminCaller, actingAsAdmin } from "../../../capabilities/tokens/index.ts";
import { type Route, route } from "../../../foundation/http/area.ts";
import { freshAnswer } from "../fresh-answer.ts";

export interface BackupsDeps {
  readBackups(): Promise<BackupHistory>;
  // Returns once it has begun. Throws conflict while another one is made.
  beginBackup(by: Pick<NewAuditEntry, "actor" | "requestId">): Promise<BackupRecord>;
}

export function beginBackupRoute({ beginBackup }: BackupsDeps): Route<AdminCaller> {
  return route(operations.beginBackup, async ({ caller, requestId }) =>
    freshAnswer(202, present(await beginBackup(actingAsAdmin(caller, requestId)))),
  );
}

export function listBackupsRoute({ readBackups }: BackupsDeps): Route<AdminCaller> {
  return route(operations.listBackups, async () => {
    const { schedule, lastGood, nextAt, isLate, backups } = await readBackups();
    const list: BackupList = {
      schedule:
        schedule === null
          ? null
          : { every_seconds: schedule.everySeconds, keep: schedule.keep, location: schedule.location },
      last_good: lastGood === null ? null : present(lastGood),
      next_at: nextAt?.toISOString() ?? null,
      is_late: isLate,
      data: backups.map(present),
    };
    return freshAnswer(200, list);
  });
}

function present(backup: BackupRecord): Backup {
  const { id, name, location, bytes, problem } = backup;
  return {
    id,
    name,
    location,
    status: statusOf(backup),
    started_at: backup.startedAt.toISOString(),
    ended_at: backup.endedAt?.toISOString() ?? null,
    verified_at: backup.verifiedAt?.toISOString() ?? null,
    removed_at: backup.removedAt?.toISOString() ?? null,
    bytes,
    rows: backup.rowCount,
    blobs: backup.blobCount,
    schema_version: backup.schemaVersion,
    problem,
  };
}

function statusOf({ state, verifiedAt }: BackupRecord): Backup["status"] {
  if (state !== "done") return state;
  return verifiedAt === null ? "unverified" : "verified";
}
