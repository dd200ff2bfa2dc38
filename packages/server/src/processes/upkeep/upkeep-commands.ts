// The commands that migrate, back up and restore, as the program lists them.
import type { ListedCommand } from "../commands/command.ts";

export const upkeepCommands: readonly ListedCommand[] = [
  {
    name: "migrate",
    about: "Apply pending database migrations.",
    usage: ["migrate [--dry-run]"],
    words: [],
    examples: ["atelier migrate", "atelier migrate --dry-run", "DATABASE_URL=postgres://… atelier migrate"],
    options: { "dry-run": { type: "boolean", about: "List the pending migrations without applying them." } },
    load: async () => (await import("../commands/migrate-command.ts")).migrateCommand,
  },
  {
    name: "upgrade",
    about: "Say what an upgrade will change; go back to before it; change the embedded PostgreSQL's major version.",
    usage: ["upgrade [--check]", "upgrade --back [backup] [--yes]", "upgrade --postgres [--old-postgres <folder>]"],
    words: ["backup?"],
    examples: [
      "atelier upgrade --check",
      "atelier upgrade --back",
      "atelier upgrade --back before-0068-01a1f064 --yes",
      "atelier upgrade --postgres --old-postgres /usr/lib/postgresql/15/bin",
    ],
    options: {
      check: { type: "boolean", about: "Show pending migrations, time, backup and free disk. This is the default." },
      back: { type: "boolean", about: "Return to the newest backup made before an upgrade, or to the named one." },
      postgres: { type: "boolean", about: "Move the embedded database to the PostgreSQL that this program brings." },
      "old-postgres": { type: "string", about: "postgres: the folder with the programs of the old version." },
      yes: { type: "boolean", about: "back: confirm." },
    },
    load: async () => (await import("./upgrade-command.ts")).upgradeCommand,
  },
  {
    name: "backup",
    about: "Back up the database and its files, once or again and again, while the server runs.",
    usage: ["backup [folder]", "backup [--every 6h] [--keep 14] [--to <folder|s3://bucket/prefix>]"],
    words: ["folder?"],
    examples: [
      "atelier backup",
      "atelier backup /mnt/backups/monday",
      "atelier backup --to /mnt/backups --keep 14",
      "atelier backup --every 6h --keep 14 --to s3://backups/atelier",
    ],
    options: {
      every: { type: "string", about: "Keep running, and make a verified backup this often: 30m, 6h or 1d." },
      keep: {
        type: "string",
        about: "Keep this many, and always the last verified one (default: ATELIER_BACKUP_KEEP).",
      },
      to: { type: "string", about: "A folder or s3://<bucket>/<prefix> (default: ATELIER_BACKUP_TO)." },
    },
    load: async () => (await import("../commands/backup-commands.ts")).backupCommand,
  },
  {
    name: "restore",
    about: "Restore a backup into an empty data folder or database, and verify it.",
    usage: ["restore <folder|s3://bucket/prefix/backup> [--home <new home>]"],
    words: ["folder"],
    examples: [
      "atelier restore ./.atelier/backups/20261115T0600 --home ./restored",
      "atelier restore s3://backups/atelier/scheduled-20261118T200500Z-3fa2c1 --home ./restored",
      "DATABASE_URL=postgres://… atelier restore ./monday",
    ],
    options: {},
    load: async () => (await import("../commands/backup-commands.ts")).restoreCommand,
  },
];
