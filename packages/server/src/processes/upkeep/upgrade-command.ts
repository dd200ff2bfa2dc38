// `atelier upgrade`: says what an upgrade will change, goes back to the backup made before it, and moves the embedded database to
// another major version of PostgreSQL. The upgrade itself is a start of the new program, or `atelier migrate`.
import { join, resolve } from "node:path";
import {
  changePostgres,
  checkUpgrade,
  type FirstBackup,
  findWayBack,
  goBack,
  lossText,
  refusedAsUsage,
  whatIsLost,
  workFolderOf,
} from "../../capabilities/backup/index.ts";
import type { Config } from "../../config.ts";
import { systemClock } from "../../foundation/clock.ts";
import { migrationsDirectory } from "../../foundation/database/opening/migrations-directory.ts";
import { findRunningServer } from "../../foundation/home/server-note.ts";
import { createLog } from "../../foundation/log.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { type Command, type CommandResult, readCommand } from "../commands/command.ts";
import { type CommandParts, withinProcess } from "../commands/within-process.ts";
import { allInvariants } from "../invariants.ts";
import { serverVersion } from "../server-version.ts";

export const upgradeCommand: Command = {
  async run(listed, input) {
    const { config, words, options } = readCommand(listed, input);
    const [named] = words;
    if (options["back"] === true && options["postgres"] === true)
      throw new UsageProblem(["Give --back or --postgres, but not both."]);
    if (named !== undefined && options["back"] !== true) throw new UsageProblem(["A backup is named for --back only."]);
    return refusedAsUsage(async () => {
      if (options["postgres"] === true) return movePostgres(config, options["old-postgres"]);
      return withinProcess<CommandResult>(config, (parts) =>
        options["back"] === true
          ? back(config, parts, { named, isSure: options["yes"] === true })
          : checkUpgrade(parts.storage, config, serverVersion),
      );
    });
  },
};

async function movePostgres(config: Config, folder: unknown): Promise<CommandResult> {
  if (config.databaseUrl !== null)
    throw new UsageProblem(["--postgres is for the embedded database; DATABASE_URL is set."]);
  const log = createLog({ level: config.logLevel === "info" ? "warn" : config.logLevel });
  const oldPrograms = typeof folder === "string" ? resolve(folder) : null;
  const data = await changePostgres({ home: config.home, oldPrograms, log, invariants: allInvariants });
  if (!data.changed) return { data, text: `Nothing to do: the database is of PostgreSQL ${data.major} already.` };
  const text = [
    `The database moved from PostgreSQL ${data.from} to ${data.to}; every invariant holds. Start the server.`,
    `The old folder is still there: remove ${data.kept} when you no longer need it. A backup is in ${data.backup}.`,
  ];
  return { data, text: text.join("\n") };
}

interface Wanted {
  readonly named: string | undefined;
  readonly isSure: boolean;
}

async function back(config: Config, { storage, log }: CommandParts, { named, isSure }: Wanted): Promise<CommandResult> {
  const home = resolve(config.home);
  const folder = join(home, "backups");
  const backup = await findWayBack(folder, named, systemClock.now());
  const { directory } = backup;
  const lost = await whatIsLost(storage.database, directory);
  if (!isSure) {
    const problem = "Nothing was changed. Run it again with --yes to go back.";
    return { data: { backup: dataOf(backup), lost }, text: lossText(backup, lost), exitCode: 2, problem };
  }
  if ((await findRunningServer(home)) !== null) throw new UsageProblem(["Stop the server first."]);
  await storage.database.close();
  const { connection } = storage;
  const work = { folder, workFolder: workFolderOf(home), now: systemClock.now(), log };
  const went = await goBack({
    connection,
    directory,
    migrations: migrationsDirectory,
    invariants: allInvariants,
    ...work,
  });
  const text = [
    `The database is at version ${went.version} again, as of ${backup.createdAt.toISOString()} (${went.rows} rows).`,
    "Start the older program now: this one would migrate it again.",
    `What was replaced is in ${went.replaced}; the newer program can restore it.`,
  ];
  return { data: { backup: dataOf(backup), lost, ...went }, text: text.join("\n") };
}

const dataOf = ({ name, directory, version, createdAt }: FirstBackup) => ({
  name,
  directory,
  version,
  made_at: createdAt.toISOString(),
});
