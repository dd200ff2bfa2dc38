// The fenced code blocks of README, every page in docs and every guide, in reading order.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "./command-line.ts";

export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  // The file that the reader saves it as, if the fence names one: ```json film.json
  readonly file: string | null;
  readonly text: string;
}

export const pages: readonly string[] = [
  "README.md",
  ...globSync("docs/{*,guides/*}.md", { cwd: checkout }).toSorted(),
];

export function blocksOf(page: string): readonly Block[] {
  return blocksIn(page, readFileSync(join(checkout, page), "utf8"));
}

export function blocksIn(page: string, text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { readonly line: number; readonly info: string; readonly lines: string[] } | null = null;
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^\s*```(.*)$/.exec(line);
    if (fence === null) open?.lines.push(line);
    else if (open === null) open = { line: index + 1, info: (fence[1] ?? "").trim(), lines: [] };
    else {
      const [language = "", file = null] = open.info.split(" ");
      blocks.push({ page, line: open.line, language, file, text: `${open.lines.join("\n")}\n` });
      open = null;
    }
  }
  if (open !== null) throw new Error(`${page}:${open.line}: a block that does not end`);
  return blocks;
}

// Parses several JSON values written one after the other.
export function jsonValues(text: string): unknown[] {
  const values: unknown[] = [];
  let rest = "";
  for (const line of text.split("\n")) {
    rest += `${line}\n`;
    if (rest.trim() === "") continue;
    try {
      values.push(JSON.parse(rest));
      rest = "";
    } catch {}
  }
  if (rest.trim() !== "") JSON.parse(rest);
  return values;
}
