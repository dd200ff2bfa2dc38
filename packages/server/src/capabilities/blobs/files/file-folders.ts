// Creates folders that survive a power cut: a new folder counts only once its parent is on disk too. Each is ensured once
// per process, since a folder made by another process may not have reached the disk yet.
import { dirname, join } from "node:path";
import { isErrno } from "../storage-fault.ts";
import type { FileCalls } from "./file-calls.ts";

export interface Folders {
  // Takes and returns a path relative to the directory. Resolves when the folder and its parents are durable.
  ensure(folder: string): Promise<string>;
  // Makes added and removed names in it durable.
  sync(folder: string): Promise<void>;
}

export function durableFolders(files: FileCalls, directory: string): Folders {
  const made = new Map<string, Promise<string>>();
  const durable = new Map<string, Promise<string>>();

  // Flushes along a path need not wait for each other, only for what they flush.
  const ensure = (folder: string): Promise<string> =>
    once(durable, folder, async () => {
      await makeOnce(folder);
      return flushWay(folder);
    });

  const makeOnce = (folder: string): Promise<string> => once(made, folder, () => make(folder));

  async function make(folder: string): Promise<string> {
    if (folder === ".") {
      await files.mkdir(directory, { recursive: true, mode: 0o700 });
      return folder;
    }
    await makeOnce(dirname(folder));
    await files.mkdir(join(directory, folder), { mode: 0o700 }).catch((thrown: unknown) => {
      if (!isErrno(thrown, "EEXIST")) throw thrown;
    });
    return folder;
  }

  async function flushWay(folder: string): Promise<string> {
    if (folder === ".") await syncPath(files, dirname(directory));
    else await Promise.all([ensure(dirname(folder)), syncPath(files, join(directory, dirname(folder)))]);
    return folder;
  }

  return { ensure, sync: (folder) => syncPath(files, join(directory, folder)) };
}

// A failure is forgotten, so that the next call tries again.
function once(known: Map<string, Promise<string>>, folder: string, run: () => Promise<string>): Promise<string> {
  const running = known.get(folder) ?? run();
  known.set(folder, running);
  running.catch(() => known.delete(folder));
  return running;
}

// If folders cannot be opened (Windows), the file system makes names durable on its own. A failed flush is an error.
export async function syncPath(files: FileCalls, path: string): Promise<void> {
  let handle: Awaited<ReturnType<FileCalls["open"]>>;
  try {
    handle = await files.open(path, "r");
  } catch (thrown) {
    if (isErrno(thrown, "EISDIR") || isErrno(thrown, "EPERM")) return;
    throw thrown;
  }
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
