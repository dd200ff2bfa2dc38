import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

// CHANGELOG.md is at the top of a checkout; a build puts it next to the built files.
export async function releaseNotes(): Promise<string> {
  for (const path of ["../CHANGELOG.md", "../../../../CHANGELOG.md"]) {
    const text = await readFile(resolve(import.meta.dirname, path), "utf8").catch(() => null);
    if (text !== null) return text;
  }
  return "# Release notes\n";
}
