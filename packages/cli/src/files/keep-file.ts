// Bytes become a file whole or not at all: they are written under a hidden name beside it and take their name at the
// end. Unless it is to replace, a name that is taken is left alone and the next number is used.
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
  // Whose name comes first: numbers go by the order in which things were made, not by which bytes were here first.
  readonly after?: Promise<unknown>;
}

type Bytes = ReadableStream<Uint8Array> | Uint8Array | string | null;

// The name it got.
export function keepFile(bytes: Bytes, { folder, name, signal, after }: KeepOptions): Promise<string> {
  return whole(bytes, folder, signal, async (part) => {
    await after?.catch(() => undefined);
    return settle(part, folder, name);
  });
}

// A file that the caller named: it is replaced as a whole and keeps its rights, through a link as well. What is no file, a
// device or a pipe, is written to: taking its name would take it away from everybody else.
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
    // An unread answer would keep its connection, and that the program.
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
    // Each piece is on its way to the disk before the next one is asked for.
    for await (const piece of bytes) {
      signal?.throwIfAborted();
      writeFileSync(file, piece);
    }
  } finally {
    closeSync(file);
  }
}

// Not by its class: naming that would load it.
const isStream = (bytes: Bytes): bytes is ReadableStream<Uint8Array> =>
  bytes !== null && typeof bytes === "object" && !(bytes instanceof Uint8Array);

function settle(part: string, folder: string, name: string): string {
  // What turned out to be taken, although the folder may list it otherwise: not every file system tells letters apart.
  const taken: string[] = [];
  for (;;) {
    const free = numberedName(name, [...readdirSync(folder), ...taken]);
    const file = join(folder, free);
    taken.push(free);
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
