// Bytes become a file whole or not at all: they are written under a hidden name beside it and take their name at the
// end. Unless it is to replace, a name that is taken is left alone and the next free one is used.
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { access, link, open, rename, unlink } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface KeepWish {
  readonly folder: string;
  readonly name: string;
  readonly isReplacing: boolean;
  readonly signal?: AbortSignal;
}

type Bytes = ReadableStream<Uint8Array> | Uint8Array | string | null;

// The name it got.
export async function keepFile(bytes: Bytes, { folder, name, isReplacing, signal }: KeepWish): Promise<string> {
  const part = join(folder, `.${randomUUID()}.part`);
  const source = bytes instanceof ReadableStream ? Readable.fromWeb(bytes) : Readable.from([bytes ?? ""]);
  try {
    await pipeline(source, createWriteStream(part), signal === undefined ? {} : { signal });
    if (!isReplacing) return await settle(part, folder, name);
    await rename(part, join(folder, name));
    return join(folder, name);
  } catch (error) {
    await unlink(part).catch(() => undefined);
    throw error;
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
      if (code === "EEXIST" || (await exists(file))) continue;
      return await claim(part, file);
    }
  }
}

// A file system without links: an empty file takes the name first, so that two savers never meet.
async function claim(part: string, file: string): Promise<string> {
  await (await open(file, "wx")).close();
  await rename(part, file);
  return file;
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
