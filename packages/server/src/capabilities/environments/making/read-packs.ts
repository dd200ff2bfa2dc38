// The node packs of an application: every folder and Python file in custom_nodes that it would load, with a hash for each
// file. Which version a pack claims to be says little; its bytes decide.
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "smol-toml";
import { attempt } from "../../../foundation/retry.ts";
import type { LockedFile, LockedPack } from "../lock/environment-lock.ts";
import { gitCommit } from "./git-commit.ts";
import { type ListedFile, listFiles } from "./list-files.ts";

const packsMax = 1_000;
const filesMax = 20_000;

// What running a pack leaves behind, and what version control keeps beside the files.
const leftovers = new Set(["__pycache__", ".git", ".github", ".DS_Store", "Thumbs.db", ".tracking"]);
const isLeftover = (name: string) => leftovers.has(name) || /\.(pyc|pyo|log|tmp|part)$/.test(name);

export interface FoundPack extends Omit<LockedPack, "files"> {
  readonly files: readonly ListedFile[];
}

export async function findPacks(folder: string): Promise<FoundPack[]> {
  const names = (await readdir(folder).catch(() => [])).filter(isLoaded).sort((a, b) => (a < b ? -1 : 1));
  const packs: FoundPack[] = [];
  for (const name of names.slice(0, packsMax)) {
    const pack = await findPack(folder, name);
    if (pack !== null) packs.push(pack);
  }
  return packs;
}

// The application leaves these alone too.
const isLoaded = (name: string) => !name.startsWith(".") && !isLeftover(name) && !name.endsWith(".disabled");

async function findPack(folder: string, name: string): Promise<FoundPack | null> {
  const path = join(folder, name);
  const facts = await stat(path, { bigint: true }).catch(() => null);
  if (facts === null) return null;
  if (facts.isFile()) {
    if (!name.endsWith(".py")) return null;
    const stamp = [facts.dev, facts.ino, facts.size, facts.mtimeNs].join(":");
    const file = { path: name, file: path, bytes: Number(facts.size), stamp };
    return { name, id: null, version: null, commit: null, files: [file] };
  }
  const files = await listFiles({ folder: path, isSkipped: isLeftover, filesMax });
  return { name, ...(await readProject(path)), commit: await gitCommit(path), files };
}

async function readProject(folder: string): Promise<Pick<LockedPack, "id" | "version">> {
  const none = { id: null, version: null };
  const text = await readFile(join(folder, "pyproject.toml"), "utf8").catch(() => null);
  if (text === null) return none;
  const project = attempt<unknown, null>(() => parse(text)["project"], null);
  if (typeof project !== "object" || project === null) return none;
  return { id: shortText(Reflect.get(project, "name")), version: shortText(Reflect.get(project, "version")) };
}

const shortText = (value: unknown) => (typeof value === "string" && value !== "" ? value.slice(0, 100) : null);

export async function lockPack(
  { files, ...pack }: FoundPack,
  hash: (file: ListedFile) => Promise<{ readonly sha256: string }>,
): Promise<LockedPack> {
  const locked: LockedFile[] = [];
  for (const file of files) {
    const { sha256 } = await hash(file);
    locked.push({ path: file.path, bytes: file.bytes, sha256 });
  }
  return { ...pack, files: locked };
}
