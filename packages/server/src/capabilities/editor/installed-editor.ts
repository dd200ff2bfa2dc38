// The editor as it is installed: a folder with its files, and beside it one small file that names the folder and lists what is
// in it. The editor is installed while that file exists: replacing it completes an install, and deleting it removes the editor.
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isRecord } from "../../foundation/json/json-record.ts";

export interface EditorFile {
  readonly size: number;
  readonly etag: string;
  // The size of the packed copy beside it. Null if there is none.
  readonly packed: number | null;
}

export interface InstalledEditor {
  readonly version: string;
  readonly sha256: string;
  readonly isTested: boolean;
  readonly installedAt: string;
  // Where its files are.
  readonly folder: string;
  // By path, such as `assets/index.js`. What is not listed is not served.
  readonly files: ReadonlyMap<string, EditorFile>;
}

export interface Editor {
  // Null if none is installed. A running server notices installs and removals.
  current(): Promise<InstalledEditor | null>;
}

export const editorHome = (home: string): string => join(home, "editor");
export const noteOf = (home: string): string => join(editorHome(home), "editor.json");
export const packedEnding = ".gz";

export const isEditorInstalled = (home: string): boolean => existsSync(noteOf(resolve(home)));

export function openEditor(home: string): Editor {
  const note = noteOf(home);
  let known: { readonly stamp: string; readonly editor: Promise<InstalledEditor | null> } | null = null;
  return {
    async current() {
      const found = await stat(note, { bigint: true }).catch(() => null);
      if (found === null) return null;
      const stamp = `${found.ino} ${found.mtimeNs} ${found.size}`;
      if (known?.stamp !== stamp) known = { stamp, editor: readInstalled(home) };
      return known.editor;
    },
  };
}

// Null if there is none, or its note cannot be read.
export async function readInstalled(home: string): Promise<InstalledEditor | null> {
  try {
    const note: unknown = JSON.parse(await readFile(noteOf(home), "utf8"));
    if (!isRecord(note) || !isRecord(note["files"])) return null;
    const folder = String(note["folder"]);
    if (!/^[0-9a-f-]{8,64}$/.test(folder)) return null;
    const files = Object.entries(note["files"]).filter((each): each is [string, EditorFile] => isRecord(each[1]));
    return {
      version: String(note["version"]),
      sha256: String(note["sha256"]),
      isTested: note["is_tested"] === true,
      installedAt: String(note["installed_at"]),
      folder: join(editorHome(home), folder),
      files: new Map(files),
    };
  } catch {
    return null;
  }
}
