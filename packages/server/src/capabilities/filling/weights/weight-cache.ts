// Weights on this machine, by their hash: `.atelier` in the models folder, on the same disk, so that a weight gets its place
// there by a link. What the current lock does not need stays for the next one, until a limit or a full disk evicts what was
// not used for longest.
import { mkdir, readdir, readFile, realpath, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface WeightCache {
  fileOf(blake3: string): string;
  partOf(blake3: string): string;
  // These are in use now.
  use(hashes: readonly string[], now: Date): Promise<void>;
  freeBytes(): Promise<number>;
  // How much of an arriving weight is on disk already.
  arrivedBytes(blake3: string): Promise<number>;
  // Removes weights that are not in `kept`, longest unused first, until `isEnough`. Returns how many bytes went.
  evict(kept: ReadonlySet<string>, isEnough: (cachedBytes: number, freed: number) => boolean): Promise<number>;
}

const hashPattern = /^[0-9a-f]{64}$/;

export async function openWeightCache(models: string): Promise<WeightCache> {
  await mkdir(models, { recursive: true });
  const folder = join(await realpath(models), ".atelier");
  await mkdir(folder, { recursive: true });
  const usesFile = join(folder, "uses.json");
  const fileOf = (blake3: string) => join(folder, blake3);
  const partOf = (blake3: string) => join(folder, `${blake3}.part`);
  return {
    fileOf,
    partOf,
    async use(hashes, now) {
      const uses = {
        ...(await readUses(usesFile)),
        ...Object.fromEntries(hashes.map((hash) => [hash, now.toISOString()])),
      };
      const there = new Set(await readdir(folder));
      const kept = Object.entries(uses).filter(([hash]) => there.has(hash));
      await writeFile(`${usesFile}.tmp`, JSON.stringify(Object.fromEntries(kept)));
      await rename(`${usesFile}.tmp`, usesFile);
    },
    async freeBytes() {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    async arrivedBytes(blake3) {
      const found = await stat(partOf(blake3)).catch(() => null);
      return found === null ? 0 : Math.min(found.size, found.blocks * 512);
    },
    async evict(kept, isEnough) {
      const uses = await readUses(usesFile);
      const cached: { hash: string; bytes: number; used: string }[] = [];
      for (const name of await readdir(folder)) {
        const hash = name.replace(/\.part$/, "");
        if (!hashPattern.test(hash)) continue;
        const { blocks } = await stat(join(folder, name));
        if (kept.has(hash)) continue;
        cached.push({ hash: name, bytes: blocks * 512, used: uses[hash] ?? "" });
      }
      let total = cached.reduce((sum, { bytes }) => sum + bytes, 0);
      let freed = 0;
      for (const { hash, bytes } of cached.sort((a, b) => (a.used < b.used ? -1 : 1))) {
        if (isEnough(total, freed)) break;
        await rm(join(folder, hash), { force: true });
        total -= bytes;
        freed += bytes;
      }
      return freed;
    },
  };
}

async function readUses(path: string): Promise<Record<string, string>> {
  try {
    const read: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof read !== "object" || read === null) return {};
    return Object.fromEntries(
      Object.entries(read).filter((each): each is [string, string] => typeof each[1] === "string"),
    );
  } catch {
    return {};
  }
}
