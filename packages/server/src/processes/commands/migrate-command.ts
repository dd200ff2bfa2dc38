// `atelier migrate`: migrates the database to this program's version.

import { backUpBeforeChange } from "../../capabilities/backup/index.ts";
import { pendingMigrations } from "../../foundation/database/index.ts";
import { migrationsDirectory } from "../../foundation/database/opening/migrations-directory.ts";
import { type Command, readCommand } from "./command.ts";
import { withinAnyHome } from "./within-process.ts";

export const migrateCommand: Command = {
  async run(listed, input) {
    const { config, options } = readCommand(listed, input);
    return withinAnyHome(config, async ({ storage, log }) => {
      const { version, latest, pending } = await pendingMigrations(storage.database, migrationsDirectory);
      if (options["dry-run"]) {
        const names = pending.map(({ number, name }) => `${String(number).padStart(4, "0")}_${name}`);
        return {
          data: { version, latest, pending: names },
          text: names.length === 0 ? "Nothing to apply." : names.join("\n"),
        };
      }
      if (storage.isEmbedded) await backUpBeforeChange(storage, config, log);
      const applied = await storage.migrate();
      return {
        data: { version: latest, applied },
        text:
          applied.length === 0
            ? `The database is at version ${latest}; nothing to apply.`
            : `Applied ${applied.length} migration(s); the database is at version ${latest}.`,
      };
    });
  },
};
