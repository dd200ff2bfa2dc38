// The package of public templates, as wheels: fetched by the machine's own Python package client, which knows its index, its
// proxy and the packages' hashes. Nothing of it is part of this program.
import { downloadWheel } from "../../foundation/wheels/download-wheel.ts";
import { readEntries } from "../../foundation/wheels/wheel-entries.ts";

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

const offline = "Or download the wheels elsewhere and name them: atelier templates install <wheel …>";
const download = (folder: string, asked: string): Promise<string> => downloadWheel({ folder, asked, offline });
