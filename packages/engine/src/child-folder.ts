// The folder that a child shares with us: `in` for files that it reads, `out` for files that it writes, `taken` for outputs
// while we hand them on. The child names files by their paths within. It is not trusted, so nothing that we open, create or
// remove may follow a link that it planted: it can only change `out`, where we never do more than move or unlink a name.
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, type WriteStream } from "node:fs";
import { lstat, readdir, rename, unlink } from "node:fs/promises";
import { join } from "node:path";

export class ChildFolder {
  readonly path: string;
  // Whether the child could open other files as well, so that inputs need not be copied for it.
  isOpen = true;
  #jobs = 0;

  constructor(parent: string) {
    this.path = mkdtempSync(join(parent, "atelier-engine-"));
    for (const name of ["in", "out", "taken"]) mkdirSync(join(this.path, name), { mode: 0o700 });
  }

  forJob(): JobFolder {
    this.#jobs += 1;
    return new JobFolder(this.path, this.#jobs, this.isOpen);
  }

  // Once the child has ended: the folder no longer changes while we walk through it.
  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export class JobFolder {
  readonly isOpen: boolean;
  readonly scratch: string;
  readonly #path: string;
  readonly #number: number;
  #inputs = 0;

  constructor(path: string, number: number, isOpen: boolean) {
    this.#path = path;
    this.#number = number;
    this.isOpen = isOpen;
    this.scratch = join("out", `${number}-`);
  }

  newInput(): { readonly name: string; readonly file: WriteStream } {
    this.#inputs += 1;
    const name = join("in", `${this.#number}-input-${this.#inputs}`);
    return { name, file: createWriteStream(join(this.#path, name), { flags: "wx", mode: 0o640 }) };
  }

  // Moves a finished output to where the child cannot change its name any more.
  async takeOutput(named: string): Promise<{ readonly path: string; readonly sizeBytes: number }> {
    const name = named.startsWith(`${this.scratch}output-`) ? named.slice(this.scratch.length) : "";
    if (!/^output-\d+$/.test(name)) throw new Error("a child named an output outside of its folder");
    const path = join(this.#path, "taken", `${this.#number}-${name}`);
    await rename(join(this.#path, named), path);
    const found = await lstat(path);
    if (found.isFile()) return { path, sizeBytes: found.size };
    await unlink(path).catch(() => {});
    throw new Error("a child saved an output that is not a file");
  }

  async drop(path: string): Promise<void> {
    await unlink(path).catch(() => {});
  }

  // Folders that a child made stay until it ends.
  async empty(): Promise<void> {
    for (const folder of ["in", "out", "taken"].map((name) => join(this.#path, name)))
      for (const name of await readdir(folder).catch(() => [])) await unlink(join(folder, name)).catch(() => {});
  }
}
