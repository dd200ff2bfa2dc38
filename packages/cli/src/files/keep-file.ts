// Writes a file completely or not at all: the bytes go to a hidden file next to it, which is renamed at the end. A name that is
// taken is left alone and the next number is used, unless the caller wants to replace the file.
import {
  chmodSync,
  closeSync,
  linkSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { numberedName } from "./numbered-name.ts";
import { makeFolder } from "./output-path.ts";
import { beginUnfinished } from "./unfinished.ts";
import { uniqueName } from "./unique-name.ts";

interface KeepOptions {
  readonly folder: string;
  readonly name: string;
  readonly signal?: AbortSignal;
  // Settle on a name only after this one: numbers follow the order in which things were made, not the order in which their bytes
  // arrived.
  readonly after?: Promise<unknown>;
}

type Bytes = ReadableStream<Uint8Array> | Uint8Array | string | null;

// Returns the name it got.
export function keepFile(bytes: Bytes, { folder, name, signal, after }: KeepOptions): Promise<string> {
  return whole(bytes, folder, signal, async (part) => {
    await after?.catch(() => undefined);
    return settle(part, folder, name);
  });
}

// Writes to a file the caller named. The file is replaced as a whole and keeps its permissions, also through a symbolic link. A
// device or a pipe is written to directly, because replacing it would take it away from everyone else.
export async function replaceFile(path: string, bytes: Bytes, signal?: AbortSignal): Promise<string> {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) {
    await write(bytes, path, "w", signal);
    return path;
  }
  const target = there === undefined ? path : realpathSync(path);
  return whole(bytes, dirname(target), signal, (part) => {
    if (there !== undefined) chmodSync(part, there.mode & 0o777);
    renameSync(part, target);
    return path;
  });
}

async function whole(
  bytes: Bytes,
  folder: string,
  signal: AbortSignal | undefined,
  finish: (part: string) => string | Promise<string>,
): Promise<string> {
  const part = join(folder, `.${uniqueName()}.part`);
  const isFinished = beginUnfinished(part);
  try {
    makeFolder(folder);
    await write(bytes, part, "wx", signal);
    return await finish(part);
  } catch (error) {
    rmSync(part, { force: true });
    // An unread response would keep its connection open, and the process alive.
    if (isStream(bytes)) await bytes.cancel().catch(() => undefined);
    throw error;
  } finally {
    isFinished();
  }
}

async function write(bytes: Bytes, path: string, flag: "w" | "wx", signal: AbortSignal | undefined): Promise<void> {
  if (!isStream(bytes)) return writeFileSync(path, bytes ?? "", { flag });
  const file = openSync(path, flag);
  try {
    // Writes each piece before asking for the next one.
    for await (const piece of bytes) {
      signal?.throwIfAborted();
      writeFileSync(file, piece);
    }
  } finally {
    closeSync(file);
  }
}

// Not by its class, because naming the class would load it.
const isStream = (bytes: Bytes): bytes is ReadableStream<Uint8Array> =>
  bytes !== null && typeof bytes === "object" && !(bytes instanceof Uint8Array);

function settle(part: string, folder: string, name: string): string {
  // Names that turned out to be taken even though the folder lists them differently: not every file system is case-sensitive.
  const taken: string[] = [];
  for (;;) {
    const free = numberedName(name, [...readdirSync(folder), ...taken]);
    const file = join(folder, free);
    taken.push(free);
    try {
      // A link fails if the name is taken; a rename would replace the file.
      linkSync(part, file);
    } catch (error) {
      if (isTaken(error) || !isClaimed(part, file)) continue;
    }
    rmSync(part, { force: true });
    return file;
  }
}

// For a file system without links. An empty file claims the name first, so two writers never collide.
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
