// The files below a folder, by relative path with forward slashes, in bytewise order. Links are followed, because weights
// often lie on another disk; a folder that was seen before is not entered again, so circular links end.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

export interface ListedFile {
  readonly path: string;
  readonly file: string;
  readonly bytes: number;
  // Changes whenever the bytes change.
  readonly stamp: string;
}

export interface Listing {
  readonly folder: string;
  isSkipped(name: string): boolean;
  readonly filesMax: number;
}

const depthMax = 32;

export class TooManyFiles extends Error {}

export async function listFiles({ folder, isSkipped, filesMax }: Listing): Promise<ListedFile[]> {
  const found: ListedFile[] = [];
  const entered = new Set<string>();

  async function enter(path: string, depth: number): Promise<void> {
    const at = join(folder, path);
    const own = await stat(at, { bigint: true }).catch(() => null);
    if (own === null || !own.isDirectory() || depth > depthMax) return;
    const identity = `${own.dev}:${own.ino}`;
    if (entered.has(identity)) return;
    entered.add(identity);
    for (const name of await readdir(at).catch(() => [])) {
      if (isSkipped(name)) continue;
      const below = path === "" ? name : `${path}/${name}`;
      const file = join(at, name);
      // A link to nowhere, or a file that went away meanwhile.
      const facts = await stat(file, { bigint: true }).catch(() => null);
      if (facts?.isDirectory()) await enter(below, depth + 1);
      else if (facts?.isFile()) {
        if (found.length >= filesMax) throw new TooManyFiles(`More than ${filesMax} files in ${folder}.`);
        const stamp = [facts.dev, facts.ino, facts.size, facts.mtimeNs].join(":");
        found.push({ path: below, file, bytes: Number(facts.size), stamp });
      }
    }
  }

  await enter("", 0);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
