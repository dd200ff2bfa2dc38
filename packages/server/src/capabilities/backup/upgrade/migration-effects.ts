// What a migration brings and about how long it may take, read from its file: the first comment says what it is for, and each
// statement that reads or writes a whole table takes as long as the table is large.
import type { Migration } from "../../../foundation/database/index.ts";

export interface MigrationEffect {
  readonly number: number;
  readonly name: string;
  // The first comment of the file.
  readonly brings: string;
  readonly seconds: number;
  readonly needsStop: boolean;
}

// Cautious figures of a small machine with a disk: what one second reads or writes.
const bytesPerSecond = 25 * 1024 ** 2;
const leastSeconds = 0.05;
// It keeps servers of older versions out of the books for good.
const stopping = new Set([35]);

const wholeTable = [
  /\bcreate\s+(?:unique\s+)?index\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?\S+\s+on\s+([a-z_]\w*)/gi,
  /\bupdate\s+(?:only\s+)?([a-z_]\w*)\s+(?:as\s+\w+\s+)?set\b/gi,
  /\bdelete\s+from\s+([a-z_]\w*)/gi,
  /\balter\s+table\s+(?:if\s+exists\s+)?([a-z_]\w*)[^;]*?\b(?:add\s+(?:constraint|check|foreign|primary|unique)|set\s+not\s+null|type)\b/gi,
  /\binsert\s+into\s+\w+[^;]*?\bfrom\s+([a-z_]\w*)/gi,
];

export function migrationEffect(
  { number, name, text }: Pick<Migration, "number" | "name" | "text">,
  bytesOf: ReadonlyMap<string, number>,
): MigrationEffect {
  const statements = text.replaceAll(/^\s*--.*$/gm, "");
  const touched = wholeTable.flatMap((pattern) => Array.from(statements.matchAll(pattern), ([, table = ""]) => table));
  const bytes = touched.reduce((sum, table) => sum + (bytesOf.get(table) ?? 0), 0);
  const brings = firstComment(text);
  const needsStop = stopping.has(number) || /\bneeds a stop\b/i.test(brings);
  return { number, name, brings, seconds: leastSeconds + bytes / bytesPerSecond, needsStop };
}

export function firstComment(text: string): string {
  const lines = text.split("\n");
  const begin = lines.findIndex((line) => line.startsWith("--") && !/^--\s*no-transaction\s*$/.test(line));
  if (begin < 0) return "";
  const rest = lines.slice(begin);
  const end = rest.findIndex((line) => !line.startsWith("--"));
  const words = rest.slice(0, end < 0 ? undefined : end).map((line) => line.replace(/^--\s?/, ""));
  return words.join(" ").trim();
}

// The first sentence, short enough for a line.
export function inShort(brings: string, lengthMax = 90): string {
  const [sentence = ""] = brings.split(/(?<=[.:])\s/);
  return sentence.length <= lengthMax ? sentence : `${sentence.slice(0, lengthMax - 1).trimEnd()}…`;
}
