// Uploads a local file. We open it before anything is sent, and report when it has arrived.
import { accessSync, constants, statSync } from "node:fs";
import { basename } from "node:path";
import { type Asset, type Atelier, fileSource } from "@atelier/sdk";
import { ClientProblem } from "../server/client-problem.ts";
import { sizeText } from "../terminal/progress-line.ts";
import { unreadable } from "./unreadable.ts";

export async function uploadFile(
  { atelier, say }: { readonly atelier: Atelier; say(line: string): void },
  path: string,
  label: string,
  signal: AbortSignal,
): Promise<Asset> {
  const source = await openSource(path);
  const asset = await atelier.assets.put(source, { signal });
  say(`  ${label}   ${basename(path)}   ${sizeText(asset.size_bytes)}   ${uploadOutcome(asset)}`);
  return asset;
}

export const uploadOutcome = ({ created_new: isNew, hash }: Asset): string =>
  `${isNew === false ? "already stored" : "uploaded"} (${(hash ?? "").slice(0, 15)}…)`;

// Only a regular file has a known size. We check permissions here, or an unreadable file would fail halfway through.
export async function openSource(path: string): Promise<File> {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw unreadable(path, { code: "EISDIR" });
  if (there?.isFile() === false)
    throw new ClientProblem("usage", "usage", `${path} is not a regular file.`, { hint: "save it to a file first" });
  try {
    accessSync(path, constants.R_OK);
    return await fileSource(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}
