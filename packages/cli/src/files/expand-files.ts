// Resolves what was typed to files: one file, all files of a folder, or a pattern that the shell did not expand.
import { globSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ClientProblem } from "../server/client-problem.ts";
import { unreadable } from "./unreadable.ts";

export function expandFiles(text: string): readonly string[] {
  const there = statSync(text, { throwIfNoEntry: false });
  if (there?.isDirectory()) return some(text, inOrder(plainFiles(text)));
  if (there !== undefined) return [text];
  if (!/[*?[\]{}]/.test(text)) throw unreadable(text, { code: "ENOENT" });
  return some(
    text,
    inOrder(globSync(text).filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)),
  );
}

function some(text: string, files: readonly string[]): readonly string[] {
  if (files.length > 0) return files;
  throw new ClientProblem("usage", "usage", `No file matches ${text}.`, {
    hint: `paths are relative to ${process.cwd()}`,
  });
}

const plainFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isFile() && !each.name.startsWith("."))
    .map((each) => join(folder, each.name));

// Natural order: 2 before 10.
const inOrder = (paths: readonly string[]): string[] =>
  paths.toSorted((one, other) => one.localeCompare(other, "en", { numeric: true }));
