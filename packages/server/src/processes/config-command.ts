// `atelier config`: every setting with its value and where the value comes from. Secrets are shown as ***.
import { settingTable } from "../config.ts";
import { flagOf } from "../foundation/settings.ts";
import { type Command, readCommand } from "./command.ts";

export const configCommand: Command = {
  name: "config",
  about: "Show every setting, its value and where the value comes from.",
  usage: "config [--any-setting value]",
  examples: ["atelier config", "atelier config --json"],
  options: {},
  async run(input) {
    const { config, sources } = readCommand(configCommand, input);
    const values: Record<string, unknown> = { ...config };
    const rows = Object.entries(settingTable).map(([key, setting]) => ({
      setting: key,
      env: setting.env,
      flag: `--${flagOf(key)}`,
      value: setting.secret && values[key] !== null ? "***" : values[key],
      source: sources[key as keyof typeof sources],
      about: setting.about,
    }));
    const width = (pick: (row: (typeof rows)[number]) => string) => Math.max(...rows.map((row) => pick(row).length));
    const envWidth = width((row) => row.env);
    const shown = (value: unknown) =>
      value === null ? "-" : Array.isArray(value) ? value.join(",") || "-" : String(value);
    const valueWidth = Math.min(
      48,
      width((row) => shown(row.value)),
    );
    const text = rows
      .map((row) => `${row.env.padEnd(envWidth)}  ${shown(row.value).padEnd(valueWidth)}  ${row.source}`)
      .join("\n");
    return { data: rows, text };
  },
};
