// Writes a job's outputs into a folder. A file appears under its name when all its bytes are there; what stands there
// already is never overwritten. Names come from the server and stay inside the folder whatever they say.
import { createWriteStream } from "node:fs";
import { access, link, mkdir, rename, unlink } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Connection } from "./connection.ts";
import type { JobViewOutput } from "./job-events.ts";

export interface SavedOutput {
  readonly file: string;
  readonly output: JobViewOutput;
}

export async function saveOutput(
  connection: Connection,
  output: JobViewOutput,
  folder: string,
  signal: AbortSignal,
): Promise<SavedOutput> {
  await mkdir(folder, { recursive: true });
  const response = await connection.call(output.url, { signal });
  const part = join(folder, `.${output.id}.part`);
  try {
    if (!response.body) throw new Error("The answer has no body.");
    await pipeline(Readable.fromWeb(response.body), createWriteStream(part), { signal });
    return { file: await settle(part, folder, safeName(output)), output };
  } catch (error) {
    await unlink(part).catch(() => undefined);
    throw error;
  }
}

export function safeName(output: Pick<JobViewOutput, "name" | "id">): string {
  const name = basename(output.name.replaceAll("\\", "/"))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in a file's name.
    .replace(/[\u0000-\u001f\u007f<>:"|?*]/g, "_")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  return name === "" ? output.id : name;
}

async function settle(part: string, folder: string, name: string): Promise<string> {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let turn = 0; ; turn++) {
    const file = join(folder, turn === 0 ? name : `${stem} (${turn})${extension}`);
    try {
      // A link fails where something stands; a rename would replace it.
      await link(part, file);
      await unlink(part);
      return file;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EEXIST") continue;
      if (await exists(file)) continue;
      // A file system without links.
      await rename(part, file);
      return file;
    }
  }
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
