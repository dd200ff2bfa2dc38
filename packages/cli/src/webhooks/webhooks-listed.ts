// How `atelier webhooks` is called.
import type { ListedCommand } from "@atelier/server/commands";
import { connectionOptions, yesOption } from "../connection-options.ts";
import { flag, text, texts } from "../options.ts";

export const webhooksListed: ListedCommand = {
  name: "webhooks",
  about: "Receive webhooks locally; manage endpoints; read the delivery log, redeliver, rotate the secret.",
  usage: [
    "webhooks listen [--port 8765] [--secret whsec_…]",
    "webhooks allow [host:port …] [--remove]",
    "webhooks endpoints [ls]",
    "webhooks endpoints add <url> --type job.succeeded [--type …] [--tag key=value]",
    "webhooks endpoints rm|test|rotate|pause|resume <id>",
    "webhooks log [id]",
    "webhooks redeliver <id>",
    "webhooks secret [--rotate]",
  ],
  words: {
    listen: [],
    allow: ["targets…?"],
    endpoints: ["action?", "url or id?"],
    log: ["id?"],
    redeliver: ["id"],
    secret: [],
  },
  examples: [
    "ATELIER_WEBHOOK_SECRET=whsec_… atelier webhooks listen",
    "atelier webhooks allow 127.0.0.1:8765",
    "SECRET=$(atelier webhooks endpoints add https://hooks.example.com/atelier --type job.succeeded --type job.failed)",
    "atelier webhooks endpoints pause 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
    "atelier webhooks log --status dead",
    "atelier webhooks redeliver 0198c1a2-3b4c-7d5e-8f60-718293a4b5c6",
    "SECRET=$(atelier webhooks secret --rotate --yes)",
  ],
  options: {
    port: text("listen: the port on 127.0.0.1; 0 picks a free one (default: 8765)."),
    secret: text("listen: verify signatures with this secret; prefer ATELIER_WEBHOOK_SECRET."),
    count: text("listen: exit after this many deliveries."),
    jsonl: flag("listen: print one JSON object per delivery."),
    type: texts("endpoints add: an event that is sent there; repeat it."),
    tag: text("endpoints add: only about things with this tag: key=value."),
    model: text("endpoints add: only this model, provider or partner."),
    deployment: text("endpoints add: only this deployment (its id)."),
    description: text("endpoints add: a word for people."),
    status: text("log: only deliveries with this status."),
    subject: text("log: only deliveries about this job, task or prompt."),
    endpoint: text("log: only deliveries for this endpoint (its id)."),
    limit: text("log: list at most this many (default: 20)."),
    remove: flag("allow: stop allowing these targets, or all of them if none is named."),
    rotate: flag("secret: create a new one; the old one keeps signing too for a day."),
    ...yesOption,
    ...connectionOptions,
  },
  load: async () => (await import("./webhooks-command.ts")).webhooksCommand,
};
