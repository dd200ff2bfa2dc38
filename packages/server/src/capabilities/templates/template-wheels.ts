// The package of public templates, as wheels: fetched by the machine's own Python package client, which knows its index, its
// proxy and the packages' hashes. Nothing of it is part of this program.
import { execFile } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { UsageProblem } from "../../foundation/settings.ts";
import { readEntries } from "./wheel-entries.ts";

export const templatesPackage = "comfyui-workflow-templates";
const part = new RegExp(`^Requires-Dist: (${templatesPackage}-(json|media)[\\w-]*)==([\\w.]+)\\s*$`, "gm");

export interface AskedWheels {
  // Where to put them.
  readonly folder: string;
  // Absent: the newest.
  readonly version?: string | undefined;
  readonly isWithPictures: boolean;
  say(line: string): void;
}

// The paths of the wheels, that of the package itself first.
export async function downloadWheels({
  folder,
  version,
  isWithPictures,
  say,
}: AskedWheels): Promise<readonly string[]> {
  say(`Looking for ${templatesPackage}${version === undefined ? "" : ` ${version}`}`);
  const whole = await download(folder, version === undefined ? templatesPackage : `${templatesPackage}==${version}`);
  const parts = (await partsOf(whole)).filter(({ name }) => isWithPictures || name.endsWith("-json"));
  const wheels = [whole];
  for (const { name, version: exact } of parts) {
    say(`Downloading ${name} ${exact}`);
    wheels.push(await download(folder, `${name}==${exact}`));
  }
  return wheels;
}

async function partsOf(wheel: string): Promise<readonly { readonly name: string; readonly version: string }[]> {
  for await (const { path, bytes } of readEntries(wheel, (each) => each.endsWith(".dist-info/METADATA"))) {
    const named = [...(await bytes()).toString().matchAll(part)].map(([, name = "", , version = ""]) => ({
      name,
      version,
    }));
    if (path !== "") return named;
  }
  return [];
}

// Each into a folder of its own, so that what came is known.
async function download(folder: string, asked: string): Promise<string> {
  const own = join(folder, asked.replaceAll(/[^\w.-]/g, "_"));
  await mkdir(own, { recursive: true });
  const words = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"];
  await promisify(execFile)("python3", [...words, "--dest", own, asked], { maxBuffer: 2 ** 24 }).catch(
    (error: unknown) => {
      throw new UsageProblem([whyNot(error, asked)]);
    },
  );
  const wheel = (await readdir(own)).find((file) => file.endsWith(".whl"));
  if (wheel === undefined) throw new UsageProblem([`pip downloaded no wheel for ${asked}.`]);
  return join(own, wheel);
}

function whyNot(error: unknown, asked: string): string {
  const { code, stderr } =
    typeof error === "object" && error !== null ? (error as { code?: unknown; stderr?: unknown }) : {};
  const offline = "Or download the wheels elsewhere and name them: atelier templates install <wheel …>";
  if (code === "ENOENT") return `Downloading needs python3 with pip, which is not installed here. ${offline}`;
  const last =
    String(stderr ?? "")
      .trim()
      .split("\n")
      .at(-1) ?? "";
  return `pip could not download ${asked}: ${last} ${offline}`;
}
