// Reads JSON files that people write, and reports where one is invalid and on which line something is.
import { readFile } from "node:fs/promises";
import { UsageProblem } from "../settings.ts";
import { findSpan } from "./json-spans.ts";

export interface JsonFile {
  readonly path: string;
  readonly value: unknown;
  // The line of the value at a JSON pointer, or of its nearest existing parent: a missing member has no line.
  lineOf(pointer: string): number;
}

// Both start at 1; the column counts characters.
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

// Where the value at a JSON pointer begins, or its nearest existing parent, in a text that is JSON.
export function positionOf(bytes: Buffer, pointer: string): TextPosition {
  const before = bytes.subarray(0, nearest(bytes, pointer)).toString("utf8");
  return { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") };
}

// `parse`: what reads the text, if not the runtime's parser. It throws the same errors.
export async function readJsonFile(path: string, parse: (text: string) => unknown = JSON.parse): Promise<JsonFile> {
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) throw new UsageProblem([`Cannot read ${path}.`]);
  const text = bytes.toString("utf8");
  return { path, value: parsed(path, text, parse), lineOf: (pointer) => positionOf(bytes, pointer).line };
}

export function parsed(path: string, text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new UsageProblem([`${path} is not JSON: ${whereOf(error, text)}.`]);
  }
}

// The parser's message contains a position and what it found there.
function whereOf(error: unknown, text: string): string {
  const said = error instanceof Error ? error.message : "";
  const [, words = said, at] = /^(.*?)(?: in JSON)? at position (\d+)/.exec(said) ?? [];
  if (at === undefined) return text.trim() === "" ? "it is empty" : words;
  const before = text.slice(0, Number(at)).split("\n");
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}: ${words.toLowerCase()}`;
}

function nearest(bytes: Buffer, pointer: string): number {
  for (let rest = pointer; ; rest = rest.slice(0, Math.max(0, rest.lastIndexOf("/")))) {
    const span = findSpan(bytes, rest);
    if (span || rest === "") return span?.start ?? 0;
  }
}
