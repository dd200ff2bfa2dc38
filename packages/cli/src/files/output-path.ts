// Checks that a command's output has somewhere to go before anything is sent or paid for. We check by trying, because
// permissions do not tell the whole story (root has every right, and still cannot create anything below /proc).
import { existsSync, mkdirSync, rmdirSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ClientProblem } from "../server/client-problem.ts";
import { uniqueName } from "./unique-name.ts";

// The folder is created with the first file, so a command without output leaves no folder behind.
export function requireFolder(path: string): string {
  if (path === "") throw problem("-o needs a value.", "name a folder with -o");
  const isFolder = lookedUp(path)?.isDirectory();
  if (isFolder === false) throw problem(`${path} is not a folder.`, "name a folder with -o");
  tryIn(isFolder === true ? path : nearestAncestor(path));
  return path;
}

// A file that will be replaced, or created with its folders. A device or a pipe is fine too: we write to it directly.
export function requireFile(path: string): string {
  if (path === "") throw problem("-o needs a value.", "name a file with -o");
  const there = lookedUp(path);
  if (there?.isDirectory()) throw problem(`${path} is a folder.`, "name a file with -o");
  if (there === undefined || there.isFile()) requireFolder(dirname(path));
  return path;
}

// Folder by folder, because Node's recursive mkdir never returns where nothing can be created and nothing forbids it.
export function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process was faster.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

// The nearest existing folder, in which the others will be created.
function nearestAncestor(path: string): string {
  const parent = dirname(resolve(path));
  const found = lookedUp(parent);
  if (found === undefined && parent !== dirname(parent)) return nearestAncestor(parent);
  if (found?.isDirectory() === true) return parent;
  throw problem(`${parent} is not a folder.`, "choose another location");
}

function lookedUp(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw problem(`Cannot access ${path} (${codeOf(error)}).`, "choose another location");
  }
}

function tryIn(folder: string): void {
  const trial = join(folder, `.${uniqueName()}.part`);
  try {
    mkdirSync(trial);
    rmdirSync(trial);
  } catch (error) {
    const code = codeOf(error);
    const hint = code === "ENOSPC" ? "free some space, or choose another location" : "choose another location";
    throw problem(`Cannot write to ${folder} (${code}).`, hint);
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);

const problem = (sentence: string, hint: string): ClientProblem =>
  new ClientProblem("usage", "usage", sentence, { hint });
