// The documents: at the top of a checkout, next to the built files in a package. Read at the first request, and kept: they do not
// change while the program runs.
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Guide } from "./guides.ts";

export function openGuides(): () => Promise<readonly Guide[]> {
  let reading: Promise<readonly Guide[]> | null = null;
  return () => {
    reading ??= readGuides().catch((error: unknown) => {
      reading = null;
      throw error;
    });
    return reading;
  };
}

async function readGuides(): Promise<readonly Guide[]> {
  for (const path of ["../../docs", "../../../../../docs"]) {
    const folder = resolve(import.meta.dirname, path);
    const found = [...(await documentsIn(join(folder, "guides"), true)), ...(await documentsIn(folder, false))];
    if (found.length > 0) return found;
  }
  return [];
}

async function documentsIn(folder: string, isTask: boolean): Promise<readonly Guide[]> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith(".md")).toSorted();
  return Promise.all(
    files.map(async (file) => ({
      name: file.slice(0, -".md".length).toLowerCase(),
      isTask,
      text: await readFile(join(folder, file), "utf8"),
    })),
  );
}
