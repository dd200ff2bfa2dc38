// Creates a folder and its parents, one by one: Node's recursive mkdir never returns where nothing can be created and nothing
// forbids it, such as below /proc.
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

export async function makeFolder(path: string, mode = 0o700): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent, mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // Another process may have created it first.
    if (!(await isFolder(path))) throw error;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
