// The help of the commands about the people and programs of a workspace, and about what it keeps.
import type { ListedCommand } from "@atelier/server/commands";
import { connectionOptions, yesOption } from "../connection-options.ts";
import { flag, text } from "../options.ts";

const person = "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6";

export const peopleListed: readonly ListedCommand[] = [
  {
    name: "members",
    about: "List, add and remove members of the workspace, change their roles, and make sign-in links.",
    usage: [
      "members ls",
      "members add <name or person id> [--role member] [--email …] [--link-hours 72]",
      "members role <person id> <viewer|member|billing|owner>",
      "members link <person id>",
      "members remove <person id> [--keep-keys]",
    ],
    words: { ls: [], add: ["who"], role: ["person", "role"], link: ["person"], remove: ["person"] },
    examples: [
      "atelier members ls",
      'atelier members add "Ada Example" --email ada@example.com --role viewer',
      `atelier members role ${person} billing`,
      `atelier members remove ${person} --yes`,
    ],
    options: {
      role: text("add: viewer, member, billing or owner (default: member)."),
      email: text("add: the person's address, for people to recognise each other."),
      "link-hours": text("add, link: how long the sign-in link works, 1 to 168 (default: 72)."),
      "keep-keys": flag("remove: the keys that the person made go on working."),
      ...yesOption,
      ...connectionOptions,
    },
    load: async () => (await import("./members-command.ts")).membersCommand,
  },
  {
    name: "service-accounts",
    about: "List, make and remove service accounts, programs with a role of their own, and make their keys.",
    usage: [
      "service-accounts ls",
      "service-accounts create <name> [--role member]",
      "service-accounts key <account id> <name of the key> [--expires-days 90]",
      "service-accounts remove <account id>",
    ],
    words: { ls: [], create: ["name"], key: ["account", "name"], remove: ["account"] },
    examples: [
      "atelier service-accounts create nightly-renders --role member",
      `KEY=$(atelier service-accounts key ${person} build-server)`,
      `atelier service-accounts remove ${person} --yes`,
    ],
    options: {
      role: text("create: viewer, member, billing or owner (default: member)."),
      "expires-days": text("key: after how many days it stops working (default: never)."),
      ...yesOption,
      ...connectionOptions,
    },
    load: async () => (await import("./service-accounts-command.ts")).serviceAccountsCommand,
  },
  {
    name: "retention",
    about: "Show and set how long the workspace keeps its files and its history.",
    usage: ["retention show", "retention set [--outputs 90] [--uploads none] [--history 365] [--dry-run]"],
    words: { show: [], set: [] },
    examples: [
      "atelier retention show",
      "atelier retention set --outputs 90 --dry-run",
      "atelier retention set --outputs 90 --history 365 --yes",
      "atelier retention set --uploads none --yes",
    ],
    options: {
      outputs: text("set: days, or none, for files that jobs made (default: as it is)."),
      uploads: text("set: days, or none, for files that were uploaded (default: as it is)."),
      history: text("set: days, or none, for ended jobs, errors, playground runs and tags (default: as it is)."),
      "dry-run": flag("set: count what it would delete, and change nothing."),
      ...yesOption,
      ...connectionOptions,
    },
    load: async () => (await import("./retention-command.ts")).retentionCommand,
  },
];
