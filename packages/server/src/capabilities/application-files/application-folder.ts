// The application's base folder, as far as we may use it: we read files below input, output, temp and models, put models
// in place, and touch nothing else. The four folders themselves may be links made by the operator. Below them nothing may
// lead outside: neither `..`, which the rules for names refuse, nor a link.
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, realpath, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { Fault } from "../../foundation/fault.ts";
import type { ApplicationPath } from "./application-path.ts";

export interface FoundFile {
  // With all links resolved.
  readonly path: string;
  readonly size: number;
  // Changes whenever the bytes change.
  readonly stamp: string;
}

export interface ApplicationFolder {
  // Null if there is no such file. Throws forbidden if the path leads outside or is not a file.
  find(path: ApplicationPath): Promise<FoundFile | null>;
  // Opens the same file and checks that it is unchanged; its bytes come from one handle. Throws output_unavailable if it
  // has disappeared.
  open(file: FoundFile): Promise<FileHandle>;
  // Returns the file's folder, created if needed, and its path in it.
  prepare(path: ApplicationPath): Promise<{ readonly folder: string; readonly target: string }>;
}

export function openApplicationFolder(base: string): ApplicationFolder {
  const rootOf = async (path: ApplicationPath) => {
    const root = await realpath(join(base, path.root)).catch(() => null);
    return root;
  };
  return {
    async find(path) {
      const root = await rootOf(path);
      const real = root && (await realpath(join(root, ...path.segments)).catch(() => null));
      if (!root || !real) return null;
      requireWithin(root, real);
      const found = await stat(real, { bigint: true });
      if (!found.isFile()) throw new Fault("validation_failed", "file_path must name a regular file.");
      const stamp = [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(" ");
      return { path: real, size: Number(found.size), stamp };
    },
    async open(file) {
      // Does not follow a link put there after the check, and never blocks on a pipe.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      const handle = await open(file.path, flags).catch(() => null);
      if (handle === null) throw goneFile();
      const now = await handle.stat();
      if (now.isFile()) return handle;
      await handle.close();
      throw goneFile();
    },
    async prepare(path) {
      const root = await rootOf(path);
      if (root === null) throw new Fault("validation_failed", "The application's folder has no models folder.");
      const target = join(root, ...path.segments);
      const folder = dirname(target);
      // Existing folders must not lead outside; those created below them cannot.
      requireWithin(root, await deepestReal(folder));
      await mkdir(folder, { recursive: true });
      requireWithin(root, await realpath(folder));
      return { folder, target };
    },
  };
}

async function deepestReal(folder: string): Promise<string> {
  for (let path = folder; ; path = dirname(path)) {
    const real = await realpath(path).catch(() => null);
    if (real !== null || dirname(path) === path) return real ?? path;
  }
}

function requireWithin(root: string, real: string): void {
  if (real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)) return;
  throw new Fault("forbidden", "file_path points outside the application's folder.");
}

export function goneFile(): Fault {
  return new Fault("output_unavailable", "This file is not in the application's folder, or was removed.");
}
