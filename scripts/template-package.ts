// The public workflow templates, from PyPI's comfyui-workflow-templates. Downloads go into a folder of the temporary directory,
// because they are not ours to keep.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

export const templatesFolder = join(tmpdir(), "atelier-templates");

export function hasPython(): boolean {
  return spawnSync("python3", ["-m", "pip", "--version"]).status === 0;
}

export function python(words: readonly string[], input = ""): string {
  const { status, stdout, stderr } = spawnSync("python3", words, { input, encoding: "utf8", maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`python3 ${words.slice(0, 4).join(" ")}: ${stderr.slice(-2000)}`);
  return stdout;
}

// Downloads a wheel once and keeps it unpacked, the newest version included.
function unpacked(name: string, version?: string): string {
  const folder = join(templatesFolder, `${name}-${version ?? "newest"}`);
  if (existsSync(join(folder, "done"))) return folder;
  mkdirSync(folder, { recursive: true });
  const asked = version === undefined ? name : `${name}==${version}`;
  python(["-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, asked]);
  for (const wheel of readdirSync(folder).filter((each) => each.endsWith(".whl"))) {
    python(["-m", "zipfile", "-e", join(folder, wheel), folder]);
  }
  writeFileSync(join(folder, "done"), "");
  return folder;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

// Older packages have their templates next to the pictures, newer ones in a separate package.
export function publicTemplates(version: string | undefined): Map<string, unknown> {
  const about = filesBelow(unpacked("comfyui-workflow-templates", version)).find(
    (file) => basename(file) === "METADATA",
  );
  const parts = [
    ...readFileSync(about ?? "", "utf8").matchAll(/^Requires-Dist: (comfyui-workflow-templates-[\w-]+)==([\d.]+)$/gm),
  ];
  const json = parts.filter(([, name = ""]) => name.endsWith("-json"));
  const found = new Map<string, unknown>();
  for (const [, name = "", partVersion = ""] of json.length > 0 ? json : parts) {
    for (const file of filesBelow(unpacked(name, partVersion)).filter((each) => /templates\/[^/]+\.json$/.test(each))) {
      const value: unknown = JSON.parse(readFileSync(file, "utf8"));
      if (typeof value === "object" && value !== null && "nodes" in value && Array.isArray(value.nodes)) {
        found.set(basename(file), value);
      }
    }
  }
  return found;
}
