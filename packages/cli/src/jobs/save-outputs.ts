// Saves a job's outputs into a folder. A file appears under its name once it is complete, and existing files are never
// overwritten. Names come from the server and cannot leave the folder.
import { basename } from "node:path";
import type { Atelier, Output } from "@atelier/sdk";
import { keepFile } from "../files/keep-file.ts";
import { safePart } from "../files/safe-name.ts";

const wholeBytesMax = 1024 * 1024;

// Where an output goes, before we know whether the name is free.
export interface OutputFile {
  readonly folder: string;
  readonly name: string;
}

export interface OutputTarget {
  // As given with -o.
  readonly given: string;
  // `number` counts the job's outputs from 1.
  fileOf(output: Output, number: number): OutputFile;
}

export const folderTarget = (folder: string): OutputTarget => ({
  given: folder,
  fileOf: (output) => ({ folder, name: safeName(output) }),
});

export interface SavedOutput {
  readonly file: string;
  readonly output: Output;
}

export async function saveOutput(
  atelier: Atelier,
  output: Output,
  file: OutputFile,
  options: { readonly signal: AbortSignal; readonly after?: Promise<unknown> },
): Promise<SavedOutput> {
  const response = await atelier.assets.open(output, { signal: options.signal });
  // A small file arrives in one piece anyway, and streams would have to be loaded first.
  const isSmall = output.size_bytes <= wholeBytesMax;
  const bytes = isSmall ? new Uint8Array(await response.arrayBuffer()) : response.body;
  return { file: await keepFile(bytes, { ...file, ...options }), output };
}

export function safeName({ name, id }: Pick<Output, "name" | "id">): string {
  const safe = safePart(basename(name.replaceAll("\\", "/")));
  return safe === "" ? id : safe;
}
