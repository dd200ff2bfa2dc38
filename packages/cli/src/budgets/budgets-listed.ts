// The help of `atelier budgets`.
import type { ListedCommand } from "@atelier/server/commands";
import { connectionOptions, yesOption } from "../connection-options.ts";

export const budgetsListed: ListedCommand = {
  name: "budgets",
  about: "Set what the workspace, a key, a tag or an end user may spend in a day, a week or a month.",
  usage: [
    "budgets ls",
    "budgets set <name> <credits> [--per month] [--tag key=value]",
    "budgets show <name>",
    "budgets delete <name>",
    "budgets odd [--on|--off] [--at-least 200]",
  ],
  words: { ls: [], set: ["name", "credits"], show: ["name"], delete: ["name"], odd: [] },
  examples: [
    "atelier budgets set monthly 500",
    "atelier budgets set spring 50 --per week --tag project=spring --webhook-url https://hooks.example.com/atelier",
    "atelier budgets set user-7 2.5 --per day --end-user user-7 --warn",
    "atelier budgets ls",
    "atelier budgets odd --at-least 500",
  ],
  options: {
    per: { type: "string", about: "set: day, week or month, in UTC (default: month)." },
    "of-key": { type: "string", about: "set: only calls of this key (its id) and of tokens made from it." },
    tag: { type: "string", about: "set: only calls with this tag: key=value." },
    "end-user": { type: "string", about: "set: only calls for this person." },
    warn: { type: "boolean", about: "set: at 100 %, send the alert and let calls continue." },
    "webhook-url": { type: "string", about: "set: send alerts at 50, 80 and 100 % to this URL." },
    email: {
      type: "string",
      multiple: true,
      about: "set: also send alerts to this address, besides owners and billing people. Repeatable.",
    },
    on: { type: "boolean", about: "odd: report hours that cost far more than usual." },
    off: { type: "boolean", about: "odd: do not." },
    "at-least": { type: "string", about: "odd: less than this in an hour is never odd, in credits." },
    ...yesOption,
    ...connectionOptions,
  },
  load: async () => (await import("./budgets-command.ts")).budgetsCommand,
};
