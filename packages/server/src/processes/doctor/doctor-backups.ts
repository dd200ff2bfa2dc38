// Whether there is a good backup, and whether it is recent, as the history says.
import { type BackupHealth, type BackupHistoryDeps, backupHealth } from "../../capabilities/backup/index.ts";
import { sizeText } from "../../foundation/home/size-text.ts";
import { type Finding, problem, warning, well } from "./doctor-finding.ts";

export async function lookAtBackups(deps: BackupHistoryDeps): Promise<readonly Finding[]> {
  const health = await backupHealth(deps);
  return health === null ? [] : [backupFinding(health, deps.clock.now())];
}

export function backupFinding({ everySeconds, lastGood, newest, isLate }: BackupHealth, now: Date): Finding {
  const name = "backups";
  const good =
    lastGood === null ? "there is no verified backup" : `the last verified one is ${ago(lastGood.startedAt, now)} old`;
  const failed = newest?.state === "failed" || (newest?.state === "done" && newest.verifiedAt === null);
  const why = failed && newest.problem !== null ? `; the newest attempt: ${newest.problem}` : "";
  if (isLate) return problem(name, `${good}${why}`, "fix the reason, then run: atelier backup --keep 14");
  if (failed) return warning(name, `${good}${why}`, "fix the reason; it is tried again within ten minutes");
  if (everySeconds === null && lastGood === null)
    return well(name, "not scheduled; set ATELIER_BACKUP_EVERY, for example to 6h");
  const size = lastGood?.bytes == null ? "" : `, ${sizeText(lastGood.bytes)}`;
  return well(
    name,
    lastGood === null ? "the first one is about to be made" : `${good}${size}, in ${lastGood.location}`,
  );
}

function ago(at: Date, now: Date): string {
  const minutes = Math.max(0, Math.round((now.getTime() - at.getTime()) / 60_000));
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
