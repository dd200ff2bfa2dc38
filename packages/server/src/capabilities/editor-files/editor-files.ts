// Keeps the editor's small files of each person in each workspace, within limits. A write can name the revision that it
// replaces, so that two tabs do not overwrite each other.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type ExpectedVersion, isExpected } from "../../foundation/http/expected-version.ts";
import type { EditorFile, EditorFileContent, FileOwner } from "./editor-file.ts";
import { deleteFile, findFile, insertFile, listFiles, lockFile, replaceFile, sumFiles } from "./editor-files-store.ts";

export interface EditorFiles {
  // By path.
  list(owner: FileOwner): Promise<readonly EditorFile[]>;
  // Null if there is none.
  read(owner: FileOwner, path: string): Promise<EditorFileContent | null>;
  // Throws precondition_failed, quota_exceeded.
  write(owner: FileOwner, file: WrittenFile): Promise<EditorFile>;
  // Writes what `edit` makes of the content, which no other write changes meanwhile.
  edit(owner: FileOwner, path: string, edit: (bytes: Buffer | null) => Buffer): Promise<EditorFile>;
  // Whether there was one. Throws precondition_failed.
  remove(owner: FileOwner, path: string, expected: ExpectedVersion): Promise<boolean>;
}

export interface WrittenFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly expected: ExpectedVersion;
}

export const editorFileBounds = { files: 1_000, bytes: 64 * 1024 ** 2, fileBytes: 10 * 1024 ** 2 };
const attemptsMax = 5;

export function createEditorFiles(deps: {
  readonly database: Database;
  readonly clock: Clock;
  // Smaller ones in tests.
  readonly bounds?: typeof editorFileBounds;
}): EditorFiles {
  const { database, clock, bounds = editorFileBounds } = deps;

  async function put(owner: FileOwner, path: string, make: (before: EditorFileContent | null) => Buffer) {
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      const written = await database.transaction(async (tx) => {
        const before = await lockFile(tx, owner, path);
        const file = { path, bytes: make(before), at: clock.now() };
        requireRoom(bounds, await sumFiles(tx, owner), before, file.bytes);
        if (before !== null) await replaceFile(tx, owner, file);
        else if (!(await insertFile(tx, owner, file))) return null;
        return findFile(tx, owner, path);
      });
      if (written !== null) return written;
    }
    throw new Fault("conflict", `The file ${path} is being written by others. Try again.`);
  }

  return {
    list: (owner) => listFiles(database, owner),
    read: (owner, path) => findFile(database, owner, path),
    write: (owner, { path, bytes, expected }) =>
      put(owner, path, (before) => {
        requireExpected(expected, before);
        return bytes;
      }),
    edit: (owner, path, edit) => put(owner, path, (before) => edit(before?.bytes ?? null)),
    remove: (owner, path, expected) =>
      database.transaction(async (tx) => {
        const before = await lockFile(tx, owner, path);
        if (before === null) return false;
        requireExpected(expected, before);
        return (await deleteFile(tx, owner, path)) > 0;
      }),
  };
}

function requireExpected(expected: ExpectedVersion, before: EditorFileContent | null): void {
  if (isExpected(expected, before?.revision ?? null)) return;
  throw new Fault("precondition_failed", "The file has been changed since you read it. Read it again.");
}

function requireRoom(
  most: typeof editorFileBounds,
  kept: { readonly files: number; readonly bytes: number },
  before: EditorFileContent | null,
  bytes: Buffer,
): void {
  if (bytes.byteLength > most.fileBytes)
    throw new Fault("payload_too_large", `A file can have ${most.fileBytes} bytes.`);
  const grown = bytes.byteLength - (before?.sizeBytes ?? 0);
  const files = kept.files + (before === null ? 1 : 0);
  if (files > most.files || (grown > 0 && kept.bytes + grown > most.bytes))
    throw new Fault(
      "quota_exceeded",
      `You can keep ${most.files} files with ${most.bytes} bytes here. Delete some first.`,
    );
}
