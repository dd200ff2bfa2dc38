// Makes custom_nodes hold exactly the packs of a lock. A pack comes from the registry by id and version; its archive must
// have the registry's hash, and each file the hash in the lock. Only files that the lock names are written, at the size it
// names, so an archive can put nothing else anywhere. A pack appears under its name when it is complete.
import { createHash } from "node:crypto";
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { request } from "undici";
import type { Entry, ZipFile } from "yauzl";
import { type FileHashing, findPacks, type Hasher, type LockedPack, lockPack } from "../environments/index.ts";
import { FillProblem } from "./fill-problem.ts";
import { moveAside, placeInside } from "./inside-folder.ts";

export interface FillPacksDeps {
  // The server's address. Its registry answers for other registries that it mirrors.
  readonly serverUrl: string;
  readonly hashing: Pick<FileHashing, "hash">;
  readonly blake3: () => Promise<Hasher>;
  readonly signal: AbortSignal;
  onProgress(name: string): void;
}

export interface FilledPacks {
  readonly installed: readonly string[];
  readonly disabled: readonly string[];
}

const archiveBytesMax = 1024 ** 3;

export async function fillPacks(
  deps: FillPacksDeps,
  folder: string,
  packs: readonly LockedPack[],
): Promise<FilledPacks> {
  const here = new Map((await findPacks(folder)).map((pack) => [pack.name, pack]));
  const installed: string[] = [];
  const problems: string[] = [];
  for (const pack of packs) {
    deps.onProgress(pack.name);
    const found = here.get(pack.name);
    const own = found === undefined ? null : await lockPack(found, (file) => deps.hashing.hash(file));
    if (own !== null && isSame(own, pack)) continue;
    try {
      await install(deps, folder, pack);
      installed.push(pack.name);
    } catch (thrown) {
      if (!(thrown instanceof FillProblem)) throw thrown;
      problems.push(`${pack.name}: ${thrown.message}`);
    }
  }
  if (problems.length > 0) throw new FillProblem(problems.slice(0, 5).join(" "));
  const named = new Set(packs.map(({ name }) => name));
  const disabled = [...here.keys()].filter((name) => !named.has(name));
  // As the application's own manager switches a pack off.
  for (const name of disabled) await moveAside(join(folder, name), join(folder, `${name}.disabled`));
  return { installed, disabled };
}

function isSame(one: LockedPack, other: LockedPack): boolean {
  const files = new Map(other.files.map(({ path, sha256 }) => [path, sha256]));
  return one.files.length === files.size && one.files.every(({ path, sha256 }) => files.get(path) === sha256);
}

async function install(deps: FillPacksDeps, folder: string, pack: LockedPack): Promise<void> {
  const { name, id, version } = pack;
  if (id === null || version === null)
    throw new FillProblem("It has no id and version, so no registry has it. Copy it by hand, or publish it.");
  const target = await placeInside(folder, name);
  const part = join(dirname(target), `.${basename(target)}.atelier-part`);
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true });
  try {
    const archive = join(part, ".archive");
    await download(deps, await locate(deps, id, version), archive);
    await unpack(archive, part, pack);
    await rm(archive);
    await moveAside(target, `${target}.disabled`);
    await rename(part, target);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

interface Located {
  readonly url: string;
  readonly hash: string | null;
}

async function locate({ serverUrl, signal }: FillPacksDeps, id: string, version: string): Promise<Located> {
  const path = `/nodes/${encodeURIComponent(id)}/install?version=${encodeURIComponent(version)}`;
  const { statusCode, body } = await request(`${serverUrl}${path}`, { signal });
  const said: unknown = await body.json().catch(() => null);
  if (statusCode !== 200 || typeof said !== "object" || said === null)
    throw new FillProblem(`The registry does not offer ${id} ${version} (${statusCode}).`);
  const { downloadUrl: url, archive_hash: hash } = said as Record<string, unknown>;
  if (typeof url !== "string") throw new FillProblem(`${id} ${version} has no archive yet.`);
  return { url: new URL(url, serverUrl).href, hash: typeof hash === "string" ? hash.replace(/^blake3:/, "") : null };
}

async function download({ blake3, signal }: FillPacksDeps, { url, hash }: Located, file: string): Promise<void> {
  const { statusCode, body } = await request(url, { signal });
  if (statusCode !== 200) throw new FillProblem(`Its archive could not be fetched (${statusCode}).`);
  const [hasher, handle] = [await blake3(), await open(file, "wx")];
  try {
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > archiveBytesMax) throw new FillProblem("Its archive is too large.");
      hasher.update(chunk);
      await handle.writeFile(chunk);
    }
  } finally {
    await handle.close();
  }
  if (hash !== null && hasher.digest() !== hash)
    throw new FillProblem("Its archive is not the one that was published: the hash does not match.");
}

async function unpack(archive: string, folder: string, pack: LockedPack): Promise<void> {
  const { default: yauzl } = await import("yauzl");
  const zip = await yauzl.openPromise(archive, { lazyEntries: true, autoClose: false }).catch(() => {
    throw new FillProblem("Its archive is not a zip file.");
  });
  try {
    const wanted = new Map(pack.files.map((file) => [file.path, file]));
    for await (const entry of zip.eachEntry()) {
      const file = wanted.get(entry.fileName);
      if (file === undefined) continue;
      wanted.delete(entry.fileName);
      const bytes = entry.uncompressedSize === file.bytes ? await read(zip, entry) : null;
      if (bytes === null || createHash("sha256").update(bytes).digest("hex") !== file.sha256)
        throw new FillProblem(
          `${file.path} of version ${pack.version} is not the file that the lock names: it was edited.`,
        );
      await writeFile(await placeInside(folder, file.path), bytes, { flag: "wx" });
    }
    const [lost] = wanted.keys();
    if (lost !== undefined) throw new FillProblem(`${lost} is not in version ${pack.version}: the lock names it.`);
  } catch (thrown) {
    throw thrown instanceof FillProblem ? thrown : new FillProblem(`Its archive is damaged: ${String(thrown)}.`);
  } finally {
    zip.close();
  }
}

// The size is known to be the lock's, which bounds the memory.
async function read(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const bytes = Buffer.concat(await Array.fromAsync(await zip.openReadStreamPromise(entry)));
  if (crc32(bytes) !== entry.crc32) throw new FillProblem(`${entry.fileName} in its archive is damaged.`);
  return bytes;
}

// What an earlier fill left behind when it was killed.
export async function sweepPacks(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (/^\..*\.atelier-part$/.test(name)) await rm(join(folder, name), { recursive: true, force: true });
}
