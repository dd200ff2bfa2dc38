// Whether there is a good backup, and whether it is recent, as the history says.

import { sizeText } from "../../foundation/home/size-text.ts";
import { ageText } from "../../foundation/looks/age-text.ts";
import { type Finding, problem, warning, well } from "../../foundation/looks/finding.ts";
import { type BackupHealth, type BackupHistoryDeps, backupHealth } from "./backup-history.ts";

export async function lookAtBackups(deps: BackupHistoryDeps): Promise<readonly Finding[]> {
  const health = await backupHealth(deps);
  return health === null ? [] : [backupFinding(health, deps.clock.now())];
}

export function backupFinding({ everySeconds, lastGood, newest, isLate }: BackupHealth, now: Date): Finding {
  const name = "backups";
  const good =
    lastGood === null
      ? "there is no verified backup"
      : `the last verified one is ${ageText(now.getTime() - lastGood.startedAt.getTime())} old`;
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
