// `atelier backup` and `atelier restore`: one snapshot of the database, and a restore that ends by checking every invariant.
// Secrets are not included: keep the key ring file elsewhere.
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  backUp,
  isObjectAddress,
  openDepot,
  refusedAsUsage,
  restore,
  workFolderOf,
} from "../../capabilities/backup/index.ts";
import { backupBlobs, openBlobs } from "../../capabilities/blobs/index.ts";
import type { Config } from "../../config.ts";
import { migrationsDirectory } from "../../foundation/database/opening/migrations-directory.ts";
import { sizeText } from "../../foundation/home/size-text.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { allInvariants } from "../invariants.ts";
import { backUpNow, backUpRepeatedly, readPlan } from "../upkeep/repeated-backup.ts";
import { type Command, type CommandInput, type CommandResult, readCommand } from "./command.ts";
import { withinAnyHome, withinProcess } from "./within-process.ts";

export const backupCommand: Command = {
  async run(listed, input) {
    const { config, words, options } = readCommand(listed, input);
    const plan = readPlan(config, words, options);
    if (plan === null) return backUpOnce(config, words[0], input);
    return plan.everySeconds === null
      ? refusedAsUsage(() => backUpNow(config, plan))
      : backUpRepeatedly(config, plan, input);
  },
};

async function backUpOnce(config: Config, folder: string | undefined, input: CommandInput): Promise<CommandResult> {
  return withinProcess(config, async ({ storage, log }) => {
    const stamp = new Date().toISOString().replace(/[-:]/g, "").slice(0, 15);
    const directory = resolve(folder ?? join(config.home, "backups", stamp));
    input.say(`Backing up to ${directory} …`);
    const report = await refusedAsUsage(async () =>
      backUp({ connection: storage.connection, directory, blobs: backupBlobs(await openBlobs(config)), log }),
    );
    const text = [
      `${report.rows} rows of ${report.tables} tables, ${sizeText(report.fileBytes)}, schema version ${report.schemaVersion}: ${report.directory}`,
      blobsText(report),
      `The backup does not contain the key ring. Keep a copy of ${config.secretsFile ?? join(config.home, "secrets.json")} somewhere else.`,
    ].join("\n");
    return { data: report, text };
  });
}

export const restoreCommand: Command = {
  async run(listed, input) {
    const { config, words } = readCommand(listed, input);
    const [from = ""] = words;
    return withinAnyHome(config, async ({ storage, log }) => {
      const report = await refusedAsUsage(() =>
        withBackup(config, from, async (directory) =>
          restore({
            connection: storage.connection,
            directory,
            migrations: migrationsDirectory,
            blobs: backupBlobs(await openBlobs(config)),
            invariants: allInvariants,
            log,
          }),
        ),
      );
      const broken = report.invariants.filter((invariant) => invariant.broken > 0);
      const text = [
        `Restored ${report.rows} rows of ${report.tables} tables; the database is at version ${report.version}.`,
        broken.length === 0
          ? `All ${report.invariants.length} invariants hold.`
          : broken.map((invariant) => `✕ ${invariant.name}: ${invariant.broken} row(s)`).join("\n"),
        `Copy the old data folder's key ring to ${config.secretsFile ?? join(config.home, "secrets.json")} before you start the server.`,
      ].join("\n");
      return {
        data: report,
        text,
        ...(broken.length > 0 ? { exitCode: 12, problem: `${broken.length} invariant(s) do not hold.` } : {}),
      };
    });
  },
};

// One in a store is copied into the data folder for the time of the restore.
async function withBackup<T>(config: Config, from: string, run: (directory: string) => Promise<T>): Promise<T> {
  if (!isObjectAddress(from)) return run(resolve(from));
  const [, to = "", name = "", options = ""] = /^(s3:\/\/[^?]+)\/([^/?]+)(\?.*)?$/.exec(from) ?? [];
  if (name === "") throw new UsageProblem([`${from} must name one backup: s3://<bucket>/<prefix>/<backup>.`]);
  const depot = await openDepot(config, `${to}${options}`);
  const directory = join(workFolderOf(resolve(config.home)), `restore-${randomBytes(4).toString("hex")}`);
  try {
    await depot.fetch(name, directory);
    return await run(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

// Files are most of the data, so the first question is whether they are included and how large they are.
function blobsText({ blobs, blobBytes }: { readonly blobs: number; readonly blobBytes: number }): string {
  return blobs === 0 ? "No files were stored." : `${blobs} ${blobs === 1 ? "file" : "files"}, ${sizeText(blobBytes)}.`;
}
