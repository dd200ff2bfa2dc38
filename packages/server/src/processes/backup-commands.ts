// `atelier backup` and `atelier restore`: one snapshot of the database, and a restore that ends with every invariant
// checked. Secrets stay apart: keep the key ring file elsewhere.
import { join, resolve } from "node:path";
import { BackupRefused, backUp, restore } from "../capabilities/backup/index.ts";
import { type Command, readCommand, UsageProblem } from "./command.ts";
import { allInvariants } from "./invariants.ts";
import { migrationsDirectory } from "./open-storage.ts";
import { withinProcess } from "./within-process.ts";

export const backupCommand: Command = {
  name: "backup",
  about: "Write a backup of the database into a new folder, while the server runs.",
  usage: "backup [folder]",
  examples: ["atelier backup", "atelier backup /mnt/backups/monday"],
  options: {},
  async run(input) {
    const { config, positionals } = readCommand(backupCommand, input);
    return withinProcess(config, async ({ storage, log }) => {
      const stamp = new Date().toISOString().replace(/[-:]/g, "").slice(0, 15);
      const directory = resolve(positionals[0] ?? join(config.home, "backups", stamp));
      input.say(`Backing up to ${directory} …`);
      const report = await refusedAsUsage(() => backUp({ connection: storage.connection, directory, log }));
      const text = [
        `${report.rows} rows of ${report.tables} tables, ${report.fileBytes} bytes, schema version ${report.schemaVersion}: ${report.directory}`,
        `The key ring is not in it. Keep a copy of ${config.secretsFile ?? join(config.home, "secrets.json")} in another place.`,
      ].join("\n");
      return { data: report, text };
    });
  },
};

export const restoreCommand: Command = {
  name: "restore",
  about: "Load a backup into an empty home or database, then check every invariant.",
  usage: "restore <folder> [--home <new home>]",
  examples: [
    "atelier restore ./.atelier/backups/20261115T0600 --home ./restored",
    "DATABASE_URL=postgres://… atelier restore ./monday",
  ],
  options: {},
  async run(input) {
    const { config, positionals } = readCommand(restoreCommand, input);
    const [folder] = positionals;
    if (folder === undefined) throw new UsageProblem(["Say which backup: atelier restore <folder>"]);
    return withinProcess(config, async ({ storage, log }) => {
      const report = await refusedAsUsage(() =>
        restore({
          connection: storage.connection,
          directory: resolve(folder),
          migrations: migrationsDirectory,
          invariants: allInvariants,
          log,
        }),
      );
      const broken = report.invariants.filter((invariant) => invariant.broken > 0);
      const text = [
        `${report.rows} rows of ${report.tables} tables restored; the database is at version ${report.version}.`,
        broken.length === 0
          ? `All ${report.invariants.length} invariants hold.`
          : broken.map((invariant) => `✕ ${invariant.name}: ${invariant.broken} row(s)`).join("\n"),
        `Put the key ring of the old home at ${config.secretsFile ?? join(config.home, "secrets.json")} before you start the server.`,
      ].join("\n");
      return { data: report, text, exitCode: broken.length === 0 ? 0 : 12 };
    });
  },
};

async function refusedAsUsage<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof BackupRefused) throw new UsageProblem([error.message]);
    throw error;
  }
}
