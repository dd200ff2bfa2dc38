// `atelier backups`: what the server backed up, whether each backup is good, when the next one is due; and one more, now.
import type { CommandResult } from "@atelier/server/commands";
import { sizeText } from "../terminal/progress-line.ts";
import { type Asked, asOperator, readAnswer } from "./over-http.ts";

interface Backup {
  readonly name: string;
  readonly location: string;
  readonly status: "running" | "verified" | "unverified" | "failed";
  readonly started_at: string;
  readonly removed_at: string | null;
  readonly bytes: number | null;
  readonly problem: string | null;
}

interface BackupList {
  readonly schedule: { readonly every_seconds: number; readonly keep: number; readonly location: string } | null;
  readonly last_good: Backup | null;
  readonly next_at: string | null;
  readonly data: readonly Backup[];
}

export const backupsCommand = asOperator({ ls: list, now: begin });

async function begin({ atelier }: Asked): Promise<CommandResult> {
  const begun = await readAnswer<Backup>(atelier.request("/admin/backups", { method: "POST" }));
  const text = `Began ${begun.name} in ${begun.location}. See how it ends: atelier backups ls`;
  return { data: begun, text };
}

async function list({ atelier }: Asked): Promise<CommandResult> {
  const history = await readAnswer<BackupList>(atelier.request("/admin/backups"));
  return {
    data: history,
    text: {
      columns: ["began", "status", "size", "name", "location", "problem"],
      rows: history.data.map((each) => [
        new Date(each.started_at),
        each.removed_at === null ? each.status : `${each.status}, removed`,
        each.bytes === null ? null : sizeText(each.bytes),
        each.name,
        each.location,
        each.problem,
      ]),
      empty: "No backup was scheduled yet. Set ATELIER_BACKUP_EVERY, or run: atelier backup --every 6h",
    },
    afterwards: afterwards(history),
  };
}

function afterwards({ last_good, next_at }: BackupList): string {
  const good = last_good === null ? "There is no verified backup." : `Last good: ${last_good.started_at}.`;
  return next_at === null ? good : `${good} Next: ${next_at}.`;
}
