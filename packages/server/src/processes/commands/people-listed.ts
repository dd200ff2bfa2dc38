// The commands about people: who may use the admin pages, and what the server holds about someone.
import type { ListedCommand } from "./command.ts";

export const peopleCommands: readonly ListedCommand[] = [
  {
    name: "operators",
    about: "List, add and remove operators and auditors, the people who can use the admin pages.",
    usage: ["operators list", "operators add <person id> [--auditor]", "operators remove <person id>"],
    words: { list: [], add: ["person id"], remove: ["person id"] },
    examples: ["atelier operators list", "atelier operators add 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6"],
    options: { auditor: { type: "boolean", about: "add: may read the admin pages and change nothing." } },
    load: async () => (await import("./operators-command.ts")).operatorsCommand,
  },
  {
    name: "person",
    about: "Export or erase everything about one person.",
    usage: ["person export <person id> [-o file]", "person erase <person id> --yes [--keep-keys]"],
    words: { export: ["person id"], erase: ["person id"] },
    examples: [
      "atelier person export 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 -o person.json",
      "atelier person erase 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6 --yes",
    ],
    options: {
      output: { type: "string", short: "o", about: "export: write to this new file (default: print it)." },
      yes: { type: "boolean", about: "erase: confirm; this cannot be undone." },
      "keep-keys": { type: "boolean", about: "erase: the workspaces keep the keys that the person made." },
    },
    load: async () => (await import("./person-command.ts")).personCommand,
  },
];
