// Writes values in other languages, exactly: integers keep every digit, texts every character.
import { writeJson } from "@atelier/sdk";
import { isRecord } from "../../api/json-record.ts";

// Quotes a text as one word for a POSIX shell. Within single quotes only the quote itself is special.
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

interface Manner {
  readonly word: (value: boolean | null) => string;
  readonly integer: (value: bigint) => string;
  readonly name: (name: string) => string;
}

const script: Manner = {
  word: String,
  integer: (value) => `${value}n`,
  // Written as a plain member, this one name would set the prototype.
  name: (name) =>
    name === "__proto__" ? '["__proto__"]' : /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name),
};

const python: Manner = {
  word: (value) => (value === null ? "None" : value ? "True" : "False"),
  integer: String,
  name: (name) => JSON.stringify(name),
};

const json: Manner = { word: String, integer: String, name: (name) => JSON.stringify(name) };

export const scriptLiteral = (value: unknown, indent = ""): string => written(value, script, indent);
export const pythonLiteral = (value: unknown, indent = ""): string => written(value, python, indent, 4);
export const prettyJson = (value: unknown): string => written(value, json, "");

function written(value: unknown, how: Manner, indent: string, step = 2): string {
  const inner = indent + " ".repeat(step);
  if (value === null || typeof value === "boolean") return how.word(value);
  if (typeof value === "bigint") return how.integer(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    if (value.every((each) => typeof each !== "object" || each === null) && value.length <= 8)
      return `[${value.map((each) => written(each ?? null, how, inner, step)).join(", ")}]`;
    return `[\n${value.map((each) => inner + written(each ?? null, how, inner, step)).join(",\n")}\n${indent}]`;
  }
  if (!isRecord(value)) return writeJson(value);
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  if (members.length === 0) return "{}";
  const lines = members.map(([name, each]) => `${inner}${how.name(name)}: ${written(each, how, inner, step)}`);
  return `{\n${lines.join(",\n")}\n${indent}}`;
}
