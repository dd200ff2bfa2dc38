// The help of `atelier budgets`.
import type { ListedCommand } from "@atelier/server/commands";
import { connectionOptions, yesOption } from "../connection-options.ts";
import { flag, text, texts } from "../options.ts";

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
    per: text("set: day, week or month, in UTC (default: month)."),
    "of-key": text("set: only calls of this key (its id) and of tokens made from it."),
    tag: text("set: only calls with this tag: key=value."),
    "end-user": text("set: only calls for this person."),
    warn: flag("set: at 100 %, send the alert and let calls continue."),
    "webhook-url": text("set: send alerts at 50, 80 and 100 % to this URL."),
    email: texts("set: also send alerts to this address, besides owners and billing people. Repeatable."),
    on: flag("odd: report hours that cost far more than usual."),
    off: flag("odd: do not."),
    "at-least": text("odd: less than this in an hour is never odd, in credits."),
    ...yesOption,
    ...connectionOptions,
  },
  load: async () => (await import("./budgets-command.ts")).budgetsCommand,
};
