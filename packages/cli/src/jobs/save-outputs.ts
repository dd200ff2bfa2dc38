// Writes what a job made into a folder. A file appears under its name when all its bytes are there; what stands there
// already is never overwritten. Names come from the server and stay inside the folder whatever they say.
import { basename } from "node:path";
import type { Atelier, Output } from "@atelier/sdk";
import { keepFile } from "../files/keep-file.ts";

const wholeBytesMax = 1024 * 1024;

export interface SavedOutput {
  readonly file: string;
  readonly output: Output;
}

export async function saveOutput(
  atelier: Atelier,
  output: Output,
  folder: string,
  signal: AbortSignal,
): Promise<SavedOutput> {
  const response = await atelier.assets.open(output, { signal });
  const options = { folder, name: safeName(output), signal };
  // What is small comes in one piece anyhow; streams would have to be loaded first.
  const isSmall = output.size_bytes <= wholeBytesMax;
  const bytes = isSmall ? new Uint8Array(await response.arrayBuffer()) : response.body;
  return { file: await keepFile(bytes, options), output };
}

export function safeName({ name, id }: Pick<Output, "name" | "id">): string {
  const safe = basename(name.replaceAll("\\", "/"))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in a file's name.
    .replace(/[\u0000-\u001f\u007f<>:"|?*]/g, "_")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  return safe === "" ? id : safe;
}
