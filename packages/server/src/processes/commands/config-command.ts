// `atelier config`: every setting with its value and the source of the value. Secrets are shown as ***.
import { settingTable } from "../../config.ts";
import { flagOf } from "../../foundation/settings.ts";
import { type Command, readCommand } from "./command.ts";

export const configCommand: Command = {
  async run(listed, input) {
    const { config, sources } = readCommand(listed, input);
    const values: Record<string, unknown> = { ...config };
    const rows = Object.entries(settingTable).map(([key, setting]) => ({
      setting: key,
      env: setting.env,
      flag: `--${flagOf(key)}`,
      value: setting.secret && values[key] !== null ? "***" : values[key],
      source: sources[key as keyof typeof sources],
      about: setting.about,
    }));
    const shown = (value: unknown) =>
      value === null ? null : Array.isArray(value) ? value.join(",") || null : String(value);
    return {
      data: rows,
      text: {
        columns: ["setting", "value", "source"],
        rows: rows.map((row) => [row.env, shown(row.value), row.source]),
      },
    };
  },
};
