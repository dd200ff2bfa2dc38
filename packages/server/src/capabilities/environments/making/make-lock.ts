// Writes down the environment of an application from its folder, and from the application itself if it is running.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { EnvironmentLock, LockedWeight } from "../lock/environment-lock.ts";
import { gitCommit } from "./git-commit.ts";
import { type HashingDeps, openHashing } from "./hash-files.ts";
import { type ListedFile, listFiles } from "./list-files.ts";
import { findPacks, lockPack } from "./read-packs.ts";
import { type Interpreter, readPython } from "./read-python.ts";

// What a running application says of itself.
export interface RunningApplication {
  readonly version: string;
  readonly classes: Readonly<Record<string, string>>;
  readonly arguments: readonly string[];
}

export interface LockRequest extends Omit<HashingDeps, "onRead"> {
  // The application's base folder, with custom_nodes and models.
  readonly folder: string;
  // Further folders laid out like models.
  readonly weightFolders: readonly string[];
  // The interpreter. Null leaves Python out.
  readonly python: Interpreter | null;
  readonly running: RunningApplication | null;
  onProgress?(progress: LockProgress): void;
}

export interface LockProgress {
  readonly name: string;
  readonly bytesRead: number;
  // What is left to read at the start; files that are remembered do not count.
  readonly bytesTotal: number;
}

export class NoApplication extends Error {}

const weightsMax = 100_000;
// Notes that installers leave, and downloads under way.
const isNoWeight = (name: string) =>
  name.startsWith(".") || /^put_.*_here$/.test(name) || /\.(part|tmp|lock|md|txt|crdownload|aria2)$/i.test(name);

export async function makeLock(request: LockRequest): Promise<EnvironmentLock> {
  const { folder, running } = request;
  const isFolder = await stat(folder).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new NoApplication(`There is no folder ${folder}.`);
  const version = (await writtenVersion(folder)) ?? running?.version ?? null;
  if (version === null)
    throw new NoApplication(
      `${folder} does not look like an application: comfyui_version.py is missing, and no application is running to ask.`,
    );
  const weights = await findWeights(request);
  const packs = await findPacks(join(folder, "custom_nodes"));
  const progress = { name: "", bytesRead: 0, bytesTotal: 0 };
  const hashing = await openHashing({
    ...request,
    onRead(bytes) {
      progress.bytesRead += bytes;
      request.onProgress?.({ ...progress });
    },
  });
  const files = [...weights, ...packs.flatMap((pack) => pack.files)];
  progress.bytesTotal = files.reduce((sum, file) => sum + (hashing.isKnown(file) ? 0 : file.bytes), 0);
  try {
    const hash = (file: ListedFile) => {
      progress.name = file.path;
      return hashing.hash(file);
    };
    const locked: LockedWeight[] = [];
    for (const { file, path, bytes, stamp } of weights)
      locked.push({ path, bytes, ...(await hash({ file, path, bytes, stamp })) });
    const lockedPacks = [];
    for (const pack of packs) lockedPacks.push(await lockPack(pack, hash));
    return {
      atelier_lock: 1,
      application: { version, commit: await gitCommit(folder) },
      packs: lockedPacks,
      python: request.python === null ? null : await readPython(request.python),
      weights: locked,
      classes: running === null ? null : inOrder(running.classes),
      arguments: running === null ? null : running.arguments,
    };
  } finally {
    // Also after a failure, so that an interrupted lock goes on where it stopped.
    await hashing.close();
  }
}

// The first folder that has a path counts, as in the application.
async function findWeights({ folder, weightFolders }: LockRequest): Promise<ListedFile[]> {
  const found = new Map<string, ListedFile>();
  for (const each of [join(folder, "models"), ...weightFolders])
    for (const file of await listWeights(each)) if (!found.has(file.path)) found.set(file.path, file);
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

// What counts as a weight in a folder laid out like models.
export async function listWeights(folder: string): Promise<ListedFile[]> {
  const files = await listFiles({ folder, isSkipped: isNoWeight, filesMax: weightsMax });
  return files.filter(({ bytes, path }) => bytes > 0 && path.includes("/"));
}

export async function writtenVersion(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, "comfyui_version.py"), "utf8").catch(() => "");
  return /^__version__\s*=\s*["']([\w.+-]{1,100})["']/m.exec(text)?.[1] ?? null;
}

function inOrder(classes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(classes).sort(([a], [b]) => (a < b ? -1 : 1)));
}
