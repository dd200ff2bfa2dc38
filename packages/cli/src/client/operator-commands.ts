// The client commands of publishers and operators: registry nodes, price badges, webhooks and the benchmark.
import type { ClientCommand } from "./client-command.ts";
import { adminOptions, connectionOptions, yesOption } from "./client-command.ts";

export const operatorCommands: readonly ClientCommand[] = [
  {
    name: "nodes",
    about: "Begin, check and publish a node; find and install others'.",
    usage: [
      "nodes init [folder]",
      "nodes validate [folder]",
      "nodes publish [folder] [--token …]",
      "nodes search <words …>",
      "nodes install <id[@version]> [-o folder]",
      "nodes ls",
    ],
    words: {
      init: ["folder?"],
      validate: ["folder?"],
      publish: ["folder?"],
      search: ["words…"],
      install: ["id"],
      ls: [],
    },
    examples: [
      "atelier nodes init my-node --publisher my-studio",
      "atelier nodes validate my-node",
      "ATELIER_PUBLISHER_TOKEN=… atelier nodes publish my-node",
      "atelier nodes search image upscale",
      "atelier nodes install my-node@1.2.0 -o custom_nodes/",
    ],
    options: {
      publisher: { type: "string", about: "init: the publisher's id. ls: only nodes of this publisher." },
      token: { type: "string", about: "publish: a publisher token (ATELIER_PUBLISHER_TOKEN); your key if absent." },
      changelog: { type: "string", about: "publish: what changed." },
      output: { type: "string", short: "o", about: "install: the folder that gets a folder of the node's name; ." },
      limit: { type: "string", about: "search, ls: how many at most; 20." },
      ...connectionOptions,
    },
    load: async () => (await import("./nodes-command.ts")).nodesCommand,
  },
  {
    name: "badges",
    about: "Check, store and list price badges, as an operator.",
    usage: ["badges check <file …>", "badges push <file …>", "badges ls [--node id]"],
    words: { check: ["file…"], push: ["file…"], ls: [] },
    examples: [
      "atelier badges check badges/*.json",
      "ATELIER_ADMIN_TOKEN=… atelier badges push badges/*.json --yes",
      "atelier badges ls --node ExampleNode",
    ],
    options: {
      node: { type: "string", about: "ls: only rows of this node." },
      ...yesOption,
      ...adminOptions,
    },
    load: async () => (await import("./badges-command.ts")).badgesCommand,
  },
  {
    name: "webhooks",
    about: "Receive webhooks on this machine; see the delivery log, send again, change the secret.",
    usage: [
      "webhooks listen [--port 8765] [--secret whsec_…]",
      "webhooks log [id]",
      "webhooks redeliver <id>",
      "webhooks secret [--rotate]",
    ],
    words: { listen: [], log: ["id?"], redeliver: ["id"], secret: [] },
    examples: [
      "ATELIER_WEBHOOK_SECRET=whsec_… atelier webhooks listen",
      "atelier webhooks log --status dead",
      "atelier webhooks redeliver 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
      "SECRET=$(atelier webhooks secret --rotate --yes)",
    ],
    options: {
      port: { type: "string", about: "listen: the port on 127.0.0.1; 8765, 0 takes a free one." },
      secret: { type: "string", about: "listen: what deliveries are checked with (ATELIER_WEBHOOK_SECRET)." },
      count: { type: "string", about: "listen: stop after this many." },
      jsonl: { type: "boolean", about: "listen: one JSON object per delivery." },
      status: { type: "string", about: "log: only deliveries in this state." },
      subject: { type: "string", about: "log: only what tells about this job, task or prompt." },
      limit: { type: "string", about: "log: how many at most; 20." },
      rotate: { type: "boolean", about: "secret: make a new one; the old one signs beside it for a day." },
      ...yesOption,
      ...connectionOptions,
    },
    load: async () => (await import("./webhooks-command.ts")).webhooksCommand,
  },
  {
    name: "bench",
    about: "Measure what was promised about speed, in a checkout of the sources.",
    usage: ["bench [suite …] [--quick]"],
    words: ["suite…?"],
    examples: ["atelier bench --quick", "atelier bench router jobs", "atelier bench badges --json"],
    options: {
      quick: { type: "boolean", about: "Shorter rounds." },
      write: { type: "boolean", about: "Also write docs/BENCHMARKS.md." },
    },
    load: async () => (await import("./bench-command.ts")).benchCommand,
  },
];
