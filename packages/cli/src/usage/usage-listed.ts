import type { ListedCommand } from "@atelier/server/commands";
import { connectionOptions } from "../connection-options.ts";
import { text } from "../options.ts";

export const usageListed: ListedCommand = {
  name: "usage",
  about: "Show what the workspace ran and what it cost, by model, key, tag or day; save every call as a file.",
  usage: ["usage [--by model] [--days 30]", "usage --from 2026-11-01 --to 2026-12-01", "usage --save usage.csv"],
  words: [],
  examples: [
    "atelier usage",
    "atelier usage --by day --days 7",
    "atelier usage --by tag:project --from 2026-11-01",
    "atelier usage --save november.csv --from 2026-11-01 --to 2026-12-01",
  ],
  options: {
    by: text("model, key, outcome, family, end-user, day, or tag:<key> for a tag's values (default: model)."),
    days: text("The last days, up to now: 1 to 366 (default: 30)."),
    from: text("From this day or time on, in UTC."),
    to: text("Until just before this day or time (default: now)."),
    save: text("Save every call of the time to this file: CSV, or JSON lines if it ends in .jsonl."),
    ...connectionOptions,
  },
  load: async () => (await import("./usage-command.ts")).usageCommand,
};
