// Fetches a package as a wheel with the machine's own Python package client, which knows its index, its proxy and the packages'
// hashes.
import { execFile } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { UsageProblem } from "../settings.ts";

export interface AskedWheel {
  // Where to put it.
  readonly folder: string;
  // A name, or `name==version`.
  readonly asked: string;
  // What to do instead, for a machine that cannot download.
  readonly offline: string;
}

// Each download gets its own folder, so that we know which file came.
export async function downloadWheel({ folder, asked, offline }: AskedWheel): Promise<string> {
  const own = join(folder, asked.replaceAll(/[^\w.-]/g, "_"));
  await mkdir(own, { recursive: true });
  const words = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"];
  await promisify(execFile)("python3", [...words, "--dest", own, asked], { maxBuffer: 2 ** 24 }).catch(
    (error: unknown) => {
      throw new UsageProblem([whyNot(error, asked, offline)]);
    },
  );
  const wheel = (await readdir(own)).find((file) => file.endsWith(".whl"));
  if (wheel === undefined) throw new UsageProblem([`pip downloaded no wheel for ${asked}.`]);
  return join(own, wheel);
}

function whyNot(error: unknown, asked: string, offline: string): string {
  const { code, stderr } =
    typeof error === "object" && error !== null ? (error as { code?: unknown; stderr?: unknown }) : {};
  if (code === "ENOENT") return `Downloading needs python3 with pip, which is not installed here. ${offline}`;
  const last =
    String(stderr ?? "")
      .trim()
      .split("\n")
      .at(-1) ?? "";
  return `pip could not download ${asked}: ${last} ${offline}`;
}
