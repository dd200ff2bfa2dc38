// Bytes become a file whole or not at all: they are written under a hidden name beside it and take their name at the
// end. Unless it is to replace, a name that is taken is left alone and the next free one is used.
import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { uniqueName } from "./unique-name.ts";

export interface KeepWish {
  readonly folder: string;
  readonly name: string;
  readonly isReplacing: boolean;
  readonly signal?: AbortSignal;
}

type Bytes = ReadableStream<Uint8Array> | Uint8Array | string | null;

// The name it got.
export async function keepFile(bytes: Bytes, { folder, name, isReplacing, signal }: KeepWish): Promise<string> {
  const part = join(folder, `.${uniqueName()}.part`);
  try {
    if (bytes === null || typeof bytes === "string" || bytes instanceof Uint8Array)
      writeFileSync(part, bytes ?? "", { flag: "wx" });
    else await writeStream(bytes, part, signal);
    if (!isReplacing) return settle(part, folder, name);
    renameSync(part, join(folder, name));
    return join(folder, name);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

// Each piece is on its way to the disk before the next one is asked for.
async function writeStream(bytes: ReadableStream<Uint8Array>, part: string, signal?: AbortSignal): Promise<void> {
  let file: number | undefined;
  try {
    file = openSync(part, "wx");
    for await (const piece of bytes) {
      signal?.throwIfAborted();
      writeFileSync(file, piece);
    }
  } catch (error) {
    // A stream that nobody reads would keep its connection, and that the program.
    await bytes.cancel().catch(() => undefined);
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

// A file that the caller named: it is replaced, and only as a whole.
export const replaceFile = (path: string, bytes: Bytes, signal?: AbortSignal): Promise<string> =>
  keepFile(bytes, {
    folder: dirname(path),
    name: basename(path),
    isReplacing: true,
    ...(signal === undefined ? {} : { signal }),
  });

function settle(part: string, folder: string, name: string): string {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let turn = 0; ; turn++) {
    const file = join(folder, turn === 0 ? name : `${stem} (${turn})${extension}`);
    if (existsSync(file)) continue;
    try {
      // A link fails where something stands; a rename would replace it.
      linkSync(part, file);
    } catch (error) {
      if (isTaken(error) || !isClaimed(part, file)) continue;
    }
    rmSync(part, { force: true });
    return file;
  }
}

// A file system without links: an empty file takes the name first, so that two savers never meet.
function isClaimed(part: string, file: string): boolean {
  try {
    closeSync(openSync(file, "wx"));
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
  try {
    renameSync(part, file);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
  return true;
}

const isTaken = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EEXIST";
