// Parses a manifest, which is TOML. Strict: an error names its line, because the publisher wants to fix it now.
import { parse, TomlError, type TomlTable, type TomlValue } from "smol-toml";

export type { TomlTable, TomlValue };

export class TomlProblem extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.name = "TomlProblem";
    this.line = line;
  }
}

const depthMax = 32;

export const isTable = (value: unknown): value is TomlTable =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

export function readToml(text: string): TomlTable {
  try {
    return parse(text, { maxDepth: depthMax, integersAsBigInt: "asNeeded" });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The library's message continues with a picture of the position.
    const [sentence = ""] = error.message.split("\n");
    throw new TomlProblem(`${sentence}.`, error.line);
  }
}
