// How the operators' commands over HTTP, and `atelier caps`, are called.
import type { ListedCommand } from "@atelier/server/commands";
import { adminOptions, connectionOptions, yesOption } from "../connection-options.ts";
import { flag, text } from "../options.ts";

const serverOptions = { ...adminOptions, home: connectionOptions.home } as const;

export const administrationListed: readonly ListedCommand[] = [
  {
    name: "caps",
    about: "Show and set what an API key may spend in a day and in a month.",
    usage: ["caps show <key id>", "caps set <key id> [--daily 50] [--monthly 500]"],
    words: { show: ["key"], set: ["key"] },
    examples: [
      "atelier caps show 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
      "atelier caps set 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 --daily 50 --monthly 500",
      "atelier caps set 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 --daily none",
    ],
    options: {
      daily: text("set: credits per UTC day; none for no cap (default: as it is)."),
      monthly: text("set: credits per UTC month; none for no cap (default: as it is)."),
      ...connectionOptions,
    },
    load: async () => (await import("./caps-command.ts")).capsCommand,
  },
  {
    name: "limits",
    about: "Show and change what a key may call, and limits of workspaces and models (operators only).",
    usage: [
      "limits ls <workspace> [--changed]",
      "limits set <workspace> <name> <value>",
      "limits reset <workspace> <name>",
      "limits key <key id> [--per-minute 60] [--at-once 4]",
      "limits model <model> [--per-minute 600] [--at-once 20]",
      "limits models",
    ],
    words: {
      ls: ["workspace"],
      set: ["workspace", "name", "value"],
      reset: ["workspace", "name"],
      key: ["key"],
      model: ["model"],
      models: [],
    },
    examples: [
      "atelier limits key 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 --per-minute 60 --at-once 4",
      "atelier limits model sandbox/image-1 --at-once 20",
      "atelier limits ls 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
      'atelier limits set 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 asset_bytes 500GB --reason "film project"',
      "atelier limits reset 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 asset_bytes",
    ],
    options: {
      changed: flag("ls: only limits that were changed for this workspace."),
      reason: text("set: why; recorded in the audit log."),
      "per-minute": text("key, model: calls that may begin in a minute; none for any number."),
      "at-once": text("key, model: calls that may be open at once; none for any number."),
      ...connectionOptions,
      ...serverOptions,
    },
    load: async () => (await import("./limits-command.ts")).limitsCommand,
  },
  {
    name: "deployments",
    about: "List, show, create, change, stop and remove deployments (operators only).",
    usage: [
      "deployments ls",
      "deployments show <id>",
      "deployments create <file>",
      "deployments change <id> <file>",
      "deployments stop <id>",
      "deployments start <id>",
      "deployments rm <id>",
    ],
    words: { ls: [], show: ["id"], create: ["file"], change: ["id", "file"], stop: ["id"], start: ["id"], rm: ["id"] },
    examples: [
      "atelier deployments create deployment.json",
      "atelier deployments ls",
      "atelier deployments show 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
      "atelier deployments stop 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 --yes",
    ],
    options: { ...yesOption, ...serverOptions },
    load: async () => (await import("./deployments-command.ts")).deploymentsCommand,
  },
  {
    name: "audit",
    about: "Read the audit log: who changed what, and when (operators only).",
    usage: ["audit [--workspace id] [--action thing.verb] [--since 2026-11-01] [--limit 50]"],
    words: [],
    examples: [
      "atelier audit --limit 20",
      "atelier audit --action key.revoke --since 2026-11-01",
      "atelier audit --request 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 --json",
    ],
    options: {
      workspace: text("Only entries about this workspace."),
      actor: text("Only what this person, key or token did."),
      action: text("Only this action, such as key.revoke."),
      subject: text("Only entries about the thing with this id."),
      request: text("Only what this request did."),
      since: text("Only entries from this time on, as a date or an RFC 3339 time."),
      until: text("Only entries before this time."),
      limit: text("List at most this many, newest first (default: 50)."),
      ...serverOptions,
    },
    load: async () => (await import("./audit-command.ts")).auditCommand,
  },
];
