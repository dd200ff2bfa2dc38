// The commit that is checked out in a folder, read from the repository's own files: nothing is started, and git need not be
// installed.
import { readFile } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";

const commit = /^[0-9a-f]{40}([0-9a-f]{24})?$/;
const linksMax = 5;

// Null if the folder is not a repository, or has no commit yet.
export async function gitCommit(folder: string): Promise<string | null> {
  const repository = await repositoryOf(folder);
  if (repository === null) return null;
  // Work trees share the branches of the repository they belong to.
  const shared = (await textOf(join(repository, "commondir"))) ?? ".";
  const common = resolve(repository, shared);
  let said = await textOf(join(repository, "HEAD"));
  for (let links = 0; said !== null && links < linksMax; links += 1) {
    if (commit.test(said)) return said;
    const [, name] = /^ref: (refs\/[\w./-]+)$/.exec(said) ?? [];
    if (name === undefined || name.includes("..")) return null;
    said = (await textOf(join(repository, name))) ?? (await textOf(join(common, name))) ?? (await packed(common, name));
  }
  return null;
}

async function repositoryOf(folder: string): Promise<string | null> {
  const path = join(folder, ".git");
  if ((await textOf(join(path, "HEAD"))) !== null) return path;
  // A file that names the folder: work trees and submodules.
  const [, named] = /^gitdir: (.+)$/.exec((await textOf(path)) ?? "") ?? [];
  if (named === undefined) return null;
  return isAbsolute(named) ? named : resolve(folder, named);
}

async function packed(repository: string, name: string): Promise<string | null> {
  const lines = ((await textOf(join(repository, "packed-refs"))) ?? "").split("\n");
  return lines.find((line) => line.endsWith(` ${name}`))?.split(" ")[0] ?? null;
}

async function textOf(path: string): Promise<string | null> {
  const text = await readFile(path, "utf8").catch(() => null);
  return text === null ? null : text.trim();
}
