// The server's commands, for the `atelier` program: names and help only. What a command does is loaded when it is asked
// for, so that `atelier --version` and every help page start in a moment and without the server.
import type { ListedCommand } from "./processes/command.ts";

export { nearestWord } from "./foundation/settings.ts";
export type { Cell, Command, CommandInput, CommandResult, CommandTable, ListedCommand } from "./processes/command.ts";

export const serverCommands: readonly ListedCommand[] = [
  {
    name: "serve",
    about: "Start everything: all areas, the embedded database, the key site and the documents.",
    usage: ["serve [--port 8080] [--home ./.atelier] [--any-setting value]"],
    words: [],
    examples: [
      "atelier serve",
      "atelier serve --port 9000 --home /var/lib/atelier",
      "DATABASE_URL=postgres://… atelier serve",
    ],
    options: {},
    load: async () => (await import("./processes/serve-command.ts")).serveCommand,
  },
  {
    name: "keys",
    about: "Make, list and revoke API keys; make a sign-in link.",
    usage: ["keys create <name>", "keys list", "keys revoke <id>", "keys link"],
    words: { create: ["name"], list: [], revoke: ["id"], link: [] },
    examples: [
      "atelier keys create laptop",
      "KEY=$(atelier keys create ci --scopes models,workflows)",
      "atelier keys list",
      "atelier keys link",
    ],
    options: {
      workspace: { type: "string", about: "The workspace's id; the oldest one if absent." },
      scopes: { type: "string", about: "create: comma-separated, of models, partners, registry, workflows, account." },
      "expires-days": { type: "string", about: "create: days until the key stops working; never if absent." },
    },
    load: async () => (await import("./processes/keys-command.ts")).keysCommand,
  },
  {
    name: "credits",
    about: "Show a workspace's credits; add, take out and refund them.",
    usage: ["credits show", "credits add <amount>", "credits withdraw <amount>", "credits refund <call id>"],
    words: { show: [], add: ["amount"], withdraw: ["amount"], refund: ["call id"] },
    examples: [
      "atelier credits show",
      'atelier credits add 500 --note "invoice 7"',
      "atelier credits withdraw 20.5 --workspace 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
      "atelier credits refund 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
    ],
    options: {
      workspace: { type: "string", about: "The workspace's id; the oldest one if absent. A refund knows its own." },
      note: { type: "string", about: "add, withdraw, refund: why; the audit keeps it." },
    },
    load: async () => (await import("./processes/credits-command.ts")).creditsCommand,
  },
  {
    name: "models",
    about: "Show models; store and remove provider definitions; release models and take them back.",
    usage: [
      "models list",
      "models show <provider>",
      "models put <file>",
      "models remove <provider>",
      "models release <model> <on|off|default>",
    ],
    words: { list: [], show: ["provider"], put: ["file"], remove: ["provider"], release: ["model", "on|off|default"] },
    examples: [
      "atelier models list",
      "atelier models put ./example.json",
      "atelier models release example/sketch-2 off",
      "atelier models show example > example.json",
    ],
    options: {},
    load: async () => (await import("./processes/models-command.ts")).modelsCommand,
  },
  {
    name: "doctor",
    about: "Look for problems and say how to mend them.",
    usage: ["doctor"],
    words: [],
    examples: ["atelier doctor", "atelier doctor --json"],
    options: {},
    load: async () => (await import("./processes/doctor-command.ts")).doctorCommand,
  },
  {
    name: "config",
    about: "Show every setting, its value and where the value comes from.",
    usage: ["config [--any-setting value]"],
    words: [],
    examples: ["atelier config", "atelier config --json"],
    options: {},
    load: async () => (await import("./processes/config-command.ts")).configCommand,
  },
  {
    name: "migrate",
    about: "Apply the migrations that the database lacks.",
    usage: ["migrate [--dry-run]"],
    words: [],
    examples: ["atelier migrate", "atelier migrate --dry-run", "DATABASE_URL=postgres://… atelier migrate"],
    options: { "dry-run": { type: "boolean", about: "Only say what would be applied." } },
    load: async () => (await import("./processes/migrate-command.ts")).migrateCommand,
  },
  {
    name: "backup",
    about: "Write a backup of the database into a new folder, while the server runs.",
    usage: ["backup [folder]"],
    words: ["folder?"],
    examples: ["atelier backup", "atelier backup /mnt/backups/monday"],
    options: {},
    load: async () => (await import("./processes/backup-commands.ts")).backupCommand,
  },
  {
    name: "restore",
    about: "Load a backup into an empty home or database, then check every invariant.",
    usage: ["restore <folder> [--home <new home>]"],
    words: ["folder"],
    examples: [
      "atelier restore ./.atelier/backups/20261115T0600 --home ./restored",
      "DATABASE_URL=postgres://… atelier restore ./monday",
    ],
    options: {},
    load: async () => (await import("./processes/backup-commands.ts")).restoreCommand,
  },
  {
    name: "secrets",
    about: "Show and rotate the keys that sign and seal.",
    usage: ["secrets list", "secrets rotate [purpose]", "secrets end <key id>", "secrets adopt"],
    words: { list: [], rotate: ["purpose?"], end: ["key id"], adopt: [] },
    examples: [
      "atelier secrets list",
      "atelier secrets rotate",
      "atelier secrets rotate signed-url",
      "atelier secrets adopt --yes",
    ],
    options: {
      now: { type: "boolean", about: "rotate: let the new key sign at once. Only with one server." },
      yes: { type: "boolean", about: "adopt: make this ring the one that all servers must hold." },
    },
    load: async () => (await import("./processes/secrets-command.ts")).secretsCommand,
  },
];
