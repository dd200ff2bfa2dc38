// `atelier backup` with --every, --keep or --to: verified backups, older ones removed, once or until the command is stopped.

import { everySecondsOf, everyShape } from "../../backup-settings.ts";
import type { BackupRecord } from "../../capabilities/backup/index.ts";
import { type BackupPlan, depotName, prepareSchema } from "../../capabilities/backup/index.ts";
import type { Config } from "../../config.ts";
import { systemClock } from "../../foundation/clock.ts";
import { openStorage } from "../../foundation/database/opening/open-storage.ts";
import { sizeText } from "../../foundation/home/size-text.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import type { CommandInput, CommandResult } from "../commands/command.ts";
import { stayRunning } from "../commands/stay-running.ts";
import { withinProcess } from "../commands/within-process.ts";
import { buildBackups } from "./build-backups.ts";

// Null for a plain backup into a new folder.
export function readPlan(
  config: Pick<Config, "backupKeep" | "backupTo">,
  words: readonly string[],
  options: Readonly<Record<string, unknown>>,
): BackupPlan | null {
  const { every, keep, to } = options;
  if (every === undefined && keep === undefined && to === undefined) return null;
  const problems: string[] = [];
  if (words.length > 0) problems.push("Name a folder, or give --every, --keep or --to, but not both.");
  const everySeconds = every === undefined ? null : everySecondsOf(String(every));
  if (every !== undefined && everySeconds === null) problems.push(`--every must be ${everyShape}.`);
  const count = keep === undefined ? config.backupKeep : Number(keep);
  if (!Number.isInteger(count) || count < 1) problems.push("--keep must be a whole number above 0.");
  if (problems.length > 0) throw new UsageProblem(problems);
  return { everySeconds, keep: count, to: to === undefined ? config.backupTo : String(to) };
}

export function backUpNow(config: Config, plan: BackupPlan): Promise<CommandResult> {
  return withinProcess(config, async ({ storage, log }) => {
    await prepareSchema(storage, { config, log });
    const keeping = await buildBackups({ config, storage, clock: systemClock, log }, plan);
    const made = await keeping.makeNow();
    const data = dataOf(made);
    if (made.state === "failed") return { data, text: "", exitCode: 12, problem: made.problem ?? "The backup failed." };
    const size = made.bytes === null ? "" : `, ${sizeText(made.bytes)}`;
    const text = `${made.name} in ${made.location}: ${made.rowCount} rows, ${made.blobCount} files${size}`;
    if (made.verifiedAt === null) return { data, text, exitCode: 12, problem: made.problem ?? "It is not verified." };
    return { data, text: [`${text}; restored and verified.`, made.problem ?? ""].join("\n").trimEnd() };
  });
}

const lookEveryMs = 30_000;

export function backUpRepeatedly(config: Config, plan: BackupPlan, input: CommandInput): Promise<CommandResult> {
  return stayRunning(config.logLevel, input, async (life, log) => {
    const storage = await openStorage({ config, life, log });
    await prepareSchema(storage, { config, log });
    const keeping = await buildBackups({ config, storage, clock: systemClock, log }, plan);
    const round = (signal: AbortSignal) => keeping.round(signal);
    life.repeat({ name: "backups: make the next one", everyMs: lookEveryMs, round });
    const depot = depotName(config, plan.to);
    return {
      data: { every_seconds: plan.everySeconds, keep: plan.keep, to: depot },
      text: `ready: a backup every ${(plan.everySeconds ?? 0) / 60} minutes to ${depot}, the newest ${plan.keep} kept. Stop with Ctrl-C.`,
    };
  });
}

const dataOf = (made: BackupRecord) => ({
  name: made.name,
  to: made.location,
  state: made.state,
  started_at: made.startedAt.toISOString(),
  verified_at: made.verifiedAt?.toISOString() ?? null,
  rows: made.rowCount,
  blobs: made.blobCount,
  bytes: made.bytes,
  problem: made.problem,
});
