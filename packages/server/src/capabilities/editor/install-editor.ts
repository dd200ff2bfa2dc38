// Installs the editor from its wheel: the static files alone, each under a path that we checked, and packed copies of the large
// ones. Everything is written into a folder of its own before the note that makes it the installed one, so an install that
// fails leaves what was there.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { makeFolder } from "../../foundation/make-folder.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { readEntries, type WheelEntry } from "../../foundation/wheels/wheel-entries.ts";
import { type EditorFile, editorHome, noteOf, packedEnding, readInstalled } from "./installed-editor.ts";
import { type Trial, trialOf } from "./tested-versions.ts";

export interface AskedEditor {
  readonly home: string;
  readonly wheel: string;
  readonly installedAt: Date;
  onProgress(files: number): void;
}

export interface InstallReport {
  readonly version: string;
  readonly isTested: boolean;
  readonly files: number;
  readonly folder: string;
}

const wheelBytesMax = 512 * 1024 ** 2;
const fileBytesMax = 128 * 1024 ** 2;
const unpackedBytesMax = 1024 ** 3;
const filesMax = 20_000;
const packedFrom = 1_024;

const inside = "comfyui_frontend_package/static/";
// Letters, digits and a few signs: nothing with which a path could climb, hide or break.
const safePath = /^(?:[A-Za-z0-9_@+-][A-Za-z0-9._@+-]*\/){0,5}[A-Za-z0-9_@+-][A-Za-z0-9._@+-]*$/;
const metadata = /^comfyui_frontend_package-[^/]+\.dist-info\/METADATA$/;

const pack = promisify(gzip);

export async function installEditor(asked: AskedEditor): Promise<InstallReport> {
  const { home, wheel, installedAt } = asked;
  const sha256 = await hashOf(wheel);
  const version = await versionOf(wheel);
  const trial = requireUnaltered(trialOf(version, sha256), version);
  const name = `${sha256.slice(0, 16)}-${installedAt.getTime().toString(16)}`;
  const folder = join(editorHome(home), name);
  await makeFolder(editorHome(home));
  try {
    const files = await unpack(asked, folder);
    if (!files.has("index.html")) throw new UsageProblem([`${wheel} has no editor in it: index.html is missing.`]);
    const isTested = trial === "tested";
    const note = { version, sha256, is_tested: isTested, installed_at: installedAt.toISOString(), folder: name };
    const part = `${noteOf(home)}.part`;
    await writeFile(part, JSON.stringify({ ...note, files: Object.fromEntries(files) }));
    await rename(part, noteOf(home));
    await removeOthers(home, name);
    return { version, isTested, files: files.size, folder };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (error instanceof UsageProblem) throw error;
    throw new UsageProblem([`${wheel} cannot be installed: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

// Whether there was one.
export async function removeEditor(home: string): Promise<boolean> {
  const installed = await readInstalled(home);
  await rm(noteOf(home), { force: true });
  await rm(editorHome(home), { recursive: true, force: true });
  return installed !== null;
}

function requireUnaltered(trial: Trial, version: string): Trial {
  if (trial !== "altered") return trial;
  throw new UsageProblem([
    `This wheel says that it is version ${version}, but its bytes are not those of version ${version} that we tested. Download it again.`,
  ]);
}

async function hashOf(wheel: string): Promise<string> {
  const found = await stat(wheel).catch(() => null);
  if (found === null || !found.isFile()) throw new UsageProblem([`There is no file ${wheel}.`]);
  if (found.size > wheelBytesMax) throw new UsageProblem([`${wheel} is larger than the editor can be.`]);
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(wheel)) hash.update(chunk);
  return hash.digest("hex");
}

async function versionOf(wheel: string): Promise<string> {
  for await (const entry of entriesOf(wheel, (path) => metadata.test(path))) {
    const text = entry.size > fileBytesMax ? "" : (await entry.bytes()).toString();
    const [, version] = /^Version: ([\w.+-]{1,64})\s*$/m.exec(text) ?? [];
    if (version !== undefined) return version;
  }
  throw new UsageProblem([`${wheel} is not a wheel of the editor, comfyui-frontend-package.`]);
}

async function unpack({ wheel, onProgress }: AskedEditor, folder: string): Promise<Map<string, EditorFile>> {
  const files = new Map<string, EditorFile>();
  const folders = new Set<string>();
  let bytesLeft = unpackedBytesMax;
  for await (const entry of entriesOf(wheel, (path) => path.startsWith(inside) && !path.endsWith("/"))) {
    const path = entry.path.slice(inside.length);
    bytesLeft -= entry.size;
    if (!safePath.test(path)) throw new UsageProblem([`${wheel} has a file with an unsafe path: ${entry.path}`]);
    if (files.has(path)) throw new UsageProblem([`${wheel} has two files of the same path: ${path}`]);
    if (entry.size > fileBytesMax || bytesLeft < 0 || files.size >= filesMax)
      throw new UsageProblem([`${wheel} unpacks to more than the editor can be.`]);
    const target = join(folder, path);
    if (!folders.has(dirname(target))) await mkdir(dirname(target), { recursive: true });
    folders.add(dirname(target));
    files.set(path, await write(target, await entry.bytes()));
    onProgress(files.size);
  }
  return files;
}

// Only people who debug the program read source maps, so these are not packed.
async function write(target: string, bytes: Buffer): Promise<EditorFile> {
  await writeFile(target, bytes);
  const etag = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  const isText = /\.(?:js|css|html|json|svg|txt)$/.test(target) && bytes.byteLength >= packedFrom;
  const packed = isText ? await pack(bytes, { level: 6 }) : null;
  if (packed === null || packed.byteLength >= bytes.byteLength) return { size: bytes.byteLength, etag, packed: null };
  await writeFile(`${target}${packedEnding}`, packed);
  return { size: bytes.byteLength, etag, packed: packed.byteLength };
}

async function removeOthers(home: string, kept: string): Promise<void> {
  for (const entry of await readdir(editorHome(home), { withFileTypes: true }))
    if (entry.isDirectory() && entry.name !== kept)
      await rm(join(editorHome(home), entry.name), { recursive: true, force: true });
}

// The library rejects climbing paths and false sizes with an error of its own.
async function* entriesOf(wheel: string, isWanted: (path: string) => boolean): AsyncGenerator<WheelEntry> {
  try {
    yield* readEntries(wheel, isWanted);
  } catch (error) {
    if (error instanceof UsageProblem) throw error;
    throw new UsageProblem([`${wheel} is not a wheel: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
