// The server's commands, for the `atelier` program: names and help only. What a command does is loaded when it is asked
// for, so that `atelier --version` and every help page start in a moment and without the server.
import type { ListedCommand } from "./processes/commands/command.ts";

export type {
  Cell,
  Command,
  CommandInput,
  CommandResult,
  CommandTable,
  ListedCommand,
} from "./processes/commands/command.ts";

// For `atelier nodes validate` and `publish`: what the registry's checks say about an archive.
export async function checkNodeArchive(
  ...asked: Parameters<typeof import("./processes/build/check-node-archive.ts").checkNodeArchive>
) {
  return (await import("./processes/build/check-node-archive.ts")).checkNodeArchive(...asked);
}

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
    load: async () => (await import("./processes/commands/serve-command.ts")).serveCommand,
  },
  {
    name: "proxy",
    about: "Serve the v2 workflow API on this machine, in front of an application.",
    usage: [
      "proxy [run] [--application-url http://127.0.0.1:8188] [--proxy-port 8189] [--application-folder <folder>] [--proxy-token <token>]",
      "proxy start [the same]",
      "proxy stop [--proxy-port 8189]",
      "proxy status [--proxy-port 8189]",
    ],
    words: ["run|start|stop|status?"],
    examples: [
      "atelier proxy",
      "atelier proxy start --application-folder ~/application",
      "ATELIER_PROXY_TOKEN=… atelier proxy",
      "atelier proxy status --json",
    ],
    options: {},
    load: async () => (await import("./processes/proxy/proxy-command.ts")).proxyCommand,
  },
  {
    name: "deployment",
    about: "Serve one dedicated deployment and run its jobs.",
    usage: ["deployment <id> [--port 8090] [--any-setting value]"],
    words: ["id"],
    examples: [
      "atelier deployment 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 --port 8090",
      "DATABASE_URL=postgres://… atelier deployment 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
    ],
    options: {},
    load: async () => (await import("./processes/commands/deployment-command.ts")).deploymentCommand,
  },
  {
    name: "sandbox",
    about: "Start models, partners and an application to try things against, on this machine only.",
    usage: ["sandbox [--sandbox-application-port 8188] [--old]"],
    words: [],
    examples: ["atelier sandbox", "atelier sandbox --sandbox-application-port 0 --json", "atelier sandbox --old"],
    options: { old: { type: "boolean", about: "Speak as the application's older version, without job routes." } },
    load: async () => (await import("./processes/commands/sandbox-command.ts")).sandboxCommand,
  },
  {
    name: "keys",
    about: "Make, list and revoke API keys; make a sign-in link.",
    usage: ["keys create <name>", "keys list", "keys revoke <id>", "keys link [person id]"],
    words: { create: ["name"], list: [], revoke: ["id"], link: ["person id?"] },
    examples: [
      "atelier keys create laptop",
      "KEY=$(atelier keys create ci --scopes models,workflows)",
      "atelier keys list",
      "atelier keys link",
    ],
    options: {
      workspace: { type: "string", about: "The workspace's id; the oldest one if absent. link: its owner signs in." },
      scopes: { type: "string", about: "create: comma-separated, of models, partners, registry, workflows, account." },
      "expires-days": { type: "string", about: "create: days until the key stops working; never if absent." },
    },
    load: async () => (await import("./processes/commands/keys-command.ts")).keysCommand,
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
    load: async () => (await import("./processes/commands/credits-command.ts")).creditsCommand,
  },
  {
    name: "workspace",
    about: "List workspaces, take one's data along, delete one.",
    usage: [
      "workspace list",
      "workspace show <id>",
      "workspace export <id> <new folder>",
      "workspace delete <id> --yes",
    ],
    words: { list: [], show: ["id"], export: ["id", "new folder"], delete: ["id"] },
    examples: [
      "atelier workspace list",
      "atelier workspace export 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 ./taken-along",
      "atelier workspace delete 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 --yes",
    ],
    options: { yes: { type: "boolean", about: "delete: it cannot be undone." } },
    load: async () => (await import("./processes/commands/workspace-command.ts")).workspaceCommand,
  },
  {
    name: "models",
    about: "Show models; check, store and remove provider definitions; release models and take them back.",
    usage: [
      "models list",
      "models show <provider>",
      "models show <model> --definitions",
      "models check <file|provider> [--fixtures file] [--live] [--model id]",
      "models put <file>",
      "models remove <provider>",
      "models release <model> <on|off|default>",
    ],
    words: {
      list: [],
      show: ["provider|model"],
      check: ["file|provider"],
      put: ["file"],
      remove: ["provider"],
      release: ["model", "on|off|default"],
    },
    examples: [
      "atelier models list",
      "atelier models check ./example.json",
      "atelier models check bfl --live",
      "atelier models put ./example.json",
      "atelier models release example/sketch-2 off",
      "atelier models show example > example.json",
    ],
    options: {
      fixtures: { type: "string", about: "check: the fixtures; <file>.fixtures.json beside it if absent." },
      live: { type: "boolean", about: "check: also make one real call, which costs money at the provider." },
      model: { type: "string", about: "check: the model of the real call; the cheapest if absent." },
    },
    load: async () => (await import("./processes/commands/models-command.ts")).modelsCommand,
  },
  {
    name: "worker",
    about: "Run jobs for a server that is somewhere else, in the application beside it or in the embedded engine.",
    usage: ["worker --server <url> [--application <url>] [--pool <id>] [--slots 2] [--name rack-1]"],
    words: [],
    examples: [
      "ATELIER_WORKER_TOKEN=worker-… atelier worker --server https://gateway.example --application http://127.0.0.1:8188",
      "atelier worker --server http://127.0.0.1:8080 --home ./second-worker",
    ],
    options: {
      server: { type: "string", about: "The server it works for. Beyond this machine: https." },
      application: { type: "string", about: "The application that runs the graphs; the embedded engine if absent." },
      pool: { type: "string", about: "Whose jobs it takes; needed where its token is for several pools." },
      slots: { type: "string", about: "How many jobs at once; 2 with an application, else one for each core." },
      name: { type: "string", about: "For people; the host's name if absent." },
      "plain-http": { type: "boolean", about: "Allow a server beyond this machine without TLS." },
    },
    load: async () => (await import("./processes/commands/worker-command.ts")).workerCommand,
  },
  {
    name: "worker-tokens",
    about: "Make, list and revoke the tokens of workers.",
    usage: ["worker-tokens create <name>", "worker-tokens list", "worker-tokens revoke <id>"],
    words: { create: ["name"], list: [], revoke: ["id"] },
    examples: [
      "TOKEN=$(atelier worker-tokens create rack-1)",
      "atelier worker-tokens create rack-2 --pools 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
      "atelier worker-tokens list",
    ],
    options: {
      pools: { type: "string", about: "create: ids of deployments, comma-separated, or shared; shared if absent." },
      "expires-days": { type: "string", about: "create: days until it stops working; never if absent." },
    },
    load: async () => (await import("./processes/commands/worker-tokens-command.ts")).workerTokensCommand,
  },
  {
    name: "doctor",
    about: "Look for problems and say how to mend them.",
    usage: ["doctor"],
    words: [],
    examples: ["atelier doctor", "atelier doctor --json"],
    options: {},
    load: async () => (await import("./processes/doctor/doctor-command.ts")).doctorCommand,
  },
  {
    name: "config",
    about: "Show every setting, its value and where the value comes from.",
    usage: ["config [--any-setting value]"],
    words: [],
    examples: ["atelier config", "atelier config --json"],
    options: {},
    load: async () => (await import("./processes/commands/config-command.ts")).configCommand,
  },
  {
    name: "migrate",
    about: "Apply the migrations that the database lacks.",
    usage: ["migrate [--dry-run]"],
    words: [],
    examples: ["atelier migrate", "atelier migrate --dry-run", "DATABASE_URL=postgres://… atelier migrate"],
    options: { "dry-run": { type: "boolean", about: "Only say what would be applied." } },
    load: async () => (await import("./processes/commands/migrate-command.ts")).migrateCommand,
  },
  {
    name: "backup",
    about: "Write a backup of the database into a new folder, while the server runs.",
    usage: ["backup [folder]"],
    words: ["folder?"],
    examples: ["atelier backup", "atelier backup /mnt/backups/monday"],
    options: {},
    load: async () => (await import("./processes/commands/backup-commands.ts")).backupCommand,
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
    load: async () => (await import("./processes/commands/backup-commands.ts")).restoreCommand,
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
    load: async () => (await import("./processes/commands/secrets-command.ts")).secretsCommand,
  },
];
