// The server's commands, as the `atelier` program sees them: names and help only. A command's implementation is loaded when the
// command runs, so `atelier --version` and the help pages start quickly and without loading the server.
import type { ListedCommand } from "./processes/commands/command.ts";
import { envOptions, workerFillOptions } from "./processes/commands/fill-options.ts";
import { peopleCommands } from "./processes/commands/people-listed.ts";
import { scalingOptions } from "./processes/commands/scaling-options.ts";
import { upkeepCommands } from "./processes/upkeep/upkeep-commands.ts";

export type {
  Cell,
  Command,
  CommandInput,
  CommandResult,
  CommandTable,
  ListedCommand,
} from "./processes/commands/command.ts";

// Used by `atelier nodes validate` and `publish`: runs the registry's checks on an archive.
export async function checkNodeArchive(
  ...asked: Parameters<typeof import("./capabilities/registry/index.ts").checkNodeArchive>
) {
  return (await import("./capabilities/registry/index.ts")).checkNodeArchive(...asked);
}

export const serverCommands: readonly ListedCommand[] = [
  {
    name: "serve",
    about: "Start the server: API, console, embedded database and workers.",
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
    about: "Serve the v2 workflow API in front of an application on this machine.",
    usage: [
      "proxy [run] [--application-url http://127.0.0.1:8188] [--proxy-port 8189] [--application-folder <folder>] [--proxy-token <token>]",
      "proxy start [the same flags]",
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
    usage: [
      "deployment <id> [--port 8090] [--any-setting value]",
      "deployment <id> --workers <auto|0..4> [--start-command '… {port}']",
    ],
    words: ["id"],
    examples: [
      "atelier deployment 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 --port 8090",
      "DATABASE_URL=postgres://… atelier deployment 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
      "atelier deployment 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 --workers auto",
    ],
    options: { ...scalingOptions },
    load: async () => (await import("./processes/commands/deployment-command.ts")).deploymentCommand,
  },
  {
    name: "sandbox",
    about: "Start sandbox models, partners and an application on this machine only.",
    usage: ["sandbox [--sandbox-application-port 8188] [--old]"],
    words: [],
    examples: ["atelier sandbox", "atelier sandbox --sandbox-application-port 0 --json", "atelier sandbox --old"],
    options: { old: { type: "boolean", about: "Imitate the application's older version, which has no job routes." } },
    load: async () => (await import("./processes/commands/sandbox-command.ts")).sandboxCommand,
  },
  {
    name: "templates",
    about: "Install public workflow templates on the server's machine, and remove them.",
    usage: [
      "templates install [wheel …] [--version 0.11.97] [--without-pictures]",
      "templates status",
      "templates remove",
    ],
    words: { install: ["wheel…?"], status: [], remove: [] },
    examples: [
      "atelier templates install",
      "atelier templates install --without-pictures",
      "atelier templates install ./wheels/*.whl",
      "atelier templates remove",
    ],
    options: {
      version: { type: "string", about: "install: this version of the package (default: the newest)." },
      "without-pictures": { type: "boolean", about: "install: workflows only, 4 MB instead of 500 MB to download." },
    },
    load: async () => (await import("./processes/commands/templates-command.ts")).templatesCommand,
  },
  {
    name: "editor",
    about: "Install the ecosystem's own editor on the server's machine, and remove it.",
    usage: ["editor install [--version 1.58.1] [--file wheel]", "editor show", "editor remove"],
    words: { install: [], show: [], remove: [] },
    examples: [
      "atelier editor install",
      "atelier editor install --file ./comfyui_frontend_package-1.58.1-py3-none-any.whl",
      "atelier editor show",
      "atelier editor remove",
    ],
    options: {
      version: { type: "string", about: "install: this version (default: the newest that we tested)." },
      file: { type: "string", about: "install: a wheel on this machine, without a download." },
    },
    load: async () => (await import("./processes/commands/editor-command.ts")).editorCommand,
  },
  {
    name: "env",
    about: "Record what the application on this machine has in a lock file, and compare it.",
    usage: [
      "env lock [-o atelier.lock.json] [--application-folder …] [--python …] [--weights …]",
      "env check <lock file> [--application-folder …]",
      "env diff <from> <to>",
      "env fill <lock file or environment> --server <url> [--application-folder …] [--wheels …]",
    ],
    words: { lock: [], check: ["lock file"], diff: ["from", "to"], fill: ["lock"] },
    examples: [
      "atelier env lock --application-folder ~/ComfyUI",
      "atelier env check atelier.lock.json --application-folder ~/ComfyUI",
      "atelier env diff monday.lock.json friday.lock.json",
    ],
    options: {
      ...envOptions,
    },
    load: async () => (await import("./processes/commands/env-command.ts")).envCommand,
  },
  {
    name: "keys",
    about: "Create, list and revoke API keys; create a sign-in link.",
    usage: ["keys create <name>", "keys list", "keys revoke <id>", "keys link [person id]"],
    words: { create: ["name"], list: [], revoke: ["id"], link: ["person id?"] },
    examples: [
      "atelier keys create laptop",
      "KEY=$(atelier keys create ci --scopes models,workflows)",
      "atelier keys list",
      "atelier keys link",
    ],
    options: {
      workspace: {
        type: "string",
        about: "The workspace's id (default: the oldest workspace). link: signs in its owner.",
      },
      scopes: {
        type: "string",
        about: "create: a comma-separated list of models, partners, registry, workflows, account.",
      },
      "expires-days": { type: "string", about: "create: days until the key expires (default: never)." },
    },
    load: async () => (await import("./processes/commands/keys-command.ts")).keysCommand,
  },
  {
    name: "open",
    about: "Open the console in your browser, signed in.",
    usage: ["open [person id]"],
    words: ["person id?"],
    examples: ["atelier open", "atelier open --print", "atelier open --json"],
    options: { print: { type: "boolean", about: "Print the link instead of opening it." } },
    load: async () => (await import("./processes/commands/open-command.ts")).openCommand,
  },
  ...peopleCommands,
  {
    name: "credits",
    about: "Show, add, withdraw and refund a workspace's credits.",
    usage: ["credits show", "credits add <amount>", "credits withdraw <amount>", "credits refund <call id>"],
    words: { show: [], add: ["amount"], withdraw: ["amount"], refund: ["call id"] },
    examples: [
      "atelier credits show",
      'atelier credits add 500 --note "invoice 7"',
      "atelier credits withdraw 20.5 --workspace 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
      "atelier credits refund 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
    ],
    options: {
      workspace: {
        type: "string",
        about: "The workspace's id (default: the oldest workspace). Not needed for refund.",
      },
      note: { type: "string", about: "add, withdraw, refund: the reason, kept in the audit log." },
    },
    load: async () => (await import("./processes/commands/credits-command.ts")).creditsCommand,
  },
  {
    name: "workspace",
    about: "List, show, export, import, move and delete workspaces.",
    usage: [
      "workspace list",
      "workspace show <id>",
      "workspace export <id> <new folder>",
      "workspace signer",
      "workspace import <folder> --from <fingerprint> [--check] [--credits] [--without <lists>]",
      "workspace move <id> --to <address> [--export <new folder>]",
      "workspace move <id> --done",
      "workspace move <id> --undo",
      "workspace delete <id> --yes",
    ],
    words: {
      list: [],
      show: ["id"],
      export: ["id", "new folder"],
      signer: [],
      import: ["folder"],
      move: ["id"],
      delete: ["id"],
    },
    examples: [
      "atelier workspace list",
      "atelier workspace export 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 ./export",
      "atelier workspace move 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 --to https://other.example --export ./moved",
      "atelier workspace import ./moved --from 5c1f…",
      "atelier workspace delete 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 --yes",
    ],
    options: {
      to: { type: "string", about: "move: the other server's address. From now on no new work is taken here." },
      export: {
        type: "string",
        about: "move --to: wait until nothing runs any more, then export into this new folder.",
      },
      done: { type: "boolean", about: "move: it is complete there; from now on only say where it is." },
      undo: { type: "boolean", about: "move: keep it here after all." },
      from: { type: "string", about: "import: the other server's fingerprint, as its `workspace signer` shows it." },
      check: { type: "boolean", about: "import: verify everything and say what would be imported; keep nothing." },
      credits: { type: "boolean", about: "import: also grant the credits that the workspace had left." },
      without: { type: "string", about: "import: lists to leave out, separated by commas, such as works." },
      yes: { type: "boolean", about: "delete: confirm; this cannot be undone." },
    },
    load: async () => (await import("./processes/commands/workspace-command.ts")).workspaceCommand,
  },
  {
    name: "models",
    about: "Show models; check, store and remove provider definitions; release models.",
    usage: [
      "models list",
      "models show <provider>",
      "models show <model> --definitions",
      "models check <file|provider> [--fixtures file] [--live] [--model id]",
      "models put <file>",
      "models remove <provider>",
      "models release <model> <on|off|default>",
      "models deprecate <model> [--sunset 2027-06-30] [--undo]",
    ],
    words: {
      list: [],
      show: ["provider|model"],
      check: ["file|provider"],
      put: ["file"],
      remove: ["provider"],
      release: ["model", "on|off|default"],
      deprecate: ["model"],
    },
    examples: [
      "atelier models list",
      "atelier models check ./example.json",
      "atelier models check bfl --live",
      "atelier models put ./example.json",
      "atelier models release example/sketch-2 off",
      "atelier models deprecate example/sketch-1 --sunset 2027-06-30",
      "atelier models show example > example.json",
    ],
    options: {
      fixtures: { type: "string", about: "check: the fixtures file (default: <file>.fixtures.json next to it)." },
      live: { type: "boolean", about: "check: also make one real call, which the provider charges for." },
      model: { type: "string", about: "check: the model to call with --live (default: the cheapest)." },
      sunset: {
        type: "string",
        about: "deprecate: answer 404 from this day on, at least 90 days from now.",
      },
      undo: { type: "boolean", about: "deprecate: remove the deprecation." },
    },
    load: async () => (await import("./processes/commands/models-command.ts")).modelsCommand,
  },
  {
    name: "worker",
    about: "Run jobs for a remote server, in an application or the embedded engine.",
    usage: [
      "worker --server <url> [--application <url>] [--pool <id>] [--slots 2] [--name rack-1]",
      "worker --server <url> --env <lock> --application-folder <folder> [--share http://10.0.0.5:9190]",
    ],
    words: [],
    examples: [
      "ATELIER_WORKER_TOKEN=worker-… atelier worker --server https://gateway.example --application http://127.0.0.1:8188",
      "atelier worker --server http://127.0.0.1:8080 --home ./second-worker",
    ],
    options: {
      server: { type: "string", about: "The server to work for; must be https unless it is on this machine." },
      application: { type: "string", about: "The application that runs the graphs (default: the embedded engine)." },
      pool: { type: "string", about: "Take jobs from this pool; required if the token is for several pools." },
      slots: {
        type: "string",
        about: "Run this many jobs at once (default: 2 with an application, else one per core).",
      },
      name: { type: "string", about: "The worker's name in lists (default: the host name)." },
      "plain-http": { type: "boolean", about: "Allow a remote server without TLS." },
      ...workerFillOptions,
    },
    load: async () => (await import("./processes/commands/worker-command.ts")).workerCommand,
  },
  {
    name: "pool",
    about: "Start and stop workers of a pool on this machine, as many as the server wants.",
    usage: ["pool <deployment id|shared> --workers <auto|0..4> --server <url> [--start-command '… {port}']"],
    words: ["pool"],
    examples: [
      "ATELIER_WORKER_TOKEN=worker-… atelier pool shared --workers 0..4 --server https://gateway.example",
      "atelier pool 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 --workers auto --server http://127.0.0.1:8080 --start-command 'python main.py --port {port}'",
      "atelier pool shared --workers 0..20 --server https://gateway.example --exec './resize.sh $WORKERS_WANTED'",
    ],
    options: {
      server: { type: "string", about: "The server to work for; must be https unless it is on this machine." },
      ...scalingOptions,
      name: { type: "string", about: "The workers' name in lists (default: the host name)." },
      "plain-http": { type: "boolean", about: "Allow a remote server without TLS." },
    },
    load: async () => (await import("./processes/commands/pool-command.ts")).poolCommand,
  },
  {
    name: "worker-tokens",
    about: "Create, list and revoke worker tokens.",
    usage: ["worker-tokens create <name>", "worker-tokens list", "worker-tokens revoke <id>"],
    words: { create: ["name"], list: [], revoke: ["id"] },
    examples: [
      "TOKEN=$(atelier worker-tokens create rack-1)",
      "atelier worker-tokens create rack-2 --pools 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
      "atelier worker-tokens list",
    ],
    options: {
      pools: { type: "string", about: "create: comma-separated deployment ids, or shared (default: shared)." },
      "expires-days": { type: "string", about: "create: days until the token expires (default: never)." },
    },
    load: async () => (await import("./processes/commands/worker-tokens-command.ts")).workerTokensCommand,
  },
  {
    name: "doctor",
    about: "Check this installation for problems and show how to fix them.",
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
  ...upkeepCommands,
  {
    name: "secrets",
    about: "List and rotate the signing and encryption keys.",
    usage: [
      "secrets list",
      "secrets rotate [purpose]",
      "secrets end <key id>",
      "secrets new [--out ring.json]",
      "secrets adopt",
    ],
    words: { list: [], rotate: ["purpose?"], end: ["key id"], new: [], adopt: [] },
    examples: [
      "atelier secrets list",
      "atelier secrets rotate",
      "atelier secrets rotate signed-url",
      "atelier secrets new --out next-ring.json",
      "atelier secrets adopt --yes",
    ],
    options: {
      out: { type: "string", about: "new: write it to this file, readable only by you (default: print it)." },
      now: { type: "boolean", about: "rotate: sign with the new keys at once; only safe with a single server." },
      yes: { type: "boolean", about: "adopt: confirm that all servers must use this key ring from now on." },
    },
    load: async () => (await import("./processes/commands/secrets-command.ts")).secretsCommand,
  },
];
