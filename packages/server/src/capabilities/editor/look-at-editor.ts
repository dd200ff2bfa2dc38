// Whether the editor is installed, tested and whole.
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Finding, problem, warning, well } from "../../foundation/looks/finding.ts";
import { readInstalled } from "./installed-editor.ts";
import { editorPackage, newestTested } from "./tested-versions.ts";

// A file that is listed but gone would leave people with an empty page.
export async function lookAtEditor(home: string): Promise<Finding> {
  const installed = await readInstalled(resolve(home));
  if (installed === null) return well("editor", "not installed; get it with atelier editor install");
  const { folder, files, version, isTested } = installed;
  const looks = await Promise.all(
    [...files].map(async ([path, { size }]) => (await stat(join(folder, path)).catch(() => null))?.size === size),
  );
  const missing = looks.filter((isThere) => !isThere).length;
  const name = `${editorPackage} ${version}`;
  if (missing > 0) {
    const count = missing === 1 ? "1 file is" : `${missing} files are`;
    return problem("editor", `${name}: ${count} missing or changed`, "run: atelier editor install");
  }
  if (isTested) return well("editor", name);
  return warning(
    "editor",
    `${name} is not a version that we tested`,
    `if it fails: atelier editor install --version ${newestTested}`,
  );
}
