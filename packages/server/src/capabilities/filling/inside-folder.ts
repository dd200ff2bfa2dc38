// Paths that a fill writes to. A lock comes from another machine, so nothing it names may lead outside of the folder, not
// even through a link inside it. The folder itself may be a link: that is the operator's own choice.
import { lstat, mkdir, realpath, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isInsidePath } from "../environments/index.ts";
import { FillProblem } from "./fill-problem.ts";

// Makes the folders above `path` and returns where it is. Throws if one of them is a link or not a folder.
export async function placeInside(folder: string, path: string): Promise<string> {
  if (!isInsidePath(path)) throw new FillProblem(`The path ${JSON.stringify(path)} leads outside of its folder.`);
  await mkdir(folder, { recursive: true });
  let at = await realpath(folder);
  const segments = path.split("/");
  const name = segments.pop() ?? "";
  for (const segment of segments) {
    at = join(at, segment);
    const found = await lstat(at).catch(() => null);
    if (found === null) await mkdir(at);
    else if (found.isSymbolicLink())
      throw new FillProblem(`${at} is a link. A fill writes only inside of its folder: replace the link by a folder.`);
    else if (!found.isDirectory()) throw new FillProblem(`${at} is in the way: it is not a folder.`);
  }
  return join(at, name);
}

// Moves what is in the way to a folder next to it, so that the operator loses nothing. Does nothing if nothing is in the way.
export async function moveAside(path: string, aside: string): Promise<boolean> {
  if ((await lstat(path).catch(() => null)) === null) return false;
  await mkdir(dirname(aside), { recursive: true });
  let free = aside;
  for (let turn = 1; (await lstat(free).catch(() => null)) !== null; turn += 1) free = `${aside}.${turn}`;
  await rename(path, free);
  return true;
}
