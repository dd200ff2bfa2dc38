// A folder that was named, and those above it. Folder by folder: Node's own way of making all of them never ends where
// nothing can be made and nothing forbids it, such as below /proc.
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

export async function makeFolder(path: string, mode = 0o700): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent, mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // Another process may have been faster.
    if (!(await isFolder(path))) throw error;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
