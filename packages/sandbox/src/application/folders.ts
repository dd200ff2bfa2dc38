// The application's three folders on disk. Names come from untrusted callers, so every path is resolved and must stay inside.
// File counters continue from what is on disk, so that a restart never overwrites an earlier result.
import { randomUUID } from "node:crypto";
import { type Dirent, existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join, relative, resolve, sep } from "node:path";

export const folderNames = ["input", "output", "temp"] as const;
type FolderName = (typeof folderNames)[number];

const modelFolders = ["models/checkpoints", "models/loras", "models/vae"] as const;

interface StoredFile {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: FolderName;
}

// A file to store: its bytes, or a path to copy them from.
type Content = { readonly bytes: Uint8Array } | { readonly path: string };

export class Folders {
  readonly home: string;
  readonly #counters = new Map<string, number>();

  constructor(home: string) {
    this.home = resolve(home);
  }

  // The application empties its temp folder at every start; results stay.
  async open(): Promise<void> {
    await rm(join(this.home, "temp"), { recursive: true, force: true });
    for (const name of [...folderNames, ...modelFolders]) await mkdir(join(this.home, name), { recursive: true });
    this.#counters.clear();
  }

  // null if it would be outside the folder.
  path(folder: FolderName, subfolder: string, filename: string): string | null {
    const root = join(this.home, folder);
    if (subfolder.includes("\0") || filename.includes("\0")) return null;
    const path = resolve(root, subfolder, filename);
    return path.startsWith(root + sep) ? path : null;
  }

  // `name`, `sub/name`, or either with ` [output]`: the value of a loader.
  annotated(text: string): string | null {
    const found = / \[(input|output|temp)\]$/.exec(text);
    const folder = folderNames.find((name) => name === found?.[1]) ?? "input";
    return this.path(folder, "", found ? text.slice(0, found.index) : text);
  }

  isFile(text: string): boolean {
    const path = this.annotated(text);
    return path !== null && existsSync(path) && statSync(path).isFile();
  }

  // Changes whenever the file does; null if there is no file.
  stampOf(text: string): string | null {
    const path = this.annotated(text);
    if (path === null || !existsSync(path)) return null;
    const { mtimeMs, size } = statSync(path);
    return `${path} ${mtimeMs} ${size}`;
  }

  // What a loader's list offers: the files directly in the input folder.
  inputNames(): readonly string[] {
    return namesIn(join(this.home, "input"), (entry) => entry.isFile());
  }

  // The model folders, or the files in one of them; null if there is no such folder.
  modelNames(folder: string): readonly string[] | null {
    const root = join(this.home, "models");
    const path = resolve(root, folder);
    if (folder !== "" && !path.startsWith(root + sep)) return null;
    if (!existsSync(path) || !statSync(path).isDirectory()) return null;
    return namesIn(path, (entry) => (folder === "" ? entry.isDirectory() : entry.isFile()));
  }

  // `<prefix>_<counter>_.<extension>`; null if the prefix leads outside.
  async save(
    folder: FolderName,
    name: { prefix: string; extension: string },
    content: Content,
  ): Promise<StoredFile | null> {
    const parts = name.prefix.split("/");
    const prefix = parts.pop() ?? "";
    const subfolder = parts.filter((part) => part !== "").join("/");
    const counter = await this.#nextCounter(folder, subfolder, prefix);
    const filename = `${prefix}_${String(counter).padStart(5, "0")}_.${name.extension}`;
    const path = this.path(folder, subfolder, filename);
    if (path === null) return null;
    if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true });
    await put(path, content);
    return { filename, subfolder, type: folder };
  }

  // Keeps the name if the bytes are the same or `overwrite` is set; otherwise "name (1).ext". null if it is outside.
  async upload(
    folder: FolderName,
    naming: { subfolder: string; filename: string; overwrite: boolean },
    bytes: Uint8Array,
  ): Promise<StoredFile | null> {
    const extension = extname(naming.filename);
    const stem = naming.filename.slice(0, naming.filename.length - extension.length);
    for (let turn = 0; ; turn++) {
      const name = turn === 0 ? naming.filename : `${stem} (${turn})${extension}`;
      const path = this.path(folder, naming.subfolder, name);
      if (path === null) return null;
      const present = naming.overwrite ? null : await readFile(path).catch(() => null);
      if (present !== null && !present.equals(bytes)) continue;
      await mkdir(dirname(path), { recursive: true });
      if (present === null) await put(path, { bytes });
      const root = join(this.home, folder);
      return { filename: name, subfolder: relative(root, dirname(path)).replaceAll(sep, "/"), type: folder };
    }
  }

  async #nextCounter(folder: FolderName, subfolder: string, prefix: string): Promise<number> {
    const key = `${folder}/${subfolder}/${prefix}`;
    const known = this.#counters.get(key) ?? (await this.#lastOnDisk(folder, subfolder, prefix));
    // Another save may have advanced the counter while we read the folder.
    const next = Math.max(known, this.#counters.get(key) ?? 0) + 1;
    this.#counters.set(key, next);
    return next;
  }

  async #lastOnDisk(folder: FolderName, subfolder: string, prefix: string): Promise<number> {
    const path = this.path(folder, subfolder, "x");
    const names = path === null ? [] : await readdir(dirname(path)).catch(() => []);
    const counters = names.map((name) =>
      name.startsWith(`${prefix}_`) ? Number(/^(\d+)_/.exec(name.slice(prefix.length + 1))?.[1] ?? 0) : 0,
    );
    return counters.reduce((highest, counter) => Math.max(highest, counter), 0);
  }
}

function namesIn(path: string, isListed: (entry: Dirent) => boolean): readonly string[] {
  const entries = readdirSync(path, { withFileTypes: true }).filter(isListed);
  return entries.map(({ name }) => name).sort();
}

const smallBytes = 64 * 1024;

// Completely or not at all: a reader of the folder never sees half a file.
async function put(path: string, content: Content): Promise<void> {
  const part = join(dirname(path), `.${randomUUID()}.part`);
  if ("path" in content) await copyFile(content.path, part);
  // A few bytes are written faster than a thread could be asked to.
  else if (content.bytes.byteLength <= smallBytes) writeFileSync(part, content.bytes);
  else await writeFile(part, content.bytes);
  renameSync(part, path);
}
