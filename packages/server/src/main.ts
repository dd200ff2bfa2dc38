// The server's commands, for the `atelier` program. Nothing here reads the environment: each command is given it once.
import { backupCommand, restoreCommand } from "./processes/backup-commands.ts";
import type { Command } from "./processes/command.ts";
import { configCommand } from "./processes/config-command.ts";
import { doctorCommand } from "./processes/doctor-command.ts";
import { keysCommand } from "./processes/keys-command.ts";
import { migrateCommand } from "./processes/migrate-command.ts";
import { secretsCommand } from "./processes/secrets-command.ts";
import { serveCommand } from "./processes/serve-command.ts";

export const serverCommands: readonly Command[] = [
  serveCommand,
  keysCommand,
  doctorCommand,
  configCommand,
  migrateCommand,
  backupCommand,
  restoreCommand,
  secretsCommand,
];
