// Reads the TOML of a manifest. A line that cannot be parsed is skipped: we need only a few keys, and newer syntax
// elsewhere must not hide them. Depth and the number of skipped lines are limited.
import { parse, TomlError, type TomlTable, type TomlValue } from "smol-toml";

export type { TomlTable, TomlValue };

const depthMax = 16;
const linesLeftOutMax = 20;

export function readToml(text: string): TomlTable {
  const lines = text.replace(/^\u{feff}/u, "").split(/\r\n?|\n/);
  for (let leftOut = 0; leftOut <= linesLeftOutMax; leftOut++) {
    try {
      return parse(lines.join("\n"), { maxDepth: depthMax, integersAsBigInt: "asNeeded" });
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      lines[error.line - 1] = "";
    }
  }
  return {};
}

export function tableAt(table: TomlTable, name: string): TomlTable {
  const value = Object.hasOwn(table, name) ? table[name] : undefined;
  return isTable(value) ? value : {};
}

export function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === "object" && !Array.isArray(value) && !(value instanceof Date);
}
